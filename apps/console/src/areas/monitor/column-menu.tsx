import { useTranslation } from 'react-i18next'
import { Icon } from '../../ui/icon.tsx'
import { Popover } from '../../ui/popover.tsx'
import { columnGroups, toggleColumns, useHiddenColumns } from './columns.ts'

/** Which quantities the live table shows, on this device. */
export function ColumnMenu() {
  const { t } = useTranslation(['monitor', 'app'])
  const hidden = useHiddenColumns((state) => state.hidden)
  return (
    <Popover label={t('app:columns')} icon={<Icon name="columns" />}>
      {columnGroups.map(({ key }) => (
        <label key={key} className="option">
          <input type="checkbox" checked={!hidden.includes(key)} onChange={() => toggleColumns(key)} />
          {t(key)}
        </label>
      ))}
    </Popover>
  )
}

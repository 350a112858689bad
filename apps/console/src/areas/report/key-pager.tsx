import type { DeviceDataRow, deviceData, Reply } from '@linewarden/contract'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../ui/icon.tsx'
import { keyText, pageSizes } from './address.ts'
import type { Change } from './tools.tsx'

/** Pages by their first and last rows: what comes meanwhile moves none. */
export function KeyPager(props: {
  about: Reply<typeof deviceData>['about']
  rows: readonly DeviceDataRow[]
  total: number
  size: number
  zoneName: string
  change: Change
}) {
  const { about, rows, total, size, zoneName, change } = props
  const place = useId()
  const { t } = useTranslation(['deviceData', 'app'])
  const [first, last] = [rows[0], rows.at(-1)]
  const all = about.IsTotalExact ? String(total) : t('many', { total })
  const step = (label: string, icon: 'left' | 'right', isThere: boolean, go: () => void) => (
    <button type="button" className="btn small" aria-label={label} aria-describedby={place} disabled={!isThere} onClick={go}>
      <Icon name={icon} />
    </button>
  )
  return (
    <nav className="pages" aria-label={t('app:pages')}>
      <span id={place} role="status">
        {about.First === null || rows.length === 0
          ? t('rowsOfMany', { total: all })
          : t('rowsOf', { first: about.First + 1, last: about.First + rows.length, total: all })}
      </span>
      <span>{t('zone', { zone: zoneName })}</span>
      <span className="grow" />
      <label>
        <span className="hidden-visually">{t('app:pageSize')}</span>
        <select value={size} onChange={(event) => change({ size: event.target.value })}>
          {pageSizes.map((each) => (
            <option key={each} value={each}>
              {t('app:perPage', { count: each })}
            </option>
          ))}
        </select>
      </label>
      <button
        type="button"
        className="btn small"
        disabled={!about.HasEarlier}
        onClick={() => change({ after: null, before: null })}
      >
        {t('firstPage')}
      </button>
      {step(
        t('app:previousPage'),
        'left',
        about.HasEarlier && first !== undefined,
        () => first && change({ before: keyText(first) }),
      )}
      {step(t('app:nextPage'), 'right', about.HasLater && last !== undefined, () => last && change({ after: keyText(last) }))}
    </nav>
  )
}

import { useTranslation } from 'react-i18next'
import { Icon } from '../../../ui/icon.tsx'
import type { AlarmSort, SortKey } from './address.ts'
import { sortKeys } from './address.ts'

/** In which order, and from which end. */
export function SortChoice({ sort, onChange }: { sort: AlarmSort; onChange: (sort: AlarmSort) => void }) {
  const { t } = useTranslation('alarmList')
  const down = sort.startsWith('-')
  const key = (down ? sort.slice(1) : sort) as SortKey
  return (
    <span className="sort-choice">
      <label>
        <span className="hidden-visually">{t('sort')}</span>
        <select value={key} onChange={(event) => onChange(`-${event.target.value as SortKey}`)}>
          {sortKeys.map((each) => (
            <option key={each} value={each}>
              {t(`sorts.${each}`)}
            </option>
          ))}
        </select>
      </label>
      <button
        type="button"
        className="btn small"
        aria-label={t('reverse')}
        title={t('reverse')}
        aria-pressed={!down}
        onClick={() => onChange(down ? key : `-${key}`)}
      >
        <Icon name={down ? 'sortDown' : 'sortUp'} />
      </button>
    </span>
  )
}

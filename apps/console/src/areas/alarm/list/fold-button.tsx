import { useTranslation } from 'react-i18next'
import { localised } from '../../../ui/i18n.ts'
import { Icon } from '../../../ui/icon.tsx'
import type { EventRow } from './rows.ts'

/** How many events are folded under one, by which they are unfolded. */
export function FoldButton({ row, onUnfold }: { row: EventRow; onUnfold: (id: string) => void }) {
  const { t } = useTranslation('alarmList')
  return (
    <button
      type="button"
      className="btn small quiet fold"
      aria-expanded={row.unfolded}
      aria-label={t('foldedUnder', { name: localised(row.event.Label), count: row.folded })}
      onClick={() => onUnfold(row.id)}
    >
      <Icon name={row.unfolded ? 'down' : 'right'} />
      {t('foldedCount', { count: row.folded })}
    </button>
  )
}

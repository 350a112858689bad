import { useTranslation } from 'react-i18next'
import type { LineRef } from '../../plant/equipment.ts'
import { useTaggedAmong } from '../../plant/tagged-lines.ts'
import type { StripFilter } from './summary-strip.tsx'

/** How many of these lines have a lock-out tag in force; pressed, the table shows only them. Not there while none has and none is asked for. */
export function TaggedChip({
  lines,
  filter,
  onFilter,
}: {
  lines: readonly LineRef[]
  filter: StripFilter | null
  onFilter: (filter: StripFilter | null) => void
}) {
  const { t } = useTranslation('monitor')
  const count = useTaggedAmong(lines)
  if (count === 0 && filter !== 'tagged') return null
  return (
    <button
      type="button"
      className="chip"
      aria-pressed={filter === 'tagged'}
      onClick={() => onFilter(filter === 'tagged' ? null : 'tagged')}
    >
      {t('taggedCount', { count })}
    </button>
  )
}

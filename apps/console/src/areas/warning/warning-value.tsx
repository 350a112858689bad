import type { Warning } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { amount, withUnit } from './amount.ts'
import { valueMeaning } from './value-meaning.ts'

/** What a finding is about in figures; null: it came without any. */
export function figuresOf({
  Event,
  Evidence,
}: Warning): { readonly value: number; readonly limit: number | null; readonly unit: string } | null {
  if (Evidence) return { value: Evidence.Value, limit: Evidence.Limit, unit: Evidence.Unit }
  return Event.Value === null ? null : { value: Event.Value, limit: Event.Limit, unit: Event.Unit }
}

/** Value against limit, and what the value is. Past its limit an alarm or a warning is red; on the way, and a notice, it is amber. */
export function WarningValue({ warning }: { warning: Warning }) {
  const { t } = useTranslation('warning')
  const figures = figuresOf(warning)
  const meaning = valueMeaning(t, warning.Event.Key)
  if (!figures) return <span className="mute">–</span>
  const isPast = warning.Level !== 'notice' && (warning.Share ?? 0) >= 1
  const { value, limit, unit } = figures
  return (
    <span className="two-lines end">
      <span>
        <b className={isPast ? 'over' : 'near'}>{limit === null ? withUnit(value, unit) : amount(value)}</b>
        {limit !== null && ` / ${withUnit(limit, unit)}`}
      </span>
      <small>{meaning}</small>
    </span>
  )
}

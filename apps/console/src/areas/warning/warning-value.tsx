import type { Warning } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { amount, withUnit } from './amount.ts'
import { valueMeaning } from './value-meaning.ts'

/** Value against limit, and what the value is. Past its limit an alarm or a warning is red; on the way, and a notice, it is amber. */
export function WarningValue({ warning }: { warning: Warning }) {
  const { t } = useTranslation('warning')
  const { Value, Limit, Unit } = warning.Evidence
  const isPast = warning.Level !== 'notice' && (warning.Share ?? 0) >= 1
  return (
    <span className="two-lines end">
      <span>
        <b className={isPast ? 'over' : 'near'}>{amount(Value)}</b> / {withUnit(Limit, Unit)}
      </span>
      <small>{valueMeaning(t, warning.Event.Key)}</small>
    </span>
  )
}

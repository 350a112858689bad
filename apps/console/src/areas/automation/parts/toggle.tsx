import { ReasonedButton } from '../../../app/notify/reasoned-button.tsx'
import './parts.css'

/** Whether something acts by itself. Where it cannot be changed, it says why. */
export function Toggle({
  label,
  on,
  reason,
  onPress,
}: {
  label: string
  on: boolean
  /** Why it cannot be changed now; null when it can. */
  reason: string | null
  onPress: () => void
}) {
  return (
    <ReasonedButton className="toggle" role="switch" aria-checked={on} aria-label={label} reason={reason} onClick={onPress}>
      <i aria-hidden="true" />
    </ReasonedButton>
  )
}

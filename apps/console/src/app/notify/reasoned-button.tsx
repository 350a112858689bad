import type { ButtonHTMLAttributes } from 'react'
import { useId } from 'react'
import { toast } from './toasts.tsx'

/**
 * A button of an operation on equipment. While something stands against it, it stays in reach of keyboard, finger and screen reader and says
 * why: when it is pointed at, described, or pressed. It does nothing else then.
 */
export function ReasonedButton({
  reason,
  onClick,
  children,
  ...button
}: Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'type' | 'disabled' | 'onClick'> & {
  /** Why it cannot be pressed now; null when it can. */
  reason: string | null
  onClick: () => void
}) {
  const id = useId()
  if (reason === null)
    return (
      <button type="button" {...button} onClick={onClick}>
        {children}
      </button>
    )
  return (
    <>
      <button
        type="button"
        {...button}
        aria-disabled="true"
        aria-describedby={id}
        title={reason}
        onClick={() => toast('refusal', reason)}
      >
        {children}
      </button>
      <span id={id} className="hidden-visually">
        {reason}
      </span>
    </>
  )
}

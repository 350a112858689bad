import { createPortal } from 'react-dom'
import { create } from 'zustand'
import { useForemost } from '../../ui/modals.ts'
import './toasts.css'

interface Toast {
  readonly id: number
  /** `event`: what has just happened in the plant. */
  readonly kind: 'info' | 'refusal' | 'error' | 'event'
  readonly text: string
}

export const useToasts = create<{ toasts: readonly Toast[] }>(() => ({ toasts: [] }))
let made = 0

/** Says something for a moment: 1.5 s for information, 2 s for a refusal or an error (specification section 9). */
export function toast(kind: Toast['kind'], text: string): void {
  made += 1
  const id = made
  useToasts.setState(({ toasts }) => ({ toasts: [...toasts.slice(-4), { id, kind, text }] }))
  setTimeout(
    () => useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((each) => each.id !== id) })),
    kind === 'info' ? 1_500 : 2_000,
  )
}

/** Over the page, or in the foremost modal dialog: elsewhere it would neither be seen nor announced. */
export function Toasts() {
  const toasts = useToasts((state) => state.toasts)
  const foremost = useForemost()
  const texts = toasts.map(({ id, kind, text }) => <ToastText key={id} kind={kind} text={text} />)
  return (
    <>
      <div className="toasts" role="status" aria-live="polite">
        {!foremost && texts}
      </div>
      {foremost && createPortal(texts, foremost)}
    </>
  )
}

export const ToastText = ({ kind, text }: Pick<Toast, 'kind' | 'text'>) => <p className={kind}>{text}</p>

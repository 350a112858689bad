import { create } from 'zustand'
import './toasts.css'

interface Toast {
  readonly id: number
  readonly kind: 'info' | 'refusal' | 'error'
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

export function Toasts() {
  const toasts = useToasts((state) => state.toasts)
  return (
    <div className="toasts" role="status" aria-live="polite">
      {toasts.map(({ id, kind, text }) => (
        <p key={id} className={kind}>
          {text}
        </p>
      ))}
    </div>
  )
}

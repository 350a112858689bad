import type { ReactNode } from 'react'
import { useEffect, useRef } from 'react'
import './dialog.css'

/** A modal dialog on the browser's own: it traps the focus, closes with Escape, and gives the focus back. */
export function Dialog({
  label,
  wide = false,
  stays = false,
  onClose,
  children,
}: {
  label: string
  /** For forms of two columns. */
  wide?: boolean
  /** Escape does not close it: what it shows is not shown again. */
  stays?: boolean
  onClose: () => void
  children: ReactNode
}) {
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => ref.current?.showModal(), [])
  return (
    <dialog
      ref={ref}
      className={wide ? 'dialog wide' : 'dialog'}
      aria-label={label}
      onClose={onClose}
      onCancel={(event) => (stays ? event.preventDefault() : onClose())}
    >
      {children}
    </dialog>
  )
}

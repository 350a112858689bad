import type { ReactNode } from 'react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import './dialog.css'
import { inFront } from './modals.ts'

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
  const region = useRef<HTMLDivElement>(null)
  useEffect(() => {
    ref.current?.showModal()
    // What is not shown yet took no focus when it was drawn.
    ref.current?.querySelector<HTMLElement>('[data-first]')?.focus()
    // Begins where something can be written, not at what is only shown.
    if (document.activeElement?.matches('[readonly]'))
      ref.current?.querySelector<HTMLElement>('input:not([readonly]), select:not(:disabled)')?.focus()
    return region.current ? inFront(region.current) : undefined
  }, [])
  return (
    <dialog
      ref={ref}
      className={wide ? 'dialog wide' : 'dialog'}
      aria-label={label}
      onClose={onClose}
      onCancel={(event) => (stays ? event.preventDefault() : onClose())}
    >
      {children}
      {/* It is there, and empty, before anything is said in it: only then is that announced. */}
      <div className="toasts" aria-live="polite" ref={region} />
    </dialog>
  )
}

/** The foot of a dialog that asks for nothing: the way out, and what else may be done. */
export function CloseFoot({ onClose, children }: { onClose: () => void; children?: ReactNode }) {
  const { t } = useTranslation()
  return (
    <div className="foot">
      <button type="button" className="btn" onClick={onClose}>
        {t('close')}
      </button>
      {children}
    </div>
  )
}

import type { ReactNode } from 'react'
import { Dialog } from './dialog.tsx'
import { Mark } from './mark.tsx'

/** What is never shown again, a secret or codes: it stays until somebody says that it is kept; Escape does not close it. */
export function ShownOnce(props: {
  title: string
  caution: string
  kept: string
  wide?: boolean
  children: ReactNode
  /** Other ways to keep it, before the one that closes. */
  actions?: ReactNode
  onClose: () => void
}) {
  const { title, caution, kept, wide = false, children, actions, onClose } = props
  return (
    <Dialog label={title} stays wide={wide} onClose={onClose}>
      <h2>{title}</h2>
      <div className="content">
        <p className="caution" role="alert">
          <Mark kind="warning" />
          {caution}
        </p>
        {children}
      </div>
      <div className="foot">
        {actions}
        <button type="button" className="btn primary" onClick={onClose}>
          {kept}
        </button>
      </div>
    </Dialog>
  )
}

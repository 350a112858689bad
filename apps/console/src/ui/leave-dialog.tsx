import { Dialog } from './dialog.tsx'

/** Asks whether what was typed may be lost. */
export function LeaveDialog({
  title,
  what,
  leave,
  stay,
  onLeave,
  onStay,
}: {
  title: string
  /** What is lost. */
  what: string
  leave: string
  stay: string
  onLeave: () => void
  onStay: () => void
}) {
  return (
    <Dialog label={title} onClose={onStay}>
      <h2>{title}</h2>
      <div className="content">
        <p>{what}</p>
      </div>
      <div className="foot">
        <button type="button" className="btn" onClick={onLeave}>
          {leave}
        </button>
        <button type="button" className="btn primary" data-first onClick={onStay}>
          {stay}
        </button>
      </div>
    </Dialog>
  )
}

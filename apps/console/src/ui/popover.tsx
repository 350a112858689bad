import type { ReactNode } from 'react'
import { useRef, useState } from 'react'
import './popover.css'

/** A button that opens a small panel under it; Escape and a click elsewhere close it. */
export function Popover({ label, icon, children }: { label: string; icon: ReactNode; children: ReactNode }) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  return (
    <div
      className="popover"
      role="group"
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false)
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) return
        event.stopPropagation()
        setOpen(false)
        button.current?.focus()
      }}
    >
      <button
        type="button"
        className="btn"
        aria-haspopup="dialog"
        aria-expanded={open}
        title={label}
        ref={button}
        onClick={() => setOpen(!open)}
      >
        {icon}
        <span className="word">{label}</span>
      </button>
      {open && (
        <div className="panel" role="dialog" aria-label={label} tabIndex={-1}>
          {children}
        </div>
      )}
    </div>
  )
}

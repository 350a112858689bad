import type { ReactNode } from 'react'
import './tri-check.css'

/** A checkbox over others: all of them, some, or none. */
export function TriCheck({
  chosen,
  disabled = false,
  title,
  onChange,
  children,
}: {
  chosen: 'all' | 'some' | 'none'
  disabled?: boolean
  title?: string | undefined
  onChange: (all: boolean) => void
  children: ReactNode
}) {
  return (
    <label className="tri-check" title={title}>
      <input
        type="checkbox"
        checked={chosen === 'all'}
        disabled={disabled}
        ref={(input) => {
          if (input) input.indeterminate = chosen === 'some'
        }}
        onChange={() => onChange(chosen !== 'all')}
      />
      <span>{children}</span>
    </label>
  )
}

/** How many of these are chosen, in a word. */
export function chosenOf(keys: readonly string[], chosen: ReadonlySet<string>): 'all' | 'some' | 'none' {
  const count = keys.filter((key) => chosen.has(key)).length
  return count === 0 ? 'none' : count === keys.length ? 'all' : 'some'
}

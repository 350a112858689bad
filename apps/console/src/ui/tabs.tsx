import type { KeyboardEvent } from 'react'
import './tabs.css'

export interface Tab<K extends string> {
  readonly key: K
  readonly label: string
  /** How many there are behind it; 0 is not told. */
  readonly count?: number
}

/** Tabs over one panel, whose id is `panel`; arrow keys move among them. */
export function Tabs<K extends string>({
  label,
  tabs,
  chosen,
  panel,
  onChoose,
}: {
  label: string
  tabs: readonly Tab<K>[]
  chosen: K
  panel: string
  onChoose: (key: K) => void
}) {
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const at = tabs.findIndex(({ key }) => key === chosen)
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key]
    const next = to === undefined ? undefined : tabs[(to + tabs.length) % tabs.length]
    if (!next) return
    event.preventDefault()
    onChoose(next.key)
    event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')[tabs.indexOf(next)]?.focus()
  }
  return (
    <div className="tab-row" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {tabs.map(({ key, label: name, count = 0 }) => (
        <button
          type="button"
          role="tab"
          key={key}
          aria-selected={key === chosen}
          aria-controls={panel}
          tabIndex={key === chosen ? 0 : -1}
          onClick={() => onChoose(key)}
        >
          {name}
          {count > 0 && ` ${count}`}
        </button>
      ))}
    </div>
  )
}

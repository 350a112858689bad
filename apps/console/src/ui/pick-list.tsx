import type { CSSProperties, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

export interface Choice {
  readonly value: string
  readonly label: string
  /** What tells two of the same name apart. */
  readonly note?: string
  /** What has to be known of it before it is picked, and while it is. */
  readonly beside?: ReactNode
}

const listHeight = 264

/** What there is to pick from; the one at `at` is picked by Enter. */
export function PickList({
  id,
  place,
  options,
  at,
  onPick,
}: {
  id: string
  place: CSSProperties
  options: readonly Choice[]
  at: number
  onPick: (option: Choice) => void
}) {
  const { t } = useTranslation()
  return (
    <div className="pick-list" id={id} role="listbox" style={place}>
      {options.map((option, index) => (
        <div
          key={option.value}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === at}
          // Before the input loses the focus, which closes the list.
          onMouseDown={(event) => {
            event.preventDefault()
            onPick(option)
          }}
        >
          {option.label} {option.beside}
          {option.note && <small>{option.note}</small>}
        </div>
      ))}
      {options.length === 0 && <div className="mute">{t('noMatch')}</div>}
    </div>
  )
}

/** Below its field, or above it where there is more room. */
export function placeBeside({ left, top, bottom, width }: DOMRect): CSSProperties {
  const below = window.innerHeight - bottom
  const up = below < listHeight && top > below
  return {
    left,
    width: Math.max(width, Math.min(240, window.innerWidth - left - 8)),
    maxHeight: Math.min(listHeight, (up ? top : below) - 12),
    ...(up ? { bottom: window.innerHeight - top + 4 } : { top: bottom + 4 }),
  }
}

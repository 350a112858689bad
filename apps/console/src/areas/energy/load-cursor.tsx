import type { KeyboardEvent, PointerEvent, ReactNode } from 'react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

/**
 * A picture with a cursor that the pointer and the arrow keys move. What it is on is read out above the picture, and to whoever hears the page.
 */
export function Cursor(props: {
  label: string
  /** How many places it has, from 0; `row`: how far up and down go. */
  count: number
  row?: number
  /** Where it begins for the keys. */
  start?: number
  read: (place: number) => string
  /** The place at a point of the picture, in its own pixels; null: there is none. */
  placeAt: (x: number, y: number) => number | null
  children: (place: number | null) => ReactNode
}) {
  const { label, count, row = 1, start = 0, read, placeAt, children } = props
  const { t } = useTranslation('loads')
  const [chosen, choose] = useState<number | null>(null)
  const place = chosen === null ? null : Math.min(count - 1, chosen)
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: row, ArrowUp: -row }[event.key]
    const to = event.key === 'Home' ? 0 : event.key === 'End' ? count - 1 : by === undefined ? null : (place ?? start) + by
    if (to === null) return
    event.preventDefault()
    if (to >= 0 && to < count) choose(to)
  }
  const onPointer = ({ clientX, clientY, currentTarget }: PointerEvent<HTMLElement>) => {
    const { left, top } = currentTarget.getBoundingClientRect()
    choose(placeAt(clientX - left, clientY - top))
  }
  return (
    <>
      <p className="load-readout" aria-hidden="true">
        {place === null ? <span className="mute">{t('look')}</span> : read(place)}
      </p>
      <div
        className="load-picture"
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={count - 1}
        aria-valuenow={place ?? start}
        aria-valuetext={read(place ?? start)}
        onKeyDown={onKeyDown}
        onFocus={(event) => event.currentTarget.matches(':focus-visible') && choose(place ?? start)}
        onBlur={() => choose(null)}
        onPointerDown={onPointer}
        onPointerMove={onPointer}
        onPointerLeave={({ pointerType }) => pointerType === 'mouse' && choose(null)}
      >
        {children(place)}
      </div>
    </>
  )
}

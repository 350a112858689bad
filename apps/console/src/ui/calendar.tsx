import { dayMs } from '@linewarden/equipment'
import i18next from 'i18next'
import type { KeyboardEvent } from 'react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from './icon.tsx'
import { momentText, stepped } from './moment-text.ts'
import './calendar.css'

/** Whole weeks around any month. */
const shownDays = 42
const moves: Readonly<Record<string, readonly [unit: 'd' | 'M', by: number]>> = {
  ArrowLeft: ['d', -1],
  ArrowRight: ['d', 1],
  ArrowUp: ['d', -7],
  ArrowDown: ['d', 7],
  PageUp: ['M', -1],
  PageDown: ['M', 1],
}

/** A month of days. One of them is reached by Tab, the others by the arrow keys; Page Up and Page Down turn the months. */
export function Calendar({
  at,
  today,
  max,
  onMove,
  onPick,
}: {
  /** The day it stands on. */
  at: number
  today: number
  /** The last that can be picked. */
  max: number
  onMove: (at: number) => void
  onPick: (at: number) => void
}) {
  const { t } = useTranslation()
  const grid = useRef<HTMLDivElement>(null)
  const month = new Date(at).getUTCMonth()
  // Whoever moves to another day stands on it; whoever turns the months by their buttons does not.
  const toStand = useRef(true)
  useEffect(() => {
    if (toStand.current) grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
    toStand.current = false
  })
  const move = (event: KeyboardEvent) => {
    const [unit, by] = moves[event.key] ?? []
    if (!unit || by === undefined) return
    event.preventDefault()
    toStand.current = true
    onMove(Math.min(stepped('day', at, unit, by), max))
  }
  const written = (options: Intl.DateTimeFormatOptions, time: number) =>
    new Intl.DateTimeFormat(i18next.language, { ...options, timeZone: 'UTC' }).format(time)
  const weeks = daysAround(at)
  return (
    <div className="calendar">
      <div className="months">
        <button
          type="button"
          className="btn quiet"
          aria-label={t('previousMonth')}
          onClick={() => onMove(stepped('day', at, 'M', -1))}
        >
          <Icon name="left" />
        </button>
        <b aria-live="polite">{written({ year: 'numeric', month: 'long' }, at)}</b>
        <button
          type="button"
          className="btn quiet"
          aria-label={t('nextMonth')}
          onClick={() => onMove(Math.min(stepped('day', at, 'M', 1), max))}
        >
          <Icon name="right" />
        </button>
      </div>
      <div className="days" role="group" ref={grid} onKeyDown={move}>
        {weeks.slice(0, 7).map((day) => (
          <span key={day} aria-hidden="true">
            {written({ weekday: 'narrow' }, day)}
          </span>
        ))}
        {weeks.map((day) => (
          <button
            type="button"
            key={day}
            tabIndex={day === at ? 0 : -1}
            className={new Date(day).getUTCMonth() === month ? undefined : 'other'}
            aria-label={written({ dateStyle: 'full' }, day)}
            aria-current={day === today ? 'date' : undefined}
            aria-pressed={day === at}
            disabled={day > max}
            onClick={() => onPick(day)}
          >
            {Number(momentText('day', day).slice(-2))}
          </button>
        ))}
      </div>
    </div>
  )
}

/** The days of its month, in weeks that begin on Monday. */
function daysAround(at: number): readonly number[] {
  const first = new Date(at)
  first.setUTCDate(1)
  const monday = first.getTime() - ((first.getUTCDay() + 6) % 7) * dayMs
  return Array.from({ length: shownDays }, (_, index) => monday + index * dayMs)
}

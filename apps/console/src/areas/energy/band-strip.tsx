import type { Strip } from '@linewarden/rules/energy'
import { bandsOfStrip, painted, quarterClock, runsOf } from '@linewarden/rules/energy'
import type { KeyboardEvent, PointerEvent } from 'react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { nameOf, stepOf } from './tariff-values.ts'

const quarters = 96
const quartersOfHour = 4

/**
 * A day as 96 quarters, each in a band. The pointer paints it; so do the arrow keys: they move by a quarter, with Shift they paint the way, and
 * Enter paints where they stand.
 */
export function BandStrip(props: {
  label: string
  bands: readonly string[]
  strip: Strip
  /** What is painted; null: the strip is only read. */
  brush: number | null
  onPaint: (strip: Strip) => void
}) {
  const { label, bands, strip, brush, onPaint } = props
  const { t } = useTranslation('tariffs')
  const [at, setAt] = useState(0)
  const [isFocused, setFocused] = useState(false)
  /** The strip as it was when the pointer went down: whoever goes back takes back what they painted. */
  const drag = useRef<{ readonly base: Strip; readonly from: number } | null>(null)
  const bandText = (band: number): string => (band < 0 ? t('noBand') : nameOf(bands[band] ?? ''))
  const quarterAt = ({ clientX, currentTarget }: PointerEvent<HTMLElement>): number => {
    const { left, width } = currentTarget.getBoundingClientRect()
    return Math.min(quarters - 1, Math.max(0, Math.floor(((clientX - left) / width) * quarters)))
  }
  const paintTo = (to: number) => {
    if (!drag.current || brush === null) return
    const { base, from } = drag.current
    setAt(to)
    onPaint(painted(base, Math.min(from, to), Math.max(from, to) + 1, brush))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: quartersOfHour, PageDown: -quartersOfHour }[
      event.key
    ]
    const to = event.key === 'Home' ? 0 : event.key === 'End' ? quarters - 1 : by === undefined ? null : at + by
    if (to !== null) {
      event.preventDefault()
      const next = Math.min(quarters - 1, Math.max(0, to))
      if (event.shiftKey && brush !== null) onPaint(painted(strip, Math.min(at, next), Math.max(at, next) + 1, brush))
      setAt(next)
    } else if ((event.key === 'Enter' || event.key === ' ') && brush !== null) {
      event.preventDefault()
      onPaint(painted(strip, at, at + 1, brush))
    }
  }
  const runs = runsOf(strip)
  const inWords = runs.map(({ from, to, band }) => `${quarterClock(from)}–${quarterClock(to)} ${bandText(band)}`).join(t('comma'))
  const picture = (
    <svg viewBox={`0 0 ${quarters} 20`} preserveAspectRatio="none" aria-hidden="true">
      {runs.map(({ from, to, band }) => (
        <rect
          key={from}
          x={from}
          width={to - from}
          height={20}
          className={band < 0 ? 'tariff-none' : `tariff-step-${stepOf(bands, band)}`}
        />
      ))}
      {isFocused && brush !== null && <rect x={at} width={1} height={20} className="tariff-cursor" />}
    </svg>
  )
  if (brush === null)
    return (
      <div className="tariff-strip" role="img" aria-label={`${label}${t('colon')}${inWords}`} title={inWords}>
        {picture}
      </div>
    )
  return (
    <div
      className="tariff-strip"
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={quarters - 1}
      aria-valuenow={at}
      aria-valuetext={`${quarterClock(at)}–${quarterClock(at + 1)} ${bandText(bandsOfStrip(strip)[at] ?? -1)}`}
      title={inWords}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        const from = quarterAt(event)
        drag.current = { base: strip, from }
        paintTo(from)
      }}
      onPointerMove={(event) => paintTo(quarterAt(event))}
      onPointerUp={() => {
        drag.current = null
      }}
      onPointerCancel={() => {
        drag.current = null
      }}
    >
      {picture}
    </div>
  )
}

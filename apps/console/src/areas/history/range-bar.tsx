import type { ZoneClock } from '@linewarden/contract'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { HistoryAddress, Preset, TimeRange } from './address.ts'
import { edited, latestMs, presets } from './address.ts'

const names = Object.keys(presets) as Preset[]

/** Keeps the year of a field at four digits. */
const lastTyped = new Date(latestMs).toISOString().slice(0, 19)

/** Presets, and any range by the project's clock. */
export function RangeBar(props: {
  address: HistoryAddress
  range: TimeRange
  zone: ZoneClock
  onPreset: (preset: Preset) => void
  onRange: (range: TimeRange) => void
}) {
  const { address, range, zone, onPreset, onRange } = props
  const { t } = useTranslation('history')
  const edit = (edge: keyof TimeRange) => (at: number) => {
    const next = edited(range, edge, at)
    onRange(next)
    return next[edge]
  }
  return (
    <fieldset className="range-bar" aria-label={t('ranges')}>
      <span className="segments">
        {names.map((each) => (
          <button type="button" key={each} aria-pressed={address.preset === each} onClick={() => onPreset(each)}>
            {t(each)}
          </button>
        ))}
      </span>
      <TimeInput label={t('from')} at={range.from} zone={zone} onChange={edit('from')} />
      <span aria-hidden="true">–</span>
      <TimeInput label={t('to')} at={range.to} zone={zone} onChange={edit('to')} />
    </fieldset>
  )
}

/**
 * A time as it is typed; it counts when the field is left, or with Enter. What cannot be read gives way to the time that is shown. The field
 * itself stays when the range changes: the key that left the one field stands in the other.
 */
function TimeInput(props: { label: string; at: number; zone: ZoneClock; onChange: (at: number) => number }) {
  const { label, at, zone, onChange } = props
  const textOf = (moment: number) => new Date(zone.local(moment)).toISOString().slice(0, 19)
  const shown = textOf(at)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (field.current) field.current.value = shown
  }, [shown])
  const take = (input: HTMLInputElement) => {
    const typed = Date.parse(`${input.value}Z`)
    // Compared as times: the browser may write the same one shorter.
    if (typed === Date.parse(`${shown}Z`)) return
    input.value = Number.isNaN(typed) ? shown : textOf(onChange(zone.moment(typed)))
  }
  return (
    <input
      ref={field}
      type="datetime-local"
      step={1}
      max={lastTyped}
      aria-label={label}
      defaultValue={shown}
      onBlur={(event) => take(event.currentTarget)}
      onKeyDown={(event) => event.key === 'Enter' && take(event.currentTarget)}
    />
  )
}

import type { ZoneClock } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import type { HistoryAddress, Preset, TimeRange } from './address.ts'
import { longestMs, presets } from './address.ts'

const names = Object.keys(presets) as Preset[]

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
  const change = (part: Partial<TimeRange>) => {
    const next = { ...range, ...part }
    if (next.to > next.from && next.to - next.from <= longestMs) onRange(next)
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
      <TimeInput key={`from ${range.from}`} label={t('from')} at={range.from} zone={zone} onChange={(from) => change({ from })} />
      <span aria-hidden="true">–</span>
      <TimeInput key={`to ${range.to}`} label={t('to')} at={range.to} zone={zone} onChange={(to) => change({ to })} />
    </fieldset>
  )
}

/** A time as it is typed; it counts when it is complete and the field is left, or with Enter. */
function TimeInput(props: { label: string; at: number; zone: ZoneClock; onChange: (at: number) => void }) {
  const { label, at, zone, onChange } = props
  const shown = new Date(zone.local(at)).toISOString().slice(0, 19)
  const take = (text: string) => {
    const local = Date.parse(`${text}Z`)
    if (text !== shown && !Number.isNaN(local) && local > 0) onChange(zone.moment(local))
  }
  return (
    <input
      type="datetime-local"
      step={1}
      aria-label={label}
      defaultValue={shown}
      onBlur={(event) => take(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Enter' && take(event.currentTarget.value)}
    />
  )
}

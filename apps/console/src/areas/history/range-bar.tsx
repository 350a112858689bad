import type { ZoneClock } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { MomentChoice } from '../../ui/moment-field.tsx'
import type { HistoryAddress, Preset, TimeRange } from './address.ts'
import { edited, presets } from './address.ts'

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
  const edge = (name: keyof TimeRange) => (
    <MomentChoice
      kind="second"
      label={t(name)}
      at={zone.local(range[name])}
      onChoose={(at) => at !== null && onRange(edited(range, name, zone.moment(at)))}
    />
  )
  return (
    <fieldset className="range-bar" aria-label={t('ranges')}>
      <span className="segments">
        {names.map((each) => (
          <button type="button" key={each} aria-pressed={address.preset === each} onClick={() => onPreset(each)}>
            {t(each)}
          </button>
        ))}
      </span>
      {edge('from')}
      <span aria-hidden="true">–</span>
      {edge('to')}
    </fieldset>
  )
}

import { lineRecordings } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../app/net/use-call.ts'
import type { LineRef } from '../../plant/equipment.ts'
import { figure } from '../../ui/format.ts'
import { localised } from '../../ui/i18n.ts'

/** The recording comes with the report after the alarm; the next alarm has one of its own. */
const beforeMs = 2_000
const afterMs = 60_000
const [width, height] = [560, 120]
const againMs = 5_000

/** The current while it arced, sample by sample: flat shoulders around each zero and noise on the crests are what an arc looks like. */
export function ArcWave({ lineRef: { device, line, family }, at }: { lineRef: LineRef; at: number }) {
  const { t } = useTranslation('monitor')
  const { data } = useCall(
    lineRecordings,
    { params: { ControllerID: device.ControllerID, LineNo: line.LineNo }, query: { From: at - beforeMs, To: at + afterMs } },
    { refetchInterval: ({ state }) => (state.data?.items.length ? false : againMs) },
  )
  if (!data) return null
  const [recording] = data.items
  if (!recording) return <p className="mute">{t('arcNoSamples')}</p>
  const { Samples, PerSecond, Unit } = recording
  const label = family?.recordings?.find(({ key }) => key === recording.Key)?.label
  const peak = Samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0) || 1
  const path = Samples.map((sample, index) => {
    const x = (index / Math.max(1, Samples.length - 1)) * width
    const y = height / 2 - (sample / peak) * (height / 2 - 2)
    return `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`
  }).join('')
  return (
    <figure>
      <figcaption>
        {label ? localised(label) : recording.Key} <span className="unit">{Unit}</span>
        <span className="grow" />
        {t('arcPeakOf', { value: figure(peak, 2), ms: Math.round((Samples.length / PerSecond) * 1_000) })}
      </figcaption>
      <svg
        className="wave"
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label ? localised(label) : ''}
      >
        <path className="base" d={`M0 ${height / 2}H${width}`} />
        <path className="line" d={path} />
      </svg>
    </figure>
  )
}

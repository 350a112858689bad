import { lineReadings } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../app/net/use-call.ts'
import type { LineRef } from '../../plant/equipment.ts'
import { barsHeight, QualityBars, QualityLegend } from '../../plant/quality-bars.tsx'
import type { QualityMarks } from '../../plant/quality-marks.ts'
import { qualityMarksOf } from '../../plant/quality-marks.ts'
import { clockTime, figure } from '../../ui/format.ts'
import { localised } from '../../ui/i18n.ts'
import { ArcWave } from './arc-wave.tsx'

const aroundMs = 60_000
/** What is drawn: how much it arced, and the load while it did. */
const drawn = ['arc.halfCycles', 'current.a', 'voltage.a'] as const
/** GB 14287.4: 14 arcing half-cycles in a second must alarm. */
const mustAlarm = 14
const [width, height] = [560, 64]

/** The minute before an arc fault and the minute after it, report by report. */
export function ArcCourse({ lineRef, at }: { lineRef: LineRef; at: number }) {
  const { device, line, family } = lineRef
  const { t } = useTranslation(['monitor', 'app'])
  const { data } = useCall(lineReadings, {
    params: { ControllerID: device.ControllerID, LineNo: line.LineNo },
    query: { From: at - aroundMs, To: at + aroundMs },
  })
  if (!data) return null
  const qualityMarks = qualityMarksOf(data.Rows, data.BucketMs)
  return (
    <div className="arc-course">
      <ArcWave lineRef={lineRef} at={at} />
      {data.Rows.length === 0 && <p className="mute">{t('app:noData')}</p>}
      {drawn.map((key) => {
        const point = family?.points.find((each) => each.key === key)
        const index = data.Points.indexOf(key)
        const values = data.Rows.flatMap(([time, row]) => {
          const value = row[index]
          return value == null ? [] : [[time, value] as const]
        })
        if (!point || values.length === 0) return null
        return (
          <figure key={key}>
            <figcaption>
              {localised(point.label)} <span className="unit">{point.unit}</span>
              <span className="grow" />
              {t('arcPeak', { value: figure(Math.max(...values.map(([, value]) => value)), point.precision) })}
            </figcaption>
            <Course
              values={values}
              qualityMarks={qualityMarks}
              at={at}
              bars={key === 'arc.halfCycles'}
              label={localised(point.label)}
            />
          </figure>
        )
      })}
      <QualityLegend {...qualityMarks} />
      <p className="axis mute">
        <span>{clockTime(at - aroundMs)}</span>
        <span>{clockTime(at)}</span>
        <span>{clockTime(at + aroundMs)}</span>
      </p>
    </div>
  )
}

function Course({
  values,
  qualityMarks,
  at,
  bars,
  label,
}: {
  values: readonly (readonly [number, number])[]
  qualityMarks: QualityMarks
  at: number
  bars: boolean
  label: string
}) {
  const top = Math.max(bars ? mustAlarm : 0, ...values.map(([, value]) => value)) * 1.1 || 1
  const x = (time: number) => ((time - at + aroundMs) / (2 * aroundMs)) * width
  const y = (value: number) => height - (value / top) * height
  const above = barsHeight(qualityMarks)
  const path = bars
    ? values.map(([time, value]) => `M${x(time).toFixed(1)} ${height}V${y(value).toFixed(1)}`).join('')
    : values.map(([time, value], index) => `${index === 0 ? 'M' : 'L'}${x(time).toFixed(1)} ${y(value).toFixed(1)}`).join('')
  return (
    <svg viewBox={`0 ${-above} ${width} ${height + above}`} preserveAspectRatio="none" role="img" aria-label={label}>
      <QualityBars qualityMarks={qualityMarks} x={x} />
      <path className="base" d={`M0 ${height - 0.5}H${width}`} />
      {bars && <path className="limit" d={`M0 ${y(mustAlarm)}H${width}`} />}
      <path className="moment" d={`M${width / 2} 0V${height}`} />
      <path className={bars ? 'bars' : 'line'} d={path} />
    </svg>
  )
}

import type { EventRecord, ZoneClock } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { figure } from '../../ui/format.ts'
import { localised } from '../../ui/i18n.ts'
import { drawnKind, Mark } from '../../ui/mark.tsx'
import { Place } from '../../ui/place.tsx'
import type { TimeRange } from './address.ts'
import { before, indexAt, nearOf } from './nearest.ts'
import type { Drawn, Panel } from './panels.ts'
import { namesOf } from './subject.ts'

/** What every point reported at the cursor. */
export function Readout(props: {
  at: number
  panels: readonly Panel[]
  events: readonly EventRecord[]
  zone: ZoneClock
  previousMs: number
  range: TimeRange
  left: number
}) {
  const { at, panels, events, zone, previousMs, range, left } = props
  const { t } = useTranslation('history')
  const near = nearOf(range.to - range.from)
  const beside = events.filter(({ RaisedAt }) => Math.abs(RaisedAt - at) < near).slice(0, 4)
  const drawn = panels.flatMap((panel) => panel.drawn)
  const half = (at - range.from) / (range.to - range.from) > 0.5
  return (
    <div className={half ? 'readout before' : 'readout'} style={{ left }} role="tooltip">
      <b>{zone.text(Math.floor(at / 1000) * 1000)}</b>
      <table>
        <tbody>
          {drawn.map((each) => (
            <Row key={`${each.series.LineID}:${each.series.Point}`} drawn={each} at={at} near={near} previousMs={previousMs} />
          ))}
        </tbody>
      </table>
      {beside.map((event) => (
        <p key={event.EventID}>
          <Mark kind={event.Key.startsWith('gateway.') ? 'off' : drawnKind(event.Kind)} />
          {localised(event.Label)}
          <span className="mute">{zone.text(event.RaisedAt).slice(5, 19)}</span>
        </p>
      ))}
      {drawn.length === 0 && <p className="mute">{t('gap')}</p>}
    </div>
  )
}

function Row({ drawn, at, near, previousMs }: { drawn: Drawn; at: number; near: number; previousMs: number }) {
  const { t } = useTranslation('history')
  const { series, previous, chosen, colour } = drawn
  const { precision, unit } = chosen.point
  const i = indexAt(series, at, near)
  const [least, most] = i === null ? [null, null] : [series.Min[i] ?? null, series.Max[i] ?? null]
  return (
    <tr>
      <td>
        <i className="key" style={{ background: `var(${colour})` }} />
        <Place names={namesOf(chosen)} between=" " />
      </td>
      <td className="num">
        <b>{figure(i === null ? null : series.Value[i], precision)}</b>
        <span className="unit">{unit}</span>
      </td>
      <td className="num mute">{least !== null && `${figure(least, precision)}–${figure(most, precision)}`}</td>
      {previous && (
        <td className="num mute">
          {t('previous')} {figure(before(drawn, at, previousMs), precision)}
        </td>
      )}
    </tr>
  )
}

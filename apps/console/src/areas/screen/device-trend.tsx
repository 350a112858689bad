import { lineReadings } from '@linewarden/contract'
import type { Family, Point, Quantity } from '@linewarden/equipment'
import { quantityLabels } from '@linewarden/equipment'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/net/api.ts'
import { keyOf } from '../../app/net/keys.ts'
import { useSession } from '../../app/session/session.ts'
import type { LineRef } from '../../plant/equipment.ts'
import type { LimitedPoint } from '../../plant/limited-points.ts'
import { live } from '../../plant/live-store.ts'
import { figure } from '../../ui/format.ts'
import { localised } from '../../ui/i18n.ts'
import { usePhone } from '../../ui/use-media.ts'
import { serverNow, useByNow } from '../../ui/use-now.ts'
import type { TrendSample } from './trend-ring.ts'
import { TrendRing, trendPath } from './trend-ring.ts'
import { wallTime } from './wall-clock.ts'

const windowMs = 15 * 60_000
const everyMs = 60_000
/** Where nothing came for so long nothing is known between. */
const gapMs = 60_000

/** What tells how a device fares, and not what it is there for. */
const upkeep: ReadonlySet<Quantity> = new Set(['battery', 'signal', 'energy', 'count'])

/** What matters most of a family: what it draws, else the first that has a limit, else the first that it measures. */
function shownPoint(family: Family, limits: readonly LimitedPoint[]): Point | undefined {
  const sensed = family.points.filter(({ quantity }) => !upkeep.has(quantity))
  const limited = limits.find(({ point }) => sensed.includes(point))?.point
  return family.points.find(({ key }) => key === 'power.total') ?? limited ?? sensed[0] ?? family.points[0]
}

/** The last quarter of an hour of one point: what is stored, then what comes live. */
export function DeviceTrend({ lineRef, family, limits }: { lineRef: LineRef; family: Family; limits: readonly LimitedPoint[] }) {
  const point = shownPoint(family, limits)
  return point ? <TrendOf key={point.key} lineRef={lineRef} family={family} point={point} limits={limits} /> : null
}

function TrendOf({
  lineRef,
  family,
  point,
  limits,
}: {
  lineRef: LineRef
  family: Family
  point: Point
  limits: readonly LimitedPoint[]
}) {
  const { t } = useTranslation(['screen', 'monitor', 'app'])
  const { project } = lineRef
  const width = usePhone() ? 320 : 980
  const height = usePhone() ? 120 : 168
  const samples = useTrend(lineRef, family.points.indexOf(point))
  const now = useByNow((at) => Math.floor(at / 5_000) * 5_000)
  const from = now - windowMs
  const limit = limits.find((each) => each.point === point && each.level.side === 'over')?.level.value
  const known = samples.flatMap(([, value]) => value ?? [])
  const low = Math.min(0, ...known)
  const high = Math.max(...known, low + 10 ** -point.precision)
  const top = limit !== undefined && limit < high * 1.5 ? Math.max(limit, high) : high
  const y = (value: number) => height - 4 - ((value - low) / (top - low)) * (height - 8)
  const path = trendPath(samples, (at, value) => [((at - from) / windowMs) * width, y(value)], gapMs)
  const name = localised(point.key === 'power.total' ? quantityLabels.power : point.label)
  return (
    <section className="device-trend" aria-label={`${t('monitor:last15')} ${name}`}>
      <h2>
        {t('monitor:last15')}{' '}
        <span>
          {name} {point.unit}
        </span>
      </h2>
      {known.length === 0 ? (
        <p className="mute">{t('app:noData')}</p>
      ) : (
        <>
          <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={name} preserveAspectRatio="none">
            <path className="zero" d={`M0 ${y(Math.max(low, 0))}H${width}`} />
            {limit !== undefined && limit <= top && <path className="limit" d={`M0 ${y(limit)}H${width}`} />}
            <path className="line" d={path} />
          </svg>
          <p className="axis">
            <span>{wallTime(from, project.TimeZone)}</span>
            <span>
              {figure(Math.min(...known), point.precision)} – {figure(Math.max(...known), point.precision)} {point.unit}
            </span>
            <span>{wallTime(now, project.TimeZone)}</span>
          </p>
        </>
      )}
    </section>
  )
}

/** The samples of a point, stored and live, redrawn when one comes. */
function useTrend({ line, device }: LineRef, at: number): readonly TrendSample[] {
  const [ring] = useState(() => new TrendRing())
  const [, redraw] = useState(0)
  const isSeated = useSession(({ seated }) => seated)
  const { data } = useQuery({
    // A wall that a link opened begins with what comes live.
    enabled: !isSeated,
    queryKey: [...keyOf(lineReadings, { params: { ControllerID: device.ControllerID, LineNo: line.LineNo } }), 'wall'],
    queryFn: () => {
      const now = serverNow()
      const params = { ControllerID: device.ControllerID, LineNo: line.LineNo }
      return api.call(lineReadings, { params, query: { From: now - windowMs, To: now + 60_000 } })
    },
    refetchInterval: everyMs,
  })
  useEffect(() => {
    if (!data) return
    ring.begin(
      data.Rows.map(([time, values]): TrendSample => [time, values[at] ?? null]),
      serverNow() + everyMs,
    )
    redraw((count) => count + 1)
  }, [data, ring, at])
  useEffect(
    () =>
      live.subscribeLine(line.LineID, () => {
        const state = live.line(line.LineID)
        if (!state?.At) return
        ring.add([state.At, state.Values[at] ?? null])
        redraw((count) => count + 1)
      }),
    [line.LineID, ring, at],
  )
  return ring.since(serverNow() - windowMs)
}

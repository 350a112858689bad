import type { LineDetails, LineState } from '@linewarden/contract'
import type { Family, LimitAlarm, Point } from '@linewarden/equipment'
import { useTranslation } from 'react-i18next'
import { said } from '../../texts/i18n.ts'
import { figure } from '../../ui/format.ts'
import { ValueCell } from '../../ui/value-cell.tsx'
import { pointSeverity } from './line-condition.ts'

interface Limited {
  readonly point: Point
  readonly value: number | null
  readonly alarm: LimitAlarm
  readonly limit: number
}

/** Values beside the limit that matters most to them, and how far they are from it. */
export function Limits({
  family,
  state,
  settings,
}: {
  family: Family
  state: LineState | undefined
  settings: LineDetails['Settings']
}) {
  const { t } = useTranslation('monitor')
  return (
    <section className="part" aria-label={t('limits')}>
      <h3>{t('limits')}</h3>
      <table className="limits">
        <thead>
          <tr>
            <th>{t('point')}</th>
            <th>{t('now')}</th>
            <th>{t('setting')}</th>
            <th>{t('where')}</th>
          </tr>
        </thead>
        <tbody>
          {limitedPoints(family, state, settings).map(({ point, value, alarm, limit }) => (
            <tr key={`${point.key} ${alarm.key}`}>
              <td>{said(point.label)}</td>
              <td>
                <ValueCell text={figure(value, point.precision)} severity={pointSeverity(state, point.key)} />
                <span className="unit">{point.unit}</span>
              </td>
              <td>
                {alarm.side === 'over' ? '≤' : '≥'} {figure(limit, point.precision)}
                <span className="unit">{point.unit}</span>
              </td>
              <td>
                <Track value={value} limit={limit} over={alarm.side === 'over'} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** The limits of kind "alarm": each by the point that is nearest to it. */
function limitedPoints(family: Family, state: LineState | undefined, settings: LineDetails['Settings']): Limited[] {
  return family.alarms.flatMap((alarm) => {
    if (alarm.on !== 'limit' || alarm.kind !== 'alarm') return []
    const limit = limitOf(alarm, settings)
    if (limit === null) return []
    const candidates = alarm.points.flatMap((key) => {
      const index = family.points.findIndex((point) => point.key === key)
      const point = family.points[index]
      return point ? [{ point, value: state?.Values[index] ?? null, alarm, limit }] : []
    })
    const sign = alarm.side === 'over' ? -1 : 1
    const nearest = candidates.sort(
      (a, b) => sign * ((a.value ?? -sign * Number.MAX_VALUE) - (b.value ?? -sign * Number.MAX_VALUE)),
    )[0]
    return nearest ? [nearest] : []
  })
}

export function limitOf(alarm: LimitAlarm, settings: LineDetails['Settings']): number | null {
  const { limit } = alarm
  if ('value' in limit) return limit.value
  const effective = settings.find(({ Key }) => Key === limit.setting)?.Effective
  return effective == null ? null : effective * limit.share
}

function Track({ value, limit, over }: { value: number | null; limit: number; over: boolean }) {
  const full = over ? limit * 1.25 : limit * 2
  const at = (each: number) => `${Math.max(0, Math.min(1, each / full)) * 100}%`
  return (
    <span className="track" aria-hidden="true">
      <i style={{ left: at(limit) }} />
      {value !== null && <b style={{ left: at(value) }} />}
    </span>
  )
}

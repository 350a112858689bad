import type { LineDetails, LineState } from '@linewarden/contract'
import type { Family } from '@linewarden/equipment'
import { useTranslation } from 'react-i18next'
import { effectiveIn } from '../../plant/effective.ts'
import { limitedPoints } from '../../plant/limited-points.ts'
import { pointSeverity } from '../../plant/line-condition.ts'
import { figure } from '../../ui/format.ts'
import { localised } from '../../ui/i18n.ts'
import { ValueCell } from '../../ui/value-cell.tsx'

/** Values beside the limit that matters most to them, and how far they are from it. */
export function Limits({
  family,
  state,
  settings,
  current,
}: {
  family: Family
  state: LineState | undefined
  settings: LineDetails['Settings']
  /** Whether the values are those of now, and not the last known ones. */
  current: boolean
}) {
  const { t } = useTranslation('monitor')
  const rows = limitedPoints(family, state, effectiveIn(settings))
  if (rows.length === 0) return null
  return (
    <section className="part" aria-label={t('limits')}>
      <h3>
        {t('limits')}
        {!current && <i className="quality">{t('staleMark')}</i>}
      </h3>
      <table className="limits">
        <thead>
          <tr>
            <th>{t('point')}</th>
            <th>{current ? t('now') : t('lastKnown')}</th>
            <th>{t('setting')}</th>
            <th>{t('where')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ point, value, level }) => (
            <tr key={level.key}>
              <td>
                {localised(point.label)}
                <small>{localised(level.label)}</small>
              </td>
              <td>
                <ValueCell text={figure(value, point.precision)} severity={pointSeverity(state, point.key)} />
                <span className="unit">{point.unit}</span>
              </td>
              <td>
                {level.side === 'over' ? '≤' : '≥'} {figure(level.value, point.precision)}
                <span className="unit">{point.unit}</span>
              </td>
              <td>
                <Track value={value} limit={level.value} over={level.side === 'over'} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Track({ value, limit, over }: { value: number | null; limit: number; over: boolean }) {
  // A signal is below zero: its level stands in the middle of twice as much.
  const full = limit < 0 ? 0 : over ? limit * 1.25 : limit * 2
  const least = limit < 0 ? limit * 2 : 0
  const at = (each: number) => `${Math.max(0, Math.min(1, (each - least) / (full - least))) * 100}%`
  return (
    <span className="track" aria-hidden="true">
      <i style={{ left: at(limit) }} />
      {value !== null && <b style={{ left: at(value) }} />}
    </span>
  )
}

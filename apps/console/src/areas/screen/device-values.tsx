import type { LineState } from '@linewarden/contract'
import { lineDetails } from '@linewarden/contract'
import type { Family } from '@linewarden/equipment'
import { quantityLabels } from '@linewarden/equipment'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../app/net/use-call.ts'
import { useSession } from '../../app/session/session.ts'
import { effectiveIn } from '../../plant/effective.ts'
import type { LineRef } from '../../plant/equipment.ts'
import type { LimitedPoint } from '../../plant/limited-points.ts'
import { limitedPoints } from '../../plant/limited-points.ts'
import { conditionOf, pointSeverity } from '../../plant/line-condition.ts'
import { useDeviceLink, useLine } from '../../plant/live-store.ts'
import { useIsOld } from '../../plant/old-values.ts'
import { StateValue } from '../../plant/state-value.tsx'
import { figure } from '../../ui/format.ts'
import { localised } from '../../ui/i18n.ts'
import { ValueCell } from '../../ui/value-cell.tsx'
import { DeviceTrend } from './device-trend.tsx'
import type { PlacedPoint } from './phase-table.ts'
import { phaseTable } from './phase-table.ts'

/** What is set is told seldom, and what is set on site is found so. */
const everyMs = 60_000

/** All that a line measures, each beside the limit that matters most to it, and how it went in the last quarter of an hour. */
export function DeviceValues({ lineRef, family }: { lineRef: LineRef; family: Family }) {
  const { t } = useTranslation(['screen', 'monitor'])
  const { line, device } = lineRef
  const state = useLine(line.LineID)
  const link = useDeviceLink(device.ControllerID) ?? device.Link
  const isOld = useIsOld(line.LineID, family) || conditionOf(state, link.Link, family) === 'offline'
  const params = { ControllerID: device.ControllerID, LineNo: line.LineNo }
  // A wall that a link opened may not ask for it: it has the levels that stand in the tree.
  const isSeated = useSession(({ seated }) => seated)
  const details = useCall(lineDetails, { params }, { refetchInterval: everyMs, enabled: !isSeated })
  const set = details.data ? effectiveIn(details.data.Settings) : (key: string) => line.Settings[key] ?? null
  const table = phaseTable(family)
  const residual = family.points.findIndex(({ quantity }) => quantity === 'residual')
  const limits = limitedPoints(family, state, set)
  return (
    <section className={isOld ? 'device-values old' : 'device-values'} aria-label={t('monitor:values')}>
      {table.rows.length > 0 && <PhaseValues family={family} state={state} />}
      {family.level === 'line' && residual >= 0 && (
        <Residual
          valueMa={state?.Values[residual] ?? null}
          tripMa={line.LeakageTripMa}
          severity={pointSeverity(state, family.points[residual]?.key ?? '')}
        />
      )}
      <dl className="device-points">
        {family.states.map((each) => (
          <div key={each.key}>
            <dt>{localised(each.label)}</dt>
            <dd>
              <StateValue point={each} family={family} state={state} />
            </dd>
          </div>
        ))}
        {table.others.map((each) => (
          <OnePoint key={each.point.key} placed={each} state={state} />
        ))}
      </dl>
      <DeviceTrend lineRef={lineRef} family={family} limits={limits} />
      {limits.length > 0 && <LimitList limits={limits} state={state} />}
    </section>
  )
}

function OnePoint({ placed: { point, at }, state }: { placed: PlacedPoint; state: LineState | undefined }) {
  return (
    <div>
      <dt>{localised(point.label)}</dt>
      <dd>
        <ValueCell text={figure(state?.Values[at], point.precision)} severity={pointSeverity(state, point.key)} />{' '}
        <small>{point.unit}</small>
      </dd>
    </div>
  )
}

function PhaseValues({ family, state }: { family: Family; state: LineState | undefined }) {
  const { t } = useTranslation('screen')
  const { columns, rows } = phaseTable(family)
  return (
    <table className="phases">
      <thead>
        <tr>
          <th scope="col">
            <span className="hidden-visually">{t('quantity')}</span>
          </th>
          {columns.map((phase) => (
            <th key={phase ?? 'all'} scope="col">
              {phase === null ? t('whole') : phase === 'N' ? 'N' : t('phase', { phase })}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ quantity, cells }) => (
          <tr key={quantity}>
            <th scope="row">
              {localised(quantityLabels[quantity])} <small>{cells.find((cell) => cell !== null)?.point.unit}</small>
            </th>
            {cells.map((cell, column) => (
              <td key={columns[column] ?? 'all'}>
                {cell && (
                  <ValueCell
                    text={figure(state?.Values[cell.at], cell.point.precision)}
                    severity={pointSeverity(state, cell.point.key)}
                  />
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Against the trip level, with ticks at 50 and 80 %. */
function Residual({
  valueMa,
  tripMa,
  severity,
}: {
  valueMa: number | null
  tripMa: number | null
  severity: ReturnType<typeof pointSeverity>
}) {
  const share = valueMa === null || tripMa === null || tripMa <= 0 ? 0 : Math.min(1, valueMa / tripMa)
  return (
    <div className="device-residual">
      <span>{localised(quantityLabels.residual)}</span>
      <b>
        <ValueCell text={figure(valueMa, 0)} severity={severity} /> <small>/ {figure(tripMa, 0)} mA</small>
      </b>
      <span className={severity ? `bar abnormal ${severity}` : 'bar'} aria-hidden="true">
        <i style={{ width: `${share * 100}%` }} />
      </span>
    </div>
  )
}

function LimitList({ limits, state }: { limits: readonly LimitedPoint[]; state: LineState | undefined }) {
  const { t } = useTranslation('monitor')
  return (
    <ul className="device-limits" aria-label={t('limits')}>
      {limits.map(({ point, value, level }) => (
        <li key={level.key}>
          <span>{localised(level.label)}</span>
          <ValueCell text={figure(value, point.precision)} severity={pointSeverity(state, point.key)} />
          <em>
            {level.side === 'over' ? '≤' : '≥'} {figure(level.value, point.precision)} {point.unit}
          </em>
        </li>
      ))}
    </ul>
  )
}

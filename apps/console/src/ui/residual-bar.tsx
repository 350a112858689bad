import type { AlarmKind } from '@linewarden/equipment'
import { figure } from './format.ts'
import { ValueCell } from './value-cell.tsx'
import './residual-bar.css'

/** Residual current against the trip level: the full length is the level, ticks at 50 and 80 %. */
export function ResidualBar({
  valueMa,
  tripMa,
  severity,
}: {
  valueMa: number | null
  tripMa: number | null
  severity: AlarmKind | null
}) {
  const share = valueMa === null || tripMa === null ? 0 : Math.min(1, valueMa / tripMa)
  return (
    <span className="residual">
      <ValueCell text={figure(valueMa, 0)} severity={severity} />
      <span className={severity ? `bar abnormal ${severity}` : 'bar'} aria-hidden="true">
        <i style={{ width: `${share * 100}%` }} />
      </span>
      <span className="trip">{figure(tripMa, 0)}</span>
    </span>
  )
}

import type { Severity } from '../../plant/line-condition.ts'
import { figure } from '../../ui/format.ts'

/** A value against its level: the thick edge is the level; beside it, the level in figures. */
export function LevelBar({
  value,
  level,
  side,
  severity,
  precision,
}: {
  value: number | null
  level: number
  side: 'over' | 'under'
  severity: Severity | null
  precision: number
}) {
  const share = value === null || level <= 0 ? 0 : Math.max(0, Math.min(1, value / level))
  return (
    <span className="level">
      {side === 'over' && level > 0 && (
        <span className={severity ? `bar abnormal ${severity}` : 'bar'} aria-hidden="true">
          <i style={{ width: `${share * 100}%` }} />
        </span>
      )}
      <span className="mute">
        {side === 'over' ? '≤' : '≥'} {figure(level, Number.isInteger(level) ? 0 : precision)}
      </span>
    </span>
  )
}

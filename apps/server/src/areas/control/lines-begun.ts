import type { PlantLine } from '../../plant/plant.ts'
import { fencesOf } from '../../store/control/command.ts'
import type { Database } from '../../store/core/database.ts'

interface Position {
  readonly position: string | undefined
  readonly since: number | null
}

/** How lines stood when somebody began to close them. */
export type PositionsBefore = ReadonlyMap<number, Position>

/** How lines stood when it began, and what had been ordered of them: who trips one from there on keeps it open. */
export interface LinesBegun {
  readonly before: PositionsBefore
  /** Whichever server orders a trip, and by whatever clock, it is behind these. */
  readonly fences: ReadonlyMap<number, number>
}

const positionOf = ({ states, positionSince }: PlantLine): Position => ({
  position: states.get('position'),
  since: positionSince,
})

export const positionsNow = (lines: readonly PlantLine[]): PositionsBefore =>
  new Map(lines.map((line) => [line.id, positionOf(line)]))

/** The positions first: what opens while the fences are read is found by them. */
export async function linesBegun({ control }: Database, lines: readonly PlantLine[]): Promise<LinesBegun> {
  const before = positionsNow(lines)
  const ids = lines.map(({ id }) => id)
  return { before, fences: ids.length === 0 ? new Map() : await fencesOf(control, ids) }
}

/** Whether a line has come to stand open since: seen to be closed before, or opened by hand in between, whatever its clock says. */
export function wasOpened(line: PlantLine, before: Position | undefined, startedAt: number): boolean {
  const now = positionOf(line)
  if (now.position !== 'open') return false
  if (before?.position === 'closed') return true
  const isSame = before?.position === 'open' && before.since === now.since && (now.since ?? startedAt) <= startedAt
  return !isSame && line.states.get('trip.cause') === 'manual'
}

import type { GroupLineState } from '../control/group-operation.ts'
import type { CommandState } from '../control/life.ts'
import { isUnderWay } from '../control/life.ts'
import { runEnd } from './run.ts'

/** What becomes of the closes of a scene that are still to come after one that was refused, or did not close. */
export const ifRefusedModes = ['goOn', 'stopCloses'] as const
export type IfRefused = (typeof ifRefusedModes)[number]

/** A line of a run: what became of its turn, and of its command where it has one. */
export interface RunLine {
  readonly state: GroupLineState
  readonly command: CommandState | null
}

/** Whether a line was done as it was meant: its position was reported so after the order, or was so already. */
export const isAsMeant = ({ state, command }: RunLine): boolean => state === 'skipped' || command === 'verified'

/** Whether nothing more is to be awaited of a line; `unknown` is an outcome, though a late report may still mend it. */
export const isOver = ({ state, command }: RunLine): boolean => state !== 'waiting' && (command === null || !isUnderWay(command))

/** How a scene's run ended. `done` only where each line is reported to stand as it was meant: an order that was sent proves nothing. */
export const sceneRunEnd = (lines: readonly RunLine[]): ReturnType<typeof runEnd> => outerRunEnd([], lines)

/** How a run ended that operated lines of its own and ran scenes with these. */
export function outerRunEnd(own: readonly GroupLineState[], ofScenes: readonly RunLine[]): ReturnType<typeof runEnd> {
  const end = runEnd([...own, ...ofScenes.map(({ state }) => state)])
  return end === 'done' && !ofScenes.every(isAsMeant) ? 'partly' : end
}

import { fresh } from '../control/conditions.ts'
import type { LineFacts } from '../control/line-facts.ts'
import type { SceneAction } from './override.ts'

/** How a line stands against a scene, by the position that its equipment reports. What is not known counts as neither. */
export const sceneMatches = ['inForce', 'mismatch', 'unknown'] as const
export type SceneMatch = (typeof sceneMatches)[number]

/** Old values, and those of equipment that is away, say nothing of now. */
export function sceneMatch(
  action: SceneAction,
  line: Pick<LineFacts, 'link' | 'reach' | 'position' | 'liveReceivedAt'>,
  now: number,
): SceneMatch {
  const isKnown = line.link === 'online' && line.reach !== 'device_gone' && fresh(line, now).met
  if (!isKnown || line.position === null) return 'unknown'
  return line.position === (action === 'close' ? 'closed' : 'open') ? 'inForce' : 'mismatch'
}

import { fresh, isProtection } from '../control/conditions.ts'
import type { LineFacts } from '../control/line-facts.ts'
import type { SceneAction } from './override.ts'

/** How a line stands against a scene, by the position that its equipment reports. What is not known counts as neither. */
export const sceneMatches = ['inForce', 'mismatch', 'unknown'] as const
export type SceneMatch = (typeof sceneMatches)[number]

/** How the switch of a line is drawn: by what its equipment reports now, never by what was ordered. */
export const drawnSwitches = ['closed', 'open', 'tripped', 'unknown', 'offline'] as const
export type DrawnSwitch = (typeof drawnSwitches)[number]

type ReportedLine = Pick<LineFacts, 'link' | 'reach' | 'position' | 'liveReceivedAt'>

export function drawnSwitch(line: ReportedLine & Pick<LineFacts, 'tripCause'>, now: number): DrawnSwitch {
  const { link, reach, position, tripCause } = line
  if (link === 'offline' || link === 'never' || reach === 'device_gone') return 'offline'
  if (position === null || !isKnown(line, now)) return 'unknown'
  return position === 'open' && tripCause !== null && isProtection(tripCause) ? 'tripped' : position
}

/** Old values, and those of equipment that is away, say nothing of now. */
export function sceneMatch(action: SceneAction, line: ReportedLine, now: number): SceneMatch {
  if (line.position === null || !isKnown(line, now)) return 'unknown'
  return line.position === (action === 'close' ? 'closed' : 'open') ? 'inForce' : 'mismatch'
}

const isKnown = (line: ReportedLine, now: number): boolean =>
  line.link === 'online' && line.reach !== 'device_gone' && fresh(line, now).met

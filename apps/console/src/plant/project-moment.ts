import { dayMs } from '@linewarden/equipment'
import { civilZone } from '@linewarden/rules/automation'
import { momentIn, momentText } from '../ui/moment-text.ts'

/** An instant as a field has it, on the clock of a project. */
export const projectMoment = (at: number, timeZone: string): string => momentText('minute', civilZone(timeZone).wallAt(at))

/** The instant that somebody has written on that clock, Unix ms; null: no such time, or the clock skips it. */
export function projectMomentIn(text: string, timeZone: string): number | null {
  const wall = momentIn('minute', text)
  if (wall === null) return null
  const day = Math.floor(wall / dayMs)
  const resolved = civilZone(timeZone).resolve(day, Math.round((wall - day * dayMs) / 1_000))
  return resolved && resolved.clock !== 'gap' ? resolved.at : null
}

import type { StateReport } from './evidence.ts'

/** What a reported position makes of a line whose openings are watched. */
export interface PositionStep {
  /** Seen closed in this session of its gateway and its device: only then can it be seen to open. */
  readonly seenClosed: boolean
  /** `ends`: what was known of the opening before is over. */
  readonly opening: 'begins' | 'ends' | 'goesOn'
}

/** A birth tells how the line stands since some time while nobody looked: it begins nothing, and ends what was watched. */
export function positionStep(seenClosed: boolean, { value, first }: Pick<StateReport, 'value' | 'first'>): PositionStep {
  if (value === 'closed') return { seenClosed: true, opening: 'ends' }
  if (first) return { seenClosed: false, opening: 'ends' }
  return { seenClosed: false, opening: seenClosed && value === 'open' ? 'begins' : 'goesOn' }
}

/** The cause that is newly reported of an opening; a later one corrects the one that is known. Null: nothing new is. */
export const newCause = (known: string | null, reported: string | undefined): string | null =>
  reported === undefined || reported === 'none' || reported === known ? null : reported

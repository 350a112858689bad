import type { CommandFact } from './command.ts'
import type { StateReport } from './evidence.ts'

/**
 * Whether a report ends the supervision of a line that was to stay closed: it is reported other than closed, or reported anew by a birth, also of a
 * device that was born again while its gateway stayed.
 */
export const endsSupervision = ({ state, value, first }: Pick<StateReport, 'state' | 'value' | 'first'>): boolean =>
  state === 'position' && (first || value !== 'closed')

/** A supervised line that has just told values without a word of its position. Times in Unix ms. */
export interface SupervisedTest {
  /** When the test reported its trip time; null: it has not. */
  readonly measuredAt: number | null
  readonly deadline: number
  readonly position: string | null
  /** Nothing that could have told an opening was lost or came late. */
  readonly positionValid: boolean
  /** Device time of its newest values, and when they were received. */
  readonly liveAt: number | null
  readonly receivedAt: number | null
}

/**
 * What values prove of a self-test where equipment reports its position only when it changes: that the line is still closed. Without a trip
 * time nobody says that the test was done, and until the deadline its opening may still be on its way.
 */
export function stillClosed(test: SupervisedTest): CommandFact | null {
  const { measuredAt, deadline, position, positionValid, liveAt, receivedAt } = test
  if (position !== 'closed' || !positionValid) return null
  if (measuredAt === null || liveAt === null || receivedAt === null || liveAt <= deadline) return null
  return { kind: 'position', value: 'closed', measuredAt, deviceAt: liveAt, at: receivedAt }
}

import { dayMs, hourMs } from '@linewarden/equipment'

/** A session of a wall lasts a day: then it shows its secret again, and is given the next one. */
export const seatSessionMs = dayMs
const rotateAfterMs = 23 * hourMs
/** How long the secret before is good, beside the one that replaced it. */
const previousGoodMs = dayMs
const idleMs = 30 * dayMs
/** A wall says that it is there every half minute: four times nothing is no chance. */
const silentMs = 120_000

export interface LinkLife {
  /** Unix ms; null: it was not, or never by itself. */
  readonly revokedAt: number | null
  readonly hardUntil: number | null
}

export interface SeatLife {
  /** When its secret was last replaced, and when it was last heard; Unix ms. */
  readonly rotatedAt: number
  readonly lastBeat: number
  readonly endedWhy: SeatEnd | null
}

/** Why a seat is over. */
export type SeatEnd = 'revoked' | 'taken' | 'idle' | 'expired'

/** Why a link opens nothing; null: it does. */
export const linkOver = ({ revokedAt, hardUntil }: LinkLife, now: number): 'revoked' | 'expired' | null =>
  revokedAt !== null ? 'revoked' : hardUntil !== null && now >= hardUntil ? 'expired' : null

/** Why a seat shows nothing any more; null: it does. A wall that hangs and speaks is never over by itself, unless its link is. */
export const seatOver = (link: LinkLife, { lastBeat, endedWhy }: Omit<SeatLife, 'rotatedAt'>, now: number): SeatEnd | null =>
  endedWhy ?? linkOver(link, now) ?? (now - lastBeat >= idleMs ? 'idle' : null)

/** What comes of a secret: `keep` and `rotate` let it in, the one with the next secret; of the one before only for a while. */
export function secretShown(which: 'current' | 'previous', rotatedAt: number, now: number): 'keep' | 'rotate' | 'wrong' {
  const age = now - rotatedAt
  if (which === 'previous') return age < previousGoodMs ? 'rotate' : 'wrong'
  return age >= rotateAfterMs ? 'rotate' : 'keep'
}

/** Whoever was heard last then or before is silent; null: nobody is yet, because nobody could say anything before the server was there. */
export const silentSince = (serverSince: number, now: number): number | null =>
  now - serverSince < silentMs ? null : now - silentMs

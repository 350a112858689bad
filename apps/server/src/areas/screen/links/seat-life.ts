import type { LinkLife, SeatLife } from '@linewarden/rules/screen'
import type { LinkRow } from '../../../store/screen/link.ts'
import type { SeatRow } from '../../../store/screen/seat.ts'

/** What the rules ask of stored links and seats. */
export const lifeOf = {
  link: ({ revoked_at, hard_until }: LinkRow): LinkLife => ({
    revokedAt: revoked_at?.getTime() ?? null,
    hardUntil: hard_until?.getTime() ?? null,
  }),
  seat: ({ rotated_at, last_beat, ended_why }: SeatRow): SeatLife => ({
    rotatedAt: rotated_at.getTime(),
    lastBeat: last_beat.getTime(),
    endedWhy: ended_why,
  }),
} as const

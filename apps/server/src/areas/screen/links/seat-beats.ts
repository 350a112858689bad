import type { Reply, Request, screenBeat } from '@linewarden/contract'
import type { Actor } from '../../../access/actor.ts'
import type { Database } from '../../../store/core/database.ts'
import { saveBeat } from '../../../store/screen/seat.ts'

export type SeatBeats = ReturnType<typeof createSeatBeats>

/** Walls that say that they are there. */
export function createSeatBeats({ database, clock }: { database: Database; clock: () => number }) {
  return {
    async take({ accountId, address }: Actor, state: Request<typeof screenBeat>['body']): Promise<Reply<typeof screenBeat>> {
      const Now = clock()
      await saveBeat(database.general, accountId, { state, address, now: Now })
      return { Now }
    },
  }
}

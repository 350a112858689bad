import { setTimeout as pause } from 'node:timers/promises'
import type { Actor } from '../../access/actor.ts'
import type { AutomationDeps } from './deps.ts'

/** So long after one another it is tried again. */
const retriesMs = [250, 500, 1_000]

/** The owner of a timer with the rights of now; null: gone, or it cannot be read who that is. A server that stood still, or whose database did, can in a moment. */
export async function ownerNow(actorNow: AutomationDeps['actorNow'], accountId: string): Promise<Actor | null> {
  for (const retryMs of [...retriesMs, null])
    try {
      return await actorNow({ accountId, sessionId: '', address: '' })
    } catch {
      if (retryMs !== null) await pause(retryMs)
    }
  return null
}

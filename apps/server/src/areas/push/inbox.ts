import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import { every } from '../../lib/every.ts'
import { donePushes, waitingPushes } from '../../store/push/push.ts'
import type { DeliveryDeps } from './delivery.ts'
import { createDelivery } from './delivery.ts'

const atOnce = 200
const lookAgainMs = 5_000

export interface PushDeps extends DeliveryDeps {
  readonly log: Logger
}

/**
 * Works off what was accepted, oldest first. A message is done only after its readings are committed, so that one that was accepted survives
 * anything; it may be read twice then, which changes nothing, because a line has one row per device time.
 */
export function startInbox(deps: PushDeps) {
  const { database, clock, log } = deps
  const { deliver } = createDelivery(deps)
  let closing = false
  let again = false
  const loop = every(lookAgainMs, workOff, { log, failed: 'pushed messages could not be processed; it will be tried again' })
  poke()
  return {
    poke,
    /** Resolves when everything that waits now is done. */
    drained: () => loop.settled(),
    async close(): Promise<void> {
      closing = true
      // The database may stay away; what is not done stays in the inbox.
      await Promise.race([loop.close(), wait(5_000, undefined, { ref: false })])
    },
  }

  function poke(): void {
    again = true
    if (!closing) void loop.tick()
  }

  async function workOff(): Promise<void> {
    try {
      again = true
      while (again && !closing) await workOffNext()
    } catch (error) {
      // What is not done when the server stops is no failure.
      if (!closing) throw error
    }
  }

  async function workOffNext(): Promise<void> {
    again = false
    const waiting = await waitingPushes(database, atOnce)
    if (waiting.length === 0) return
    again = true
    const done: { inboxId: string; pushId: number; setAside: boolean; committed: Promise<void> }[] = []
    // One after the other into ingest, so that a detector's reports stay in order; their commit is awaited together.
    for (const each of waiting) {
      const { committed, setAside } = await deliver(each)
      done.push({ inboxId: each.inboxId, pushId: each.push.push_id, setAside, committed })
    }
    await Promise.all(done.map(({ committed }) => committed))
    await donePushes(database, done, new Date(clock()))
  }
}

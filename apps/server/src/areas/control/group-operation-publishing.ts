import { setTimeout as pause } from 'node:timers/promises'
import type { Hub } from '../../plant/hub.ts'
import type { Plant } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import { publishGroupOperation } from './group-operation-records.ts'

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly hub: Hub
}

/** Hundreds of lines move many times a second, and each time the whole group is read: no more often than somebody can follow it. */
const spaceMs = 250

/** Tells whoever watches, and then those who follow it here, how a group operation stands: at once, and once more after whatever came meanwhile. */
export function createPublishing(deps: Deps) {
  const followers = new Set<(operationId: string) => void>()
  /** Those that are being published, and whether they have gone on since. */
  const underWay = new Map<string, boolean>()
  const closing = new AbortController()
  return {
    /** Resolves when it was published, or whoever does it will once more. */
    publish: (operationId: string) => spaced(operationId, published),
    /** The same for those alone who follow it here: nobody watches the group that a timer or a linkage operates. */
    notify: (operationId: string) => spaced(operationId, notified),
    follow: (follower: (operationId: string) => void) => void followers.add(follower),
    close: () => closing.abort(),
  }

  async function spaced(operationId: string, work: (operationId: string) => Promise<void>): Promise<void> {
    if (underWay.has(operationId)) {
      underWay.set(operationId, true)
      return
    }
    underWay.set(operationId, false)
    await work(operationId)
    if (underWay.get(operationId)) void again(operationId, work)
    else underWay.delete(operationId)
  }

  async function published(operationId: string): Promise<void> {
    await publishGroupOperation(deps, operationId)
    await notified(operationId)
  }

  async function notified(operationId: string): Promise<void> {
    for (const follow of followers) follow(operationId)
  }

  async function again(operationId: string, work: (operationId: string) => Promise<void>): Promise<void> {
    while (underWay.get(operationId) && !closing.signal.aborted) {
      await pause(spaceMs, undefined, { signal: closing.signal, ref: false }).catch(() => {})
      if (closing.signal.aborted) break
      underWay.set(operationId, false)
      await work(operationId)
    }
    underWay.delete(operationId)
  }
}

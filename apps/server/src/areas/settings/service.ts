import { randomUUID } from 'node:crypto'
import type { SettingTarget } from '@linewarden/contract'
import type { Logger } from 'pino'
import type { Actor } from '../../access/actor.ts'
import type { Ingest } from '../../field/ingest.ts'
import type { Hub } from '../../plant/hub.ts'
import type { Plant, PlantLine } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import { createAnalysis } from './analysis.ts'
import { startExpiry } from './expiry.ts'
import { createHistory } from './history.ts'
import { Orders } from './orders.ts'
import { Placing } from './placing.ts'
import { lineSeen } from './records.ts'
import { createSettingDispatcher } from './setting-dispatcher.ts'
import { createTemplates } from './templates.ts'

export type Settings = Awaited<ReturnType<typeof createSettings>>

export interface SettingsDeps {
  readonly database: Database
  readonly plant: Plant
  readonly hub: Hub
  readonly ingest: Pick<Ingest, 'send' | 'sendInterval' | 'reach' | 'note'>
  readonly grants: { take(sessionId: string, grant: string, operation: string): Promise<boolean> }
  readonly clock: () => number
  readonly log: Logger
}

/** Settings of lines and gateways: ordered, proven, kept, compared, taken back. */
export async function createSettings(deps: SettingsDeps) {
  const { database, plant, hub, ingest, grants, clock, log } = deps
  const dispatcher = createSettingDispatcher({
    database,
    plant,
    hub,
    ingest,
    clock,
    log,
    onSettled: (change) => expiry.onSettled(change),
  })
  const orders = new Orders({ database, plant, dispatcher, clock })
  const analysis = createAnalysis({ database, plant, dispatcher, clock })
  const templates = createTemplates({ database, clock })
  const expiry = startExpiry({ database, plant, orders, note: ingest.note, newId: randomUUID, clock, log })
  await dispatcher.start()

  return {
    placing: new Placing({ database, plant, grants, templates, clock }, orders),
    history: createHistory({ database, plant, dispatcher }),
    templates,
    /** Settings of a line that an order may have changed, without the equipment having reported so. */
    unconfirmed: (line: PlantLine): ReadonlySet<string> => dispatcher.unconfirmed(line.device.gateway.id, line.id),
    analyse: (actor: Actor, targets: readonly SettingTarget[]) =>
      analysis.of(
        targets.flatMap((each) => lineSeen(plant, actor, each) ?? []),
        actor,
      ),

    /** Moves time on: open orders, and protections that are to come back. Runs by itself. */
    async tick(): Promise<void> {
      await dispatcher.tick()
      await dispatcher.sweep()
      await expiry.tick()
    },
    async close(): Promise<void> {
      await expiry.close()
      await dispatcher.close()
    },
  }
}

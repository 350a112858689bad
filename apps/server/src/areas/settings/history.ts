import type { List, Reply, Request, SettingChange, SettingStep, settingHistory, settingSteps } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import { seenBy } from '../../access/seen.ts'
import type { Plant } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import * as stored from '../../store/settings/setting-change.ts'
import { stepsOfChange } from '../../store/settings/setting-step.ts'
import { changeRecord, lineSeen } from './records.ts'
import type { SettingDispatcher } from './setting-dispatcher.ts'

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly dispatcher: SettingDispatcher
}

/** What was ever set, and what happened to each order. */
export function createHistory({ database, plant, dispatcher }: Deps) {
  return {
    async list(actor: Actor, body: Request<typeof settingHistory>['body']): Promise<List<SettingChange>> {
      const line = body.Target ? lineSeen(plant, actor, body.Target) : null
      if (body.Target && !line) throw new Refusal('device not exists')
      const filter = {
        seen: seenBy(actor, plant),
        lineId: line?.id ?? null,
        batchId: body.BatchID ?? null,
        off: body.Off ?? false,
        page: body.Page ?? 1,
        size: body.Size ?? 10,
        sort: body.Sort,
      }
      const { changes, total } = await withRowSecurity(database, actor.scope, (db) => stored.listChanges(db, filter))
      return { items: changes.map((change) => changeRecord(dispatcher.present(change), plant)), total }
    },

    /** What happened to one change, step by step. */
    async steps(actor: Actor, commandId: string): Promise<Reply<typeof settingSteps>> {
      return withRowSecurity(database, actor.scope, async (db) => {
        const [change] = await stored.changesById(db, [commandId])
        const gateway = change && plant.gateways.get(change.gatewayId)
        if (!change || !gateway || !actor.seesGateway(gateway)) throw new Refusal('change not exists')
        const steps = await stepsOfChange(db, commandId)
        return {
          Change: changeRecord(dispatcher.present(change), plant),
          Steps: steps.map(({ state, at, evidence }) => ({ State: state as SettingStep['State'], At: at, Evidence: evidence })),
        }
      })
    },
  }
}

import { randomUUID } from 'node:crypto'
import type {
  List,
  Reply,
  SettingChange,
  SettingIntent,
  SettingSource,
  SettingStep,
  settingHistory,
  settingSteps,
  TargetResult,
} from '@linewarden/contract'
import { Refusal, type Request, settingOperation } from '@linewarden/contract'
import { mayHaveTaken, reportingInterval, settingAt } from '@linewarden/rules/settings'
import type { Logger } from 'pino'
import type { Actor } from '../../access/actor.ts'
import { seenBy } from '../../access/seen.ts'
import { tenantOfLine } from '../../audit/audited.ts'
import type { Ingest } from '../../field/ingest.ts'
import { KeyedMutex } from '../../lib/serial.ts'
import type { Hub } from '../../plant/hub.ts'
import type { Plant, PlantDevice, PlantGateway, PlantLine } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import * as stored from '../../store/settings/setting-change.ts'
import { createAnalysis } from './analysis.ts'
import { startExpiry } from './expiry.ts'
import type { Intent, Order, Undo } from './orders.ts'
import { auditRefused, commandIdOf, createOrders } from './orders.ts'
import { changeRecord, targetResult } from './records.ts'
import { createSettingDispatcher } from './setting-dispatcher.ts'
import { createTemplates } from './templates.ts'
import { isThreePhase } from './validate.ts'

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

/** What every call that sets something carries. */
interface Why {
  readonly Reason: string
  readonly Grant?: string
  readonly OffUntil?: number
}
type One = Why & { readonly CommandID: string }
type Many = Why & { readonly BatchID: string }
type Pairs = readonly { readonly Key: string; readonly Value: number }[]
interface Target {
  readonly ControllerID: string
  readonly LineNo: number
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
  const placing = new KeyedMutex()
  const orders = createOrders({ database, plant, dispatcher, clock })
  const analysis = createAnalysis({ database, plant, dispatcher, clock })
  const templates = createTemplates({ database, clock })
  const expiry = startExpiry({ database, plant, orders, note: ingest.note, newId: randomUUID, clock, log })
  await dispatcher.start()

  return {
    templates,
    /** Settings of a line that an order may have changed, without the equipment having said so. */
    unconfirmed: (line: PlantLine): ReadonlySet<string> => dispatcher.unconfirmed(line.device.gateway.id, line.id),
    analyse: (actor: Actor, targets: readonly Target[]) =>
      analysis.of(
        targets.flatMap((each) => lineOf(actor, each) ?? []),
        actor,
      ),

    setLine: (actor: Actor, line: PlantLine, settings: Pairs, why: One) => setOne(actor, line, wantedOf(settings), why),

    setStatus(actor: Actor, line: PlantLine, { type, attr }: { type: string; attr: string }, value: number, why: One) {
      const setting = settingAt(line.device.family, type, attr)
      if (!setting) throw new Refusal('setting unknown', { key: `${type}/${attr}` })
      return setOne(actor, line, { [setting.key]: value }, why)
    },

    /** By the detectors' own calls. A detector is its own line. */
    setDetector(actor: Actor, device: PlantDevice, settings: Readonly<Record<string, number | undefined>>, why: One) {
      const line = device.lines.get(0)
      if (!line) throw new Refusal('device not exists')
      const wanted = Object.fromEntries(
        Object.entries(settings).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
      )
      return setOne(actor, line, wanted, why)
    },

    setThreeLine(actor: Actor, line: PlantLine, settings: Pairs, why: One) {
      if (!isThreePhase(line.device)) throw new Refusal('not three-phase')
      return setOne(actor, line, wantedOf(settings), why)
    },

    setInterval(actor: Actor, gateway: PlantGateway, seconds: number, why: One) {
      const settings = { [reportingInterval.key]: seconds }
      return placeOne(actor, { line: null, gateway, wanted: settings }, { gateway: gateway.id, settings }, why)
    },

    setDevice(actor: Actor, device: PlantDevice, settings: Pairs, why: Many) {
      const targets = [...device.lines.keys()].map((LineNo) => ({ ControllerID: device.controllerId, LineNo }))
      const meant = { device: device.controllerId, settings: wantedOf(settings) }
      return placeMany(actor, targets, meant, why, 'console', null)
    },

    async setLines(actor: Actor, targets: readonly Target[], settings: Pairs, templateId: number | null, why: Many) {
      const template = templateId === null ? null : await templates.byId(actor, templateId)
      // The history says that it came from there: then it is what stands there.
      const isOfIt = ({ Key, Value }: Pairs[number]) => template?.settings[Key] === Value
      if (template && !settings.every(isOfIt)) throw new Refusal('changed meanwhile')
      const meant = { lines: targets, settings: wantedOf(settings) }
      return placeMany(actor, targets, meant, why, template ? 'template' : 'copy', template?.name ?? null)
    },

    /** Takes one change back: the same path, the former values. What was set since by another is not overwritten unseen. */
    async undo(actor: Actor, changeId: string, seen: Pairs, why: One): Promise<SettingChange> {
      const [change] = await stored.changesById(database, [changeId])
      const gateway = change && plant.gateways.get(change.gatewayId)
      const line = change?.lineId ? (plant.lines.get(change.lineId) ?? null) : null
      if (!change || !gateway || !actor.seesGateway(gateway) || (change.lineId !== null && !line))
        throw new Refusal('change not exists')
      if (!mayHaveTaken.some((state) => state === change.state)) throw new Refusal('change not done')
      const wanted = Object.fromEntries(
        Object.entries(change.former).map(([key, value]) => {
          if (value === null) throw new Refusal('nothing to restore')
          return [key, value]
        }),
      )
      return placeOne(actor, { line, gateway, wanted }, { undoes: changeId }, why, {
        change,
        seen: new Map(seen.map(({ Key, Value }) => [Key, Value])),
      })
    },

    async history(actor: Actor, body: Request<typeof settingHistory>['body']): Promise<List<SettingChange>> {
      const line = body.Target ? lineOf(actor, body.Target) : null
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
        const steps = await stored.stepsOfChange(db, commandId)
        return {
          Change: changeRecord(dispatcher.present(change), plant),
          Steps: steps.map(({ state, at, evidence }) => ({ State: state as SettingStep['State'], At: at, Evidence: evidence })),
        }
      })
    },

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

  function lineOf(actor: Actor, { ControllerID, LineNo }: Target): PlantLine | null {
    const line = plant.lineAt(ControllerID, LineNo)
    return line && actor.seesGateway(line.device.gateway) ? line : null
  }

  function intentOf(actor: Actor, batchId: string, meant: SettingIntent, why: Why, source: SettingSource): Intent {
    return {
      orderer: actor,
      batchId,
      source,
      reason: why.Reason,
      offUntil: why.OffUntil ?? null,
      template: null,
      undoes: null,
      undo: null,
      restores: [],
      async proveOrderer() {
        if (!actor.hasControlPassword) return
        if (why.Grant === undefined) throw new Refusal('control grant missing')
        const operation = settingOperation(batchId, { ...meant, OffUntil: why.OffUntil })
        if (!(await grants.take(actor.sessionId, why.Grant, operation))) throw new Refusal('control grant over')
      },
    }
  }

  function setOne(actor: Actor, line: PlantLine, settings: Readonly<Record<string, number>>, why: One): Promise<SettingChange> {
    const lines = [{ ControllerID: line.device.controllerId, LineNo: line.lineNo }]
    return placeOne(actor, { line, gateway: line.device.gateway, wanted: settings }, { lines, settings }, why)
  }

  /** One press that goes out twice uses up one grant: the second copy finds the changes of the first. */
  function place(intent: Intent, placed: readonly Order[]): ReturnType<typeof orders.place> {
    return placing.run(intent.batchId, () => orders.place(intent, placed))
  }

  async function placeOne(
    actor: Actor,
    order: Omit<Order, 'commandId'>,
    meant: SettingIntent,
    why: One,
    undo: Undo | null = null,
  ): Promise<SettingChange> {
    const intent = {
      ...intentOf(actor, why.CommandID, meant, why, undo ? 'undo' : 'console'),
      undo,
      undoes: undo?.change.commandId ?? null,
    }
    const [outcome] = await place(intent, [{ ...order, commandId: why.CommandID }])
    if (!outcome || outcome instanceof Refusal) throw outcome ?? new Refusal('failed')
    return outcome
  }

  /** Each target answers for itself; what cannot be set on one stops none of the others. */
  async function placeMany(
    actor: Actor,
    targets: readonly Target[],
    meant: Extract<SettingIntent, { readonly settings: object }>,
    why: Many,
    source: SettingSource,
    template: string | null,
  ): Promise<List<TargetResult>> {
    const intent = { ...intentOf(actor, why.BatchID, meant, why, source), template }
    const wanted = meant.settings
    const found = new Map<PlantLine, Order>()
    for (const target of targets) {
      const line = lineOf(actor, target)
      if (line) found.set(line, { line, gateway: line.device.gateway, wanted, commandId: commandIdOf(why.BatchID, line.id) })
    }
    const placed = [...found.values()]
    const outcomes = await place(intent, placed)
    const byLine = new Map(placed.map(({ line }, index) => [line, outcomes[index]]))
    const items = targets.map((target) => {
      const line = lineOf(actor, target)
      return targetResult(target, (line && byLine.get(line)) ?? new Refusal('device not exists'))
    })
    const refused = items.flatMap(({ Refused, ...target }) => {
      if (!Refused) return []
      const line = lineOf(actor, target)
      const tenant = line ? tenantOfLine(line) : actor.tenant
      return [{ target: `${target.ControllerID}/${target.LineNo}`, why: Refused.Message, tenant }]
    })
    await auditRefused(database, intent, refused, clock())
    return { items, total: items.length }
  }
}

const wantedOf = (settings: Pairs): Record<string, number> => Object.fromEntries(settings.map(({ Key, Value }) => [Key, Value]))

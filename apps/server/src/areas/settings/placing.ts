import type { List, SettingChange, SettingIntent, SettingSource, SettingTarget, TargetResult } from '@linewarden/contract'
import { Refusal, settingOperation } from '@linewarden/contract'
import { mayHaveTaken, reportingInterval, settingAt } from '@linewarden/rules/settings'
import type { Actor } from '../../access/actor.ts'
import { tenantOfLine } from '../../audit/audited.ts'
import { KeyedMutex } from '../../lib/serial.ts'
import type { Plant, PlantDevice, PlantGateway, PlantLine } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import * as stored from '../../store/settings/setting-change.ts'
import type { Intent, Order, Undo } from './intent.ts'
import { commandIdOf } from './intent.ts'
import { auditRefused } from './order-audit.ts'
import type { Orders } from './orders.ts'
import { lineSeen, targetResult } from './records.ts'
import type { createTemplates } from './templates.ts'
import { isThreePhase } from './validate.ts'

/** What every call that sets something carries. */
interface Why {
  readonly Reason: string
  readonly Grant?: string
  readonly OffUntil?: number
}
type One = Why & { readonly CommandID: string }
type Many = Why & { readonly BatchID: string }
type Pairs = readonly { readonly Key: string; readonly Value: number }[]

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly grants: { take(sessionId: string, grant: string, operation: string): Promise<boolean> }
  readonly templates: Pick<ReturnType<typeof createTemplates>, 'byId'>
  readonly clock: () => number
}

/** What people ask to be set, by whichever call: one intent, its grant, and an order for each target. */
export class Placing {
  readonly #deps: Deps
  readonly #orders: Orders
  readonly #pressing = new KeyedMutex()

  constructor(deps: Deps, orders: Orders) {
    this.#deps = deps
    this.#orders = orders
  }

  setLine(actor: Actor, line: PlantLine, settings: Pairs, why: One): Promise<SettingChange> {
    return this.#setOne(actor, line, wantedOf(settings), why)
  }

  setStatus(actor: Actor, line: PlantLine, { type, attr }: { type: string; attr: string }, value: number, why: One) {
    const setting = settingAt(line.device.family, type, attr)
    if (!setting) throw new Refusal('setting unknown', { key: `${type}/${attr}` })
    return this.#setOne(actor, line, { [setting.key]: value }, why)
  }

  /** By the detectors' own calls. A detector is its own line. */
  setDetector(actor: Actor, device: PlantDevice, settings: Readonly<Record<string, number | undefined>>, why: One) {
    const line = device.lines.get(0)
    if (!line) throw new Refusal('device not exists')
    const wanted = Object.fromEntries(
      Object.entries(settings).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
    )
    return this.#setOne(actor, line, wanted, why)
  }

  setThreeLine(actor: Actor, line: PlantLine, settings: Pairs, why: One) {
    if (!isThreePhase(line.device)) throw new Refusal('not three-phase')
    return this.#setOne(actor, line, wantedOf(settings), why)
  }

  setInterval(actor: Actor, gateway: PlantGateway, seconds: number, why: One) {
    const settings = { [reportingInterval.key]: seconds }
    return this.#placeOne(actor, { line: null, gateway, wanted: settings }, { gateway: gateway.id, settings }, why)
  }

  setDevice(actor: Actor, device: PlantDevice, settings: Pairs, why: Many) {
    const targets = [...device.lines.keys()].map((LineNo) => ({ ControllerID: device.controllerId, LineNo }))
    const meant = { device: device.controllerId, settings: wantedOf(settings) }
    return this.#placeMany(actor, targets, meant, why, 'console', null)
  }

  async setLines(actor: Actor, targets: readonly SettingTarget[], settings: Pairs, templateId: number | null, why: Many) {
    const template = templateId === null ? null : await this.#deps.templates.byId(actor, templateId)
    // The history says that it came from there: then it is what stands there.
    const isOfIt = ({ Key, Value }: Pairs[number]) => template?.settings[Key] === Value
    if (template && !settings.every(isOfIt)) throw new Refusal('changed meanwhile')
    const meant = { lines: targets, settings: wantedOf(settings) }
    return this.#placeMany(actor, targets, meant, why, template ? 'template' : 'copy', template?.name ?? null)
  }

  /** Takes one change back: the same path, the former values. What was set since by another is not overwritten unseen. */
  async undo(actor: Actor, changeId: string, seen: Pairs, why: One): Promise<SettingChange> {
    const [change] = await stored.changesById(this.#deps.database, [changeId])
    const gateway = change && this.#deps.plant.gateways.get(change.gatewayId)
    const line = change?.lineId ? (this.#deps.plant.lines.get(change.lineId) ?? null) : null
    if (!change || !gateway || !actor.seesGateway(gateway) || (change.lineId !== null && !line))
      throw new Refusal('change not exists')
    if (!mayHaveTaken.some((state) => state === change.state)) throw new Refusal('change not done')
    const wanted = Object.fromEntries(
      Object.entries(change.former).map(([key, value]) => {
        if (value === null) throw new Refusal('nothing to restore')
        return [key, value]
      }),
    )
    return this.#placeOne(actor, { line, gateway, wanted }, { undoes: changeId }, why, {
      change,
      seen: new Map(seen.map(({ Key, Value }) => [Key, Value])),
    })
  }

  #intentOf(actor: Actor, batchId: string, meant: SettingIntent, why: Why, source: SettingSource): Intent {
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
      proveOrderer: async () => {
        if (!actor.hasControlPassword) return
        if (why.Grant === undefined) throw new Refusal('control grant missing')
        const operation = settingOperation(batchId, { ...meant, OffUntil: why.OffUntil })
        if (!(await this.#deps.grants.take(actor.sessionId, why.Grant, operation))) throw new Refusal('control grant over')
      },
    }
  }

  #setOne(actor: Actor, line: PlantLine, settings: Readonly<Record<string, number>>, why: One): Promise<SettingChange> {
    const lines = [{ ControllerID: line.device.controllerId, LineNo: line.lineNo }]
    return this.#placeOne(actor, { line, gateway: line.device.gateway, wanted: settings }, { lines, settings }, why)
  }

  /** One press that goes out twice uses up one grant: the second copy finds the changes of the first. */
  #place(intent: Intent, placed: readonly Order[]): ReturnType<Orders['place']> {
    return this.#pressing.run(intent.batchId, () => this.#orders.place(intent, placed))
  }

  async #placeOne(
    actor: Actor,
    order: Omit<Order, 'commandId'>,
    meant: SettingIntent,
    why: One,
    undo: Undo | null = null,
  ): Promise<SettingChange> {
    const intent = {
      ...this.#intentOf(actor, why.CommandID, meant, why, undo ? 'undo' : 'console'),
      undo,
      undoes: undo?.change.commandId ?? null,
    }
    const [outcome] = await this.#place(intent, [{ ...order, commandId: why.CommandID }])
    if (!outcome || outcome instanceof Refusal) throw outcome ?? new Refusal('failed')
    return outcome
  }

  /** Each target answers for itself; what cannot be set on one stops none of the others. */
  async #placeMany(
    actor: Actor,
    targets: readonly SettingTarget[],
    meant: Extract<SettingIntent, { readonly settings: object }>,
    why: Many,
    source: SettingSource,
    template: string | null,
  ): Promise<List<TargetResult>> {
    const intent = { ...this.#intentOf(actor, why.BatchID, meant, why, source), template }
    const wanted = meant.settings
    const found = new Map<PlantLine, Order>()
    for (const target of targets) {
      const line = lineSeen(this.#deps.plant, actor, target)
      if (line) found.set(line, { line, gateway: line.device.gateway, wanted, commandId: commandIdOf(why.BatchID, line.id) })
    }
    const placed = [...found.values()]
    const outcomes = await this.#place(intent, placed)
    const byLine = new Map(placed.map(({ line }, index) => [line, outcomes[index]]))
    const items = targets.map((target) => {
      const line = lineSeen(this.#deps.plant, actor, target)
      return targetResult(target, (line && byLine.get(line)) ?? new Refusal('device not exists'))
    })
    const refused = items.flatMap(({ Refused, ...target }) => {
      if (!Refused) return []
      const line = lineSeen(this.#deps.plant, actor, target)
      const tenant = line ? tenantOfLine(line) : actor.tenant
      return [{ target: `${target.ControllerID}/${target.LineNo}`, why: Refused.Message, tenant }]
    })
    await auditRefused(this.#deps.database, intent, refused, this.#deps.clock())
    return { items, total: items.length }
  }
}

const wantedOf = (settings: Pairs): Record<string, number> => Object.fromEntries(settings.map(({ Key, Value }) => [Key, Value]))

import { createHash } from 'node:crypto'
import type { SettingChange, SettingSource } from '@linewarden/contract'
import { aboutBatch, Refusal } from '@linewarden/contract'
import type { Reach } from '@linewarden/rules/control'
import { deadlineFor, holdConditions } from '@linewarden/rules/control'
import { changedSince, reportingInterval, sameSetting, settingFault } from '@linewarden/rules/settings'
import type { Actor } from '../../access/actor.ts'
import { by, tenantOfGateway } from '../../audit/audited.ts'
import { gatewayHolds, mergeInterlocks, refusalOf } from '../../field/orders/interlocks.ts'
import { storableText } from '../../lib/storable-text.ts'
import type { Plant, PlantGateway, PlantLine } from '../../plant/plant.ts'
import type { AuditEntry, Subject } from '../../store/audit/append.ts'
import { appendAudit } from '../../store/audit/append.ts'
import { aboutGateway, aboutLine } from '../../store/audit/subject.ts'
import type { Interlock } from '../../store/control/interlock.ts'
import type { Database } from '../../store/core/database.ts'
import type { NewChange, StoredChange } from '../../store/settings/setting-change.ts'
import * as stored from '../../store/settings/setting-change.ts'
import type { BypassKey, StoredBypass } from '../../store/settings/stored-bypass.ts'
import { offNow } from '../../store/settings/stored-bypass.ts'
import { changeRecord, targetOf } from './records.ts'
import type { SettingDispatcher } from './setting-dispatcher.ts'
import { refuseIfAway, settableBlocks, validateOrderOf } from './validate.ts'

type Wanted = Readonly<Record<string, number>>

/** Who orders: a person with a session, or the server when an expiry is reached. */
export type Orderer = Pick<Actor, 'userName' | 'address' | 'shared'> & { readonly accountId: string | null }

/** Values for one line, or for a gateway itself. */
export interface Order {
  readonly gateway: PlantGateway
  readonly line: PlantLine | null
  readonly commandId: string
  readonly wanted: Wanted
}

/** What is the same for every target of one intent. */
export interface Intent {
  readonly orderer: Orderer
  readonly batchId: string
  readonly source: SettingSource
  readonly reason: string
  readonly offUntil: number | null
  readonly template: string | null
  readonly undoes: string | null
  /** A person takes this change back, and says what they saw standing there. */
  readonly undo: Undo | null
  /** Bypassed protections that this restores. */
  readonly restores: readonly BypassKey[]
  /** Last check before anything is stored; throws. */
  readonly proveOrderer: () => Promise<void>
}

export interface Undo {
  readonly change: StoredChange
  readonly seen: ReadonlyMap<string, number>
}

/** What the database knows of what else was set where an order is to go. */
interface Known {
  readonly offs: readonly StoredBypass[]
  readonly newer: stored.NewerValues
}

interface Validated {
  readonly order: Order
  readonly change: NewChange
}

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly dispatcher: SettingDispatcher
  readonly clock: () => number
}

/** The one way to a setting, for one target or many: each is validated by itself, what may go is stored with its audit, and then sent. */
export function createOrders({ database, plant, dispatcher, clock }: Deps) {
  return { place }

  function reachOf({ gateway, line }: Order): Reach {
    return dispatcher.reach(gateway.id, line?.id ?? null)
  }

  /** Answers one outcome per order, in their order. */
  async function place(intent: Intent, orders: readonly Order[]): Promise<readonly (SettingChange | Refusal)[]> {
    const outcomes = new Map<Order, SettingChange | Refusal>()
    const known = new Map(
      (
        await stored.changesById(
          database,
          orders.map(({ commandId }) => commandId),
        )
      ).map((each) => [each.commandId, each]),
    )
    for (const order of orders) {
      const before = known.get(order.commandId)
      if (before) outcomes.set(order, await replayed(before, order))
    }
    const fresh = orders.filter((order) => !outcomes.has(order))
    const ready = await validated(intent, fresh, outcomes)
    if (ready.length > 0) {
      await intent.proveOrderer()
      // The proof was fetched from the database. Meanwhile somebody may have gone away, or protect by now what was weak when this was validated.
      const still = ready.map(({ order }) => order)
      await send(intent, await validated(intent, still, outcomes), outcomes)
    }
    // One press may have gone out twice in the same moment: then what is under way is the other copy of this very order.
    const stopped = new Map(fresh.filter((order) => isBusy(outcomes.get(order))).map((order) => [order.commandId, order]))
    for (const change of await stored.changesById(database, [...stopped.keys()])) {
      const order = stopped.get(change.commandId)
      if (order) outcomes.set(order, await replayed(change, order))
    }
    return orders.map((order) => outcomes.get(order) ?? new Refusal('failed'))
  }

  /** What may go, as things stand at this moment; why not is the outcome of each of the others. */
  async function validated(
    intent: Intent,
    orders: readonly Order[],
    outcomes: Map<Order, SettingChange | Refusal>,
  ): Promise<readonly Validated[]> {
    const lineIds = orders.flatMap(({ line }) => (line ? [line.id] : []))
    const offs = Map.groupBy(lineIds.length === 0 ? [] : await offNow(database, lineIds), ({ lineId }) => lineId)
    const newer: stored.NewerValues = intent.undo ? await stored.newerValues(database, intent.undo.change) : new Map()
    return orders.flatMap((order) => {
      const change = refusalOr(() => draft(intent, order, { offs: offs.get(order.line?.id ?? 0) ?? [], newer }))
      if (!(change instanceof Refusal)) return [{ order, change }]
      outcomes.set(order, change)
      return []
    })
  }

  async function send(intent: Intent, ready: readonly Validated[], outcomes: Map<Order, SettingChange | Refusal>): Promise<void> {
    const { saved, stopped } = await stored.authoriseChanges(
      database,
      ready.map(({ change }) => change),
      (authorised) => auditsOf(intent, authorised, ready, clock()),
    )
    // Before anything leaves: nobody waits for these locks any more, and what was read under them grows old while the others are sent.
    for (const { order } of ready) {
      const interlock = stopped.get(order.commandId)
      if (order.line && interlock?.is === 'held') mergeInterlocks(order.line, interlock.holds)
    }
    for (const { order } of ready)
      if (stopped.has(order.commandId))
        outcomes.set(order, stoppedBy(order, reachOf(order), stopped.get(order.commandId), intent.orderer, clock()))
    const byId = new Map((await dispatched(saved)).map((each) => [each.commandId, each]))
    for (const { order } of ready) {
      const change = byId.get(order.commandId)
      if (change) outcomes.set(order, changeRecord(change, plant))
    }
  }

  function draft(intent: Intent, order: Order, { offs, newer }: Known): NewChange {
    const { gateway, line, wanted, commandId } = order
    const now = clock()
    const set = {
      toRestore: new Map(offs.map(({ key, former }) => [key, former])),
      unconfirmed: dispatcher.unconfirmed(gateway.id, line?.id ?? null),
    }
    const bypasses = line
      ? validateOrderOf(line, { wanted, offUntil: intent.offUntil }, set, now)
      : validateInterval(wanted[reportingInterval.key] ?? Number.NaN)
    refuseIfAway(gateway, reachOf(order))
    if (dispatcher.underWay(gateway.id, line?.id ?? null) || (line && line.underWay.size > 0))
      throw new Refusal('setting under way')
    if (line && intent.source !== 'expiry') refuseUnlessSettable(line, reachOf(order), intent.orderer, now)
    if (!line) refuseUnlessFree(gateway, now)
    const formerOf = (key: string) => (line ? (line.reported.get(key) ?? null) : gateway.reportingPeriodMs / 1000)
    if (intent.undo) refuseIfChanged(intent.undo, newer, formerOf)
    return {
      commandId,
      batchId: intent.batchId,
      gatewayId: gateway.id,
      lineId: line?.id ?? null,
      wanted,
      former: Object.fromEntries(Object.keys(wanted).map((key) => [key, formerOf(key)])),
      accountId: intent.orderer.accountId,
      actor: intent.orderer.userName,
      source: intent.source,
      reason: storableText(intent.reason.trim()),
      template: intent.template,
      undoes: intent.undoes,
      // An order that bypasses nothing on this line has nothing to restore.
      offUntil: bypasses.length > 0 ? intent.offUntil : null,
      issuedAt: now,
      deadline: now + deadlineFor('set'),
      bypasses,
      validatedBy: offs.filter(({ key }) => key in wanted),
      restores: intent.restores,
    }
  }

  /** What was set since by another is not overwritten unseen. */
  function refuseIfChanged({ change, seen }: Undo, newer: stored.NewerValues, reportedOf: (key: string) => number | null): void {
    const unconfirmed = dispatcher.unconfirmed(change.gatewayId, change.lineId, change.commandId)
    for (const [key, wanted] of Object.entries(change.wanted)) {
      const facts = {
        reported: reportedOf(key),
        unconfirmed: unconfirmed.has(key),
        newer: newer.get(key) ?? null,
        seen: seen.get(key) ?? null,
      }
      if (changedSince({ former: change.former[key] ?? wanted, wanted, ...facts })) throw new Refusal('changed meanwhile')
    }
  }

  /** Stored and not begun: the answer to its COMMIT was lost, and whoever presses again means it. Past its deadline it expires. */
  async function replayed(known: StoredChange, { gateway, line, wanted }: Order): Promise<SettingChange | Refusal> {
    const keys = Object.keys(wanted)
    const same =
      known.gatewayId === gateway.id &&
      known.lineId === (line?.id ?? null) &&
      keys.length === Object.keys(known.wanted).length &&
      keys.every((key) => sameSetting(known.wanted[key] ?? Number.NaN, wanted[key] ?? Number.NaN))
    if (!same) return new Refusal('command id used')
    const [now = known] = known.state === 'authorised' ? await dispatched([known]) : [dispatcher.present(known)]
    return changeRecord(now, plant)
  }

  /** Sends what was authorised and answers it as it is then: some of it may be over before it leaves. */
  async function dispatched(changes: readonly StoredChange[]): Promise<readonly StoredChange[]> {
    await dispatcher.dispatch(changes)
    // The dispatcher no longer has what is over: it is presented as it was given.
    const over = changes.filter((change) => dispatcher.present(change) === change).map(({ commandId }) => commandId)
    const ended = new Map((await stored.changesById(database, over)).map((each) => [each.commandId, each]))
    return changes.map((change) => ended.get(change.commandId) ?? dispatcher.present(change))
  }

  function validateInterval(seconds: number): readonly [] {
    if (settingFault(reportingInterval, seconds, '', null) === null) return []
    const { label, min, max, unit } = reportingInterval
    throw new Refusal('setting out of range', {}, [
      {
        Path: 'Seconds',
        Text: { zh: `${label.zh}应为 ${min}–${max} ${unit}`, en: `${label.en} must be ${min} to ${max} ${unit}` },
      },
    ])
  }
}

/**
 * A protection that comes back at its expiry makes the line safer, as a trip does, and waits for none of them.
 */
function refuseUnlessSettable(line: PlantLine, reach: Reach, orderer: Orderer, now: number): void {
  const blocks = settableBlocks(line, reach, orderer, now)
  if (blocks.length > 0) throw refusalOf('set', blocks)
}

/** A gateway's own setting changes what is known of all its lines, also of one that somebody works at or stands before. */
function refuseUnlessFree(gateway: PlantGateway, now: number): void {
  const blocks = holdConditions(gatewayHolds(gateway), now).filter(({ met }) => !met)
  if (blocks.length > 0) throw refusalOf('set', blocks)
}

/** What the database knew and the plant in memory did not, in the words of whatever it was. */
function stoppedBy({ line }: Order, reach: Reach, interlock: Interlock | undefined, orderer: Orderer, now: number): Refusal {
  if (!line || interlock?.is !== 'held') return new Refusal('setting under way')
  return refusalOr(() => refuseUnlessSettable(line, reach, orderer, now)) ?? new Refusal('setting under way')
}

/** What was authorised of an intent, to each owner of theirs: what was stopped in the last moment is not among it. */
function auditsOf(
  { orderer, batchId, source, reason, offUntil }: Intent,
  authorised: readonly StoredChange[],
  ready: readonly Validated[],
  at: number,
): AuditEntry[] {
  const changes = new Map(authorised.map((change) => [change.commandId, change]))
  const placed = ready.flatMap(({ order }) => {
    const change = changes.get(order.commandId)
    return change ? [{ ...change, order, name: nameOf(order), tenant: tenantOfGateway(order.gateway) }] : []
  })
  return [...Map.groupBy(placed, ({ tenant }) => tenant)].map(([tenant, targets]) => ({
    ...by(orderer, at, `setting.${source}`, tenant),
    subject: subjectOf(
      batchId,
      targets.map(({ order }) => order),
    ),
    before: Object.fromEntries(targets.map(({ name, former }) => [name, former])),
    after: { reason, offUntil, targets: Object.fromEntries(targets.map(({ name, wanted }) => [name, wanted])) },
    outcome: 'authorised',
  }))
}

/** One target of a batch that was refused. */
interface RefusedTarget {
  readonly target: string
  readonly why: string
  /** In whose log it stands. */
  readonly tenant: string | null
}

/** Writes what of a batch was refused; a single order that is refused is in the log by its call. */
export async function auditRefused(
  database: Database,
  { orderer, batchId, source, reason }: Intent,
  refused: readonly RefusedTarget[],
  at: number,
): Promise<void> {
  for (const [tenant, own] of Map.groupBy(refused, (each) => each.tenant))
    await appendAudit(database.general, {
      ...by(orderer, at, `setting.${source}`, tenant),
      subject: aboutBatch(batchId),
      after: { reason, refused: Object.fromEntries(own.map((each) => [each.target, each.why])) },
      outcome: 'refused',
    })
}

/** The id of one target's order within a batch: the same batch sent again finds what it ordered before. */
export function commandIdOf(batchId: string, lineId: number): string {
  const hex = createHash('sha256').update(`${batchId.toLowerCase()} ${lineId}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

const isBusy = (outcome: SettingChange | Refusal | undefined): boolean =>
  outcome instanceof Refusal && outcome.key === 'setting under way'

function refusalOr<T>(work: () => T): T | Refusal {
  try {
    return work()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

const nameOf = ({ gateway, line }: Order): string => (line ? targetOf(line) : gateway.number)

function subjectOf(batchId: string, [first, ...others]: readonly Order[]): Subject {
  if (!first || others.length > 0) return aboutBatch(batchId, others.length + 1)
  return first.line ? aboutLine(first.line) : aboutGateway(first.gateway)
}

import type { SettingFact } from '@linewarden/rules'
import { foldSetting, isFinal, isUnderWay, reportingInterval, settingDeadlineMs } from '@linewarden/rules'
import type { Logger } from 'pino'
import type { Ingest } from '../../ingest/ingest.ts'
import type { Committed, Hub } from '../../live/hub.ts'
import type { Plant, PlantGateway } from '../../live/plant.ts'
import type { Database } from '../../store/database.ts'
import type { StoredChange } from '../../store/setting-change.ts'
import * as stored from '../../store/setting-change.ts'
import { heldBy } from '../control/execution.ts'
import { changeRecord } from './records.ts'

export type Courier = ReturnType<typeof createCourier>

export interface CourierDeps {
  readonly database: Database
  readonly plant: Plant
  readonly hub: Hub
  readonly ingest: Pick<Ingest, 'send' | 'sendInterval' | 'canSend' | 'isBorn'>
  readonly clock: () => number
  readonly log: Logger
  /** Told after each step of a change is stored. */
  readonly onStep: (change: StoredChange) => void
}

type Told = readonly [commandId: string, fact: SettingFact]

const tickEveryMs = 250
/** So many leave together: they are marked as sent in one transaction. */
const chunk = 50

/**
 * Carries orders to the equipment and what is said about them back: sends each once, folds every fact into its life, stores each step before
 * anybody hears of it. Nothing is queued for who is away, and nothing is sent twice.
 */
export function createCourier(deps: CourierDeps) {
  const { database, plant, hub, ingest, clock, log } = deps
  const open = new Map<string, StoredChange>()
  /** Commands by what they are for, so that a read-back finds its own. */
  const byTarget = new Map<string, Set<string>>()
  let turn: Promise<unknown> = Promise.resolve()

  let unsubscribe = () => {}
  let timer: NodeJS.Timeout | undefined

  return {
    /** Takes up what was open when the server stopped; what was under way is unknown from here. */
    async start(): Promise<void> {
      for (const change of await stored.openChanges(database)) keep(change)
      const at = clock()
      await foldAll([...open.keys()].map((id) => [id, { kind: 'restart', at }]))
      unsubscribe = hub.subscribe(listen)
      timer = setInterval(() => void inTurn(tick), tickEveryMs)
    },
    dispatch,
    /** Moves time on for every open order; runs by itself every quarter of a second. */
    tick: () => inTurn(tick),
    deadline: (now: number) => now + settingDeadlineMs,
    present: (change: StoredChange) => open.get(change.commandId) ?? change,
    underWay: (gatewayId: number, lineId: number | null): StoredChange | null =>
      [...(byTarget.get(targetKey(gatewayId, lineId)) ?? [])]
        .flatMap((id) => open.get(id) ?? [])
        .find(({ state }) => isUnderWay(state)) ?? null,
    reaches,
    async close(): Promise<void> {
      clearInterval(timer)
      unsubscribe()
      await turn
    },
  }

  /** Sends what was authorised; resolves when all of it has left, or is known never to leave. */
  async function dispatch(changes: readonly StoredChange[]): Promise<void> {
    for (const change of changes) keep(change)
    announce(changes)
    const sending: Promise<unknown>[] = []
    for (let from = 0; from < changes.length; from += chunk) {
      const some = changes.slice(from, from + chunk)
      sending.push(inTurn(() => send(some)))
    }
    await Promise.all(sending)
  }

  /** `sent` is stored first: if the server dies between the two the outcome is unknown, and nobody sends it a second time. */
  async function send(changes: readonly StoredChange[]): Promise<void> {
    const now = clock()
    await foldAll(
      changes.map((change): Told => {
        const { commandId, deadline, gatewayId, lineId } = change
        if (now > deadline) return [commandId, { kind: 'tick', at: now }]
        const held = heldNow(change, now)
        if (held !== null) return [commandId, { kind: 'notSent', at: now, reason: held }]
        return [
          commandId,
          reaches(gatewayId, lineId) ? { kind: 'sent', at: now } : { kind: 'notSent', at: now, reason: 'offline' },
        ]
      }),
    )
    const failed: Told[] = []
    for (const { commandId } of changes) {
      const change = open.get(commandId)
      if (change?.state !== 'sent') continue
      // Saving took time: the deadline is looked at once more, last thing before the message leaves.
      const refused = (reason: string) =>
        failed.push([commandId, { kind: 'result', status: 'refused', reason, at: Math.max(clock(), now) }])
      const held = heldNow(change, clock())
      if (clock() > change.deadline) refused('deadline_passed')
      else if (held !== null) refused(held)
      else if (hand(change) === 'no_session') refused('offline')
    }
    await foldAll(failed)
  }

  /** What was hung or begun on its line since it was authorised; nothing holds back a protection that is to come back. */
  function heldNow({ lineId, source }: StoredChange, now: number): 'tagged' | 'inspection' | null {
    const line = lineId === null ? undefined : plant.lines.get(lineId)
    return line && source !== 'expiry' ? heldBy('set', line, now) : null
  }

  function hand(change: StoredChange): 'sent' | 'no_session' {
    const { commandId, gatewayId, lineId, wanted, issuedAt, deadline, fence } = change
    const gateway = plant.gateways.get(gatewayId)
    if (!gateway) return 'no_session'
    const order = { gateway, commandId, issuedAt, deadline, fence }
    if (lineId === null) return ingest.sendInterval({ ...order, seconds: wanted[reportingInterval.key] ?? Number.NaN })
    const line = plant.lines.get(lineId)
    if (!line) return 'no_session'
    const { controllerId } = line.device
    return ingest.send({ ...order, controllerId, lineNo: line.lineNo, action: 'set', settings: wanted })
  }

  function reaches(gatewayId: number, lineId: number | null): boolean {
    const gateway: PlantGateway | undefined = plant.gateways.get(gatewayId)
    if (!gateway) return false
    if (lineId === null) return ingest.isBorn(gateway)
    const line = plant.lines.get(lineId)
    return line !== undefined && ingest.canSend(line.device)
  }

  function tick(): Promise<void> {
    const now = clock()
    return foldAll([...open.keys()].map((id) => [id, { kind: 'tick', at: now }]))
  }

  function listen({ readBacks = [], results = [] }: Committed): void {
    if (open.size === 0) return
    const told: Told[] = []
    for (const { commandId, gateway, status, reason, receivedAt } of results) {
      // Only the gateway that was asked may answer.
      if (open.get(commandId)?.gatewayId === gateway.id)
        told.push([commandId, { kind: 'result', status, reason, at: receivedAt }])
    }
    for (const { gateway, line, key, value, deviceAt, receivedAt } of readBacks) {
      for (const id of byTarget.get(targetKey(gateway.id, line?.id ?? null)) ?? [])
        told.push([id, { kind: 'readBack', key, value, deviceAt, at: receivedAt }])
    }
    if (told.length > 0) void inTurn(() => foldAll(told))
  }

  /** Folds facts in their order, and stores all that moved in one transaction. */
  async function foldAll(told: readonly Told[]): Promise<void> {
    const moved = new Map<string, StoredChange>()
    for (const [id, fact] of told) {
      const before = moved.get(id) ?? open.get(id)
      const after = before && foldSetting(before, fact)
      if (after && after !== before) moved.set(id, after)
    }
    if (moved.size === 0) return
    const changes = [...moved.values()]
    await stored.saveChanges(database, changes)
    for (const change of changes) {
      if (isFinal(change.state)) forget(change)
      else open.set(change.commandId, change)
    }
    announce(changes)
    for (const change of changes) deps.onStep(change)
  }

  function keep(change: StoredChange): void {
    open.set(change.commandId, change)
    const key = targetKey(change.gatewayId, change.lineId)
    byTarget.set(key, (byTarget.get(key) ?? new Set()).add(change.commandId))
  }

  function forget({ commandId, gatewayId, lineId }: StoredChange): void {
    open.delete(commandId)
    const key = targetKey(gatewayId, lineId)
    const others = byTarget.get(key)
    others?.delete(commandId)
    if (others?.size === 0) byTarget.delete(key)
  }

  function announce(changes: readonly StoredChange[]): void {
    const told = changes.flatMap((change) => {
      const gateway = plant.gateways.get(change.gatewayId)
      return gateway ? [{ change: changeRecord(change, plant), gateway }] : []
    })
    hub.publish({ changes: told })
  }

  /** One thing after the other, so that two facts never fold the same order at once. */
  function inTurn<T>(work: () => Promise<T>): Promise<T | undefined> {
    const next = turn.then(work).catch((error) => {
      log.error({ err: error }, 'a step of a setting failed; it is taken up again with the next tick')
      return undefined
    })
    turn = next
    return next
  }
}

const targetKey = (gatewayId: number, lineId: number | null): string =>
  lineId === null ? `gateway ${gatewayId}` : `line ${lineId}`

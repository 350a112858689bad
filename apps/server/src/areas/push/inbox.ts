import { setTimeout as wait } from 'node:timers/promises'
import { canBePushed, dayMs, familyOfModel, metricOfPushed, wire } from '@linewarden/equipment'
import { mistakenUnit } from '@linewarden/rules/monitor'
import type { Logger } from 'pino'
import type { Ingest } from '../../field/ingest.ts'
import type { NamedValue } from '../../field/intake/birth.ts'
import type { JsonMessage } from '../../field/intake/json.ts'
import { every } from '../../lib/every.ts'
import { storableText } from '../../lib/storable-text.ts'
import type { Plant, PlantGateway } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import type { StoredPush, WaitingPush } from '../../store/push/push.ts'
import { donePushes, pushedGateway, rememberedDays, waitingPushes } from '../../store/push/push.ts'
import type { Seal } from '../account/secrets.ts'
import { readCtwing } from './forms/ctwing.ts'
import { openOneNet, readOneNet, readOneNetPush } from './forms/onenet.ts'
import type { PushedReport, ReadPush } from './forms/report.ts'

const atOnce = 200
const lookAgainMs = 5_000

export interface PushDeps {
  readonly database: Database
  readonly plant: Plant
  readonly ingest: Pick<Ingest, 'pushed' | 'setAside' | 'isConnected'>
  readonly seal: Seal
  readonly clock: () => number
  readonly log: Logger
}

/** Why a message is kept aside. */
class Aside extends Error {
  readonly reason: string
  constructor(reason: string, detail: string) {
    super(detail)
    this.reason = reason
  }
}

/** Reading a message touches nothing but the message: whatever goes wrong there is its fault, and trying again would not help. */
function orAside<T>(work: () => T): T | Aside {
  try {
    return work()
  } catch (error) {
    return error instanceof Aside ? error : new Aside('push_form', error instanceof Error ? error.message : String(error))
  }
}

/**
 * Works off what was accepted, oldest first. A message is done only after its readings are committed, so that one that was accepted survives
 * anything; it may be read twice then, which changes nothing, because a line has one row per device time.
 */
export function startInbox({ database, plant, ingest, seal, clock, log }: PushDeps) {
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
      const { committed, setAside } = await taken(each)
      done.push({ inboxId: each.inboxId, pushId: each.push.push_id, setAside, committed })
    }
    await Promise.all(done.map(({ committed }) => committed))
    await donePushes(database, done, new Date(clock()))
  }

  async function taken({ push, body }: WaitingPush): Promise<{ committed: Promise<void>; setAside: boolean }> {
    const raw = { topic: `push/${push.platform}/${push.push_id}`, payload: Buffer.from(body) }
    const all: Promise<void>[] = []
    let setAside = false
    const hold = (promise: Promise<void>) => {
      // Awaited with all others; one that fails meanwhile is not yet anybody's.
      promise.catch(() => {})
      all.push(promise)
    }
    // A message is kept aside once for each reason, however many of its reports are bad: each keeps the whole of it.
    const noted = new Set<string>()
    const aside = (problem: Aside, number: string | null) => {
      setAside = true
      if (noted.has(problem.reason)) return
      noted.add(problem.reason)
      hold(ingest.setAside({ ...raw, number, reason: problem.reason, detail: problem.message }))
    }
    const reports = orAside(() => read(push, body))
    if (reports instanceof Aside) aside(reports, null)
    else
      for (const report of reports) {
        const id = await pushedGateway(database, push.project_id, report.names)
        const gateway = id === null ? undefined : plant.gateways.get(id)
        const messages = orAside(() => messagesOf(push, report, usable(push, report, gateway)))
        if (messages instanceof Aside) aside(messages, gateway?.number ?? null)
        else if (gateway) hold(ingest.pushed(gateway, messages, raw))
      }
    const committed = Promise.all(all).then(() => {})
    committed.catch(() => {})
    return { committed, setAside }
  }

  function read(push: StoredPush, body: string): readonly PushedReport[] {
    const found = push.platform === 'onenet' ? oneNet(push, body) : readCtwing(JSON.parse(body))
    if (typeof found === 'string') throw new Aside('push_form', found)
    return found
  }

  function oneNet(push: StoredPush, body: string): ReadPush {
    const pushed = readOneNetPush(JSON.parse(body))
    if (!pushed) return 'the message is not of this form'
    if (!pushed.encrypted) return readOneNet(pushed.msg)
    const aesKey = push.aes_key === null ? null : seal.open(push.aes_key)
    if (aesKey === null) throw new Aside('push_encrypted', 'the message is encrypted, and the subscription has no AES key')
    const text = openOneNet(pushed.msg, aesKey)
    if (text === null) throw new Aside('push_encrypted', 'the message does not open with the AES key of the subscription')
    return readOneNet(text)
  }

  function usable(push: StoredPush, { names }: PushedReport, gateway: PlantGateway | undefined): PlantGateway {
    if (!gateway)
      throw new Aside('unknown_device', `no gateway of project ${push.project_id} has the IMEI or number ${names.join(' or ')}`)
    if (gateway.disabled) throw new Aside('disabled', `gateway ${gateway.number} is disabled`)
    // A push says what a device is. Who may push for a project must not make a breaker a detector, nor speak for a gateway that is here itself.
    if (gateway.devices.size > 1 || [...gateway.devices.values()].some(({ family }) => !canBePushed(family)))
      throw new Aside('not_a_detector', `gateway ${gateway.number} is no detector of its own`)
    if (ingest.isConnected(gateway)) throw new Aside('not_a_detector', `gateway ${gateway.number} is connected by MQTT`)
    return gateway
  }

  /** What the detector would have said as a gateway of its own: who it is, where that is news, and its values. */
  function messagesOf(push: StoredPush, report: PushedReport, gateway: PlantGateway): JsonMessage[] {
    const [known] = gateway.devices.values()
    const model = report.productId === null ? known?.model : push.products[report.productId]
    const family = model === undefined ? null : familyOfModel(model)
    if (model === undefined || !family || !canBePushed(family))
      throw new Aside('unknown_product', `product ${report.productId ?? '(none)'} has no model in this subscription`)
    const oldest = clock() - rememberedDays * dayMs
    const dated = report.values.flatMap((each) => (each.at === null ? [] : [{ ...each, at: each.at }]))
    if (dated.length < report.values.length) throw new Aside('time', 'it does not say when the values were measured')
    const unit = dated.map(({ at }) => mistakenUnit(at, clock(), rememberedDays * dayMs)).find((each) => each !== null)
    if (unit) throw new Aside('time_unit', `the time of its values is in ${unit}; it must be in milliseconds`)
    if (dated.some(({ at }) => at < oldest))
      throw new Aside('time', `reported more than ${rememberedDays} days ago: it may be a replay`)
    const wireId = known?.wireId ?? gateway.number
    const now = clock()
    const values: NamedValue[] = dated.map(({ name, value, at }) => ({
      name: metricOfPushed(family, name) ?? storableText(name.slice(0, 64)),
      alias: null,
      value: typeof value === 'string' ? storableText(value) : value,
      at,
      historical: false,
    }))
    const data: JsonMessage = { kind: 'data', wireId, values }
    const isKnown = known?.model === model && gateway.reportingPeriodMs === push.reporting_period_ms
    if (isKnown) return [data]
    const fact = (name: string, value: string | number): NamedValue => ({ name, alias: null, value, at: now, historical: false })
    const birth: JsonMessage = {
      kind: 'birth',
      values: [fact(wire.info.reportingPeriod, push.reporting_period_ms / 1_000)],
      devices: [{ wireId, values: [fact(wire.info.model, model), ...(known ? [] : [fact(wire.info.name, gateway.name)])] }],
    }
    return [birth, data]
  }
}

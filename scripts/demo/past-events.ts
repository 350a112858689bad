import type { Priority } from '@linewarden/equipment'
import { hourMs, minuteMs } from '@linewarden/equipment'
import { acknowledgeable, acknowledgementMs } from '@linewarden/rules/alarm'
import type { Server } from '@linewarden/server/compose'
import type { Nightly } from '@linewarden/server/nightly'
import type { PastFact } from '@linewarden/simulator'
import type pg from 'pg'
import { numberOf } from '../../apps/server/src/areas/alarm/seen-events.ts'
import { linkEvent } from '../../apps/server/src/field/watch/link-event.ts'
import type { PlantLine } from '../../apps/server/src/plant/plant.ts'
import { changeEvents, eventsById, rootsOfIncident } from '../../apps/server/src/store/alarm/change.ts'
import type { EventRow } from '../../apps/server/src/store/alarm/event.ts'
import type { StoredEvent } from '../../apps/server/src/store/alarm/event-write.ts'
import { putOnShelf } from '../../apps/server/src/store/alarm/shelf.ts'
import type { EventDraft, ReportedStates } from '../../apps/server/src/store/ingest/batch.ts'
import { Batch } from '../../apps/server/src/store/ingest/batch.ts'
import { Committer } from '../../apps/server/src/store/ingest/commit.ts'
import type { PastOrders, Person } from './past-records.ts'
import type { FailedOrder } from './past-story.ts'

/** How long people let an alarm wait: at least, and at most. */
const answeredAfterMs: Readonly<Record<Priority, readonly [number, number]>> = {
  critical: [minuteMs, 5 * minuteMs],
  high: [3 * minuteMs, 25 * minuteMs],
  medium: [10 * minuteMs, 150 * minuteMs],
  low: [40 * minuteMs, 480 * minuteMs],
}

/** From the look of a night until people come to work. */
const morningAfterMs = 8 * hourMs

/** What cannot be mended today: it goes on the shelf, with its reason, as often as its time runs out. */
const shelvedKey = 'battery.low'
const shelvedReason = '电池已订购，明日更换'
const shelvedForMs = 480 * minuteMs
const shelvedAgoMs = 100 * minuteMs

const positionLabels = {
  open: { zh: '线路分闸', en: 'Line opened' },
  closed: { zh: '线路合闸', en: 'Line closed' },
} as const

const hasPosition = ({ device }: PlantLine): boolean => device.family.states.some(({ key }) => key === 'position')
const movedTo = (position: 'open' | 'closed', at: number): ReportedStates => ({
  at,
  changed: new Map([['position', position]]),
  positionAt: at,
  positionSince: at,
})

interface Deps {
  readonly server: Pick<Server, 'database' | 'plant' | 'alarm'>
  readonly client: pg.Client
  readonly person: Person
  readonly orders: PastOrders
  readonly random: () => number
  /** Every line of the demo, since when it has been there and what it is set to. */
  readonly begun: ReadonlyMap<PlantLine, { readonly from: number; readonly settings: ReadonlyMap<string, number> }>
  readonly until: number
  /** Evaluates lines for early warning, and shows nobody what it finds. */
  readonly nightly: Pick<Nightly, 'evaluateDue'>
  /** When it looks, Unix ms. */
  readonly nights: readonly number[]
  /** Whether an order was one of several that were given as one. */
  readonly isOfGroup: (fact: PastFact) => boolean
}

type Operation = Extract<PastFact, { kind: 'operation' }>
type Report = Exclude<PastFact, Operation>

/** Writes what was reported and what people did about it in the order of time, by what ingest and the alarm list write with. */
export class PastEvents {
  readonly #deps: Deps
  readonly #committer: Committer
  readonly #agenda = new Agenda()
  #raised = 0

  constructor(deps: Deps) {
    this.#deps = deps
    this.#committer = new Committer(deps.client, Number.POSITIVE_INFINITY)
  }

  /** Writes all of it, and evaluates every night on its own morning. Answers how many alarms were raised. */
  async write(facts: readonly PastFact[], failed: readonly FailedOrder[]): Promise<number> {
    const { orders, isOfGroup } = this.#deps
    await this.#begin()
    const groups = new Map<string, Operation[]>()
    for (const order of failed) this.#agenda.add(order.at, () => orders.failed(order))
    for (const fact of facts) {
      if (fact.kind !== 'operation') this.#agenda.add(fact.at, () => this.#report(fact))
      else if (!isOfGroup(fact)) this.#agenda.add(fact.at, () => orders.done(fact))
      else {
        const group = `${Math.floor(fact.at / minuteMs)} ${fact.reason.zh}`
        groups.set(group, [...(groups.get(group) ?? []), fact])
      }
    }
    const { nights } = this.#deps
    for (const night of nights) this.#agenda.add(night, () => this.#lookAt(night))
    for (const group of groups.values()) this.#agenda.add(group[0]?.at ?? 0, () => orders.opened(group))
    await this.#agenda.run()
    return this.#raised
  }

  /**
   * When its cabinet is taken into service every switch is closed, and reports what it is set to: without that nobody knows in which hours a
   * line carried current, nor which leakage is much for it.
   */
  async #begin(): Promise<void> {
    const { begun, until } = this.#deps
    const batch = new Batch(0, 1)
    for (const [line, { from, settings }] of begun) {
      if (hasPosition(line)) batch.states.set(line, movedTo('closed', from))
      for (const [key, value] of settings) {
        batch.settings.push({ line, key, value, at: from })
        line.reported.set(key, value)
      }
    }
    await this.#committer.commit(batch, until)
  }

  async #report(fact: Report): Promise<void> {
    const { orders } = this.#deps
    const batch = new Batch(0, 1)
    if (fact.kind === 'lockout') {
      const line = orders.lineOf(fact)
      batch.lockouts.set(line, { cause: fact.cause, at: fact.at, no: null })
      orders.lockedOut(line)
    } else batch.events.push(this.#draftOf(fact))
    if (fact.kind === 'alarm' && fact.act === 'raise') await orders.raised(orders.lineOf(fact), fact.alarm.key, fact.at)
    if (fact.kind === 'position') batch.states.set(orders.lineOf(fact), movedTo(fact.value, fact.at))
    this.#seeTo(await this.#committer.commit(batch, fact.at))
  }

  /** What early warning found by then was found on that day, and not all of it at the first start. */
  async #lookAt(night: number): Promise<void> {
    const { client, nightly } = this.#deps
    await this.#expire(night)
    this.#seeTo(await nightly.evaluateDue(client, night))
  }

  #seeTo(stored: readonly StoredEvent[]): void {
    for (const { row, draft } of stored) {
      if (draft.act !== 'raise') continue
      this.#raised += 1
      this.#answer(row.event_id, draft)
    }
  }

  #draftOf(fact: Exclude<Report, { kind: 'lockout' }>): EventDraft {
    const { server, orders } = this.#deps
    const { at } = fact
    if (fact.kind === 'link') {
      const gateway = server.plant.gatewayByNumber.get(fact.gateway)
      if (!gateway) throw new Error(`the demo has no gateway ${fact.gateway}`)
      return linkEvent(gateway, 'offline', fact.value === 'offline' ? 'raise' : 'return', at)
    }
    const line = orders.lineOf(fact)
    const about = { line, gateway: line.device.gateway, at, historical: false }
    if (fact.kind === 'position') {
      const what = { act: 'note', kind: 'journal', priority: 'low', key: `position.${fact.value}` } as const
      return { ...about, ...what, label: positionLabels[fact.value], point: null, value: null, limit: null, unit: '' }
    }
    const { act, alarm, point, value, limit, unit } = fact
    const { kind, priority, key, label } = alarm
    return { ...about, act, kind, priority, key, label, point, value, limit, unit }
  }

  /** Somebody sees to it after a while; what came lately still waits. */
  #answer(
    eventId: string,
    { kind, key, priority, at }: Pick<EventRow, 'kind' | 'key' | 'priority'> & { readonly at: number },
  ): void {
    const { until, random } = this.#deps
    if (key === shelvedKey) {
      this.#agenda.add(until - shelvedAgoMs, () => this.#shelve(eventId))
      return
    }
    const [least, most] = answeredAfterMs[priority]
    // What was found at night is read in the morning.
    const from = kind === 'warning' ? at + morningAfterMs : at
    const answeredAt = from + least + random() * (most - least)
    if (answeredAt < until) this.#agenda.add(answeredAt, () => this.#acknowledge(eventId, priority, answeredAt))
  }

  async #acknowledge(eventId: string, priority: Priority, at: number): Promise<void> {
    const lastsMs = acknowledgementMs[priority]
    if (lastsMs !== null && at + lastsMs < this.#deps.until) this.#agenda.add(at + lastsMs, () => this.#expire(at + lastsMs))
    const { server, person } = this.#deps
    const { database } = server
    const found = await eventsById(database, [eventId])
    // What was folded is acknowledged with what shows for it.
    for (const { incident_id: incident } of found) if (incident) found.push(...(await rootsOfIncident(database, incident)))
    await changeEvents(database, found, {
      stepOf: ({ state, ...row }) => {
        if (state === null || acknowledgeable(state) !== 'waits') return null
        const step = { row: { ...row, state }, act: 'acknowledge', at, actor: person.userName } as const
        return { step, audit: this.#audit(row.event_id, 'event.acknowledge', at) }
      },
    })
  }

  /** What is still there when its acknowledgement runs out calls again, and is answered again. */
  async #expire(at: number): Promise<void> {
    for (const { row } of await this.#deps.server.alarm.due.stepUntil(at)) this.#answer(row.event_id, { ...row, at })
  }

  async #shelve(eventId: string): Promise<void> {
    const { server, person, until } = this.#deps
    const at = until - shelvedAgoMs
    const end = at + shelvedForMs
    await changeEvents(server.database, await eventsById(server.database, [eventId]), {
      stepOf: ({ state, ...row }) => {
        if (state === null) return null
        const by = { actor: person.userName, reason: shelvedReason }
        const step = { row: { ...row, state }, act: 'shelve', at, until: end, ...by } as const
        return { step, audit: this.#audit(row.event_id, 'event.shelve', at) }
      },
      alsoStore: (trx, steps) => putOnShelf(trx, steps, new Date(end)),
    })
  }

  /** The log says when it was written, and of what time it is. */
  #audit(id: string, action: 'event.acknowledge' | 'event.shelve', at: number) {
    const { person, until } = this.#deps
    const subject = { kind: 'event', id: numberOf(id) } as const
    return {
      at: until,
      actor: person.userName,
      address: '',
      tenant: null,
      action,
      subject,
      after: { at },
      outcome: 'done',
    } as const
  }
}

/** What is to be done, in the order of time, whenever it was put there. */
class Agenda {
  readonly #due: { readonly at: number; readonly act: () => Promise<void> }[] = []

  add(at: number, act: () => Promise<void>): void {
    const later = this.#due.findLastIndex((each) => each.at <= at)
    this.#due.splice(later + 1, 0, { at, act })
  }

  async run(): Promise<void> {
    for (let next = this.#due.shift(); next; next = this.#due.shift()) await next.act()
  }
}

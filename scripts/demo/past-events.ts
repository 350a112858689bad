import type { Priority } from '@linewarden/equipment'
import { minuteMs } from '@linewarden/equipment'
import { acknowledgeable } from '@linewarden/rules/alarm'
import type { Server } from '@linewarden/server/compose'
import type { Past, PastFact } from '@linewarden/simulator'
import type pg from 'pg'
import { numberOf } from '../../apps/server/src/areas/alarm/seen-events.ts'
import { linkEvent } from '../../apps/server/src/field/watch/link-event.ts'
import { changeEvents, eventsById } from '../../apps/server/src/store/alarm/change.ts'
import { putOnShelf } from '../../apps/server/src/store/alarm/shelf.ts'
import type { EventDraft } from '../../apps/server/src/store/ingest/batch.ts'
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

/** What cannot be mended today: it goes on the shelf, with its reason, as often as its time runs out. */
const shelvedKey = 'battery.low'
const shelvedReason = '电池已订购，明日更换'
const shelvedForMs = 480 * minuteMs
const shelvedAgoMs = 100 * minuteMs

const positionLabels = {
  open: { zh: '线路分闸', en: 'Line opened' },
  closed: { zh: '线路合闸', en: 'Line closed' },
} as const

interface Deps {
  readonly server: Pick<Server, 'database' | 'plant'>
  readonly client: pg.Client
  readonly person: Person
  readonly orders: PastOrders
  readonly random: () => number
  readonly until: number
  /** Names of lines that were opened as one intent. */
  readonly groupOf: (fact: PastFact) => boolean
}

/** Writes what was reported and what people did about it in the order of time, by what ingest and the alarm list write with. */
export async function writeFacts({ facts }: Pick<Past, 'facts'>, failed: readonly FailedOrder[], deps: Deps): Promise<number> {
  const { server, client, orders, until, random, groupOf } = deps
  const committer = new Committer(client, Number.POSITIVE_INFINITY)
  const queue = new Agenda()
  const together = new Map<number, Extract<PastFact, { kind: 'operation' }>[]>()
  let events = 0
  for (const order of failed) queue.add(order.at, () => orders.failed(order))
  for (const fact of facts) {
    if (fact.kind !== 'operation') queue.add(fact.at, () => report(fact))
    else if (groupOf(fact)) {
      const minute = Math.floor(fact.at / minuteMs)
      const group = together.get(minute)
      if (group) group.push(fact)
      else together.set(minute, [fact])
    } else queue.add(fact.at, () => orders.done(fact))
  }
  for (const group of together.values()) queue.add(group[0]?.at ?? 0, () => orders.opened(group))
  await queue.run()
  return events

  async function report(fact: Exclude<PastFact, { kind: 'operation' }>): Promise<void> {
    const batch = new Batch(0, 1)
    if (fact.kind === 'lockout') {
      const line = orders.lineOf(fact)
      batch.lockouts.set(line, { cause: fact.cause, at: fact.at, no: null })
      orders.lockedOut(line)
    } else batch.events.push(draftOf(fact))
    for (const { row, draft } of await committer.commit(batch, fact.at)) {
      if (draft.act === 'raise') events += 1
      if (draft.act === 'raise' && draft.kind !== 'journal') answer(row.event_id, draft)
    }
  }

  function draftOf(fact: Exclude<PastFact, { kind: 'operation' | 'lockout' }>): EventDraft {
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
  function answer(eventId: string, { key, priority, at }: EventDraft): void {
    if (key === shelvedKey) {
      queue.add(until - shelvedAgoMs, () => shelve(eventId))
      return
    }
    const [least, most] = answeredAfterMs[priority]
    const answeredAt = at + least + random() * (most - least)
    if (answeredAt < until) queue.add(answeredAt, () => acknowledge(eventId, answeredAt))
  }

  async function acknowledge(eventId: string, at: number): Promise<void> {
    await changeEvents(server.database, await eventsById(server.database, [eventId]), {
      stepOf({ state, ...row }) {
        if (state === null || acknowledgeable(state) !== 'waits') return null
        return {
          step: { row: { ...row, state }, act: 'acknowledge', at, actor: deps.person.userName },
          audit: auditOf(row.event_id, 'event.acknowledge', at),
        }
      },
    })
  }

  async function shelve(eventId: string): Promise<void> {
    const at = until - shelvedAgoMs
    const end = at + shelvedForMs
    await changeEvents(server.database, await eventsById(server.database, [eventId]), {
      stepOf({ state, ...row }) {
        if (state === null) return null
        const step = {
          row: { ...row, state },
          act: 'shelve',
          at,
          until: end,
          actor: deps.person.userName,
          reason: shelvedReason,
        } as const
        return { step, audit: auditOf(row.event_id, 'event.shelve', at) }
      },
      alsoStore: (trx, steps) => putOnShelf(trx, steps, new Date(end)),
    })
  }

  function auditOf(id: string, action: 'event.acknowledge' | 'event.shelve', at: number) {
    const subject = { kind: 'event', id: numberOf(id) } as const
    return {
      at: until,
      actor: deps.person.userName,
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

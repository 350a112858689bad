import { hourMs } from '@linewarden/equipment'
import type { Life, LifeFact } from '@linewarden/rules/control'
import { isFinal, isUnderWay } from '@linewarden/rules/control'
import type { Logger } from 'pino'
import { Loop } from '../../lib/every.ts'
import { KeyedMutex } from '../../lib/serial.ts'
import type { Committed, Hub } from '../../plant/hub.ts'
import type { PlantGateway } from '../../plant/plant.ts'
import { watchOverdueOrders } from './overdue-orders.ts'

/** An authorised order that is being dispatched: an action or a setting. */
export interface OpenOrder extends Life {
  readonly commandId: string
}

/** A fact about an order, by its id. */
export type Evidence<F> = readonly [commandId: string, fact: F | LifeFact]

/** An order as a fact has left it. */
export interface Step<L, F> {
  readonly life: L
  readonly fact: F | LifeFact
}

/** What differs between kinds of orders. */
export interface DispatchAdapter<L extends OpenOrder, F> {
  fold(life: L, fact: F | LifeFact): L
  /** Stores all of it or nothing. */
  save(steps: readonly Step<L, F>[]): Promise<void>
  /** Why it must not leave any more: an interlock applied since it was authorised. */
  interlockOf(life: L, now: number): string | null
  reaches(life: L): boolean
  transmit(life: L): 'sent' | 'no_session'
  /** Doing it twice does no harm: it is sent again until it is answered or its time is over. */
  readonly again: (life: L) => boolean
  /** Orders with the same key are handled one after the other; those with different keys do not wait for one another. */
  queueOf(life: L): string
  placeOf(life: L): string
  gatewayOf(life: L): PlantGateway | undefined
  /** What a commit proves about open orders, beyond the gateway's own answers. */
  evidenceIn(
    committed: Committed,
    openAt: (place: string) => readonly L[],
    openById: (id: string) => L | undefined,
  ): readonly Evidence<F>[]
  /** Orders that are stored as under way though their deadline lies before this. */
  overdue(before: number): Promise<readonly L[]>
  /** After each step is stored, and when orders are taken up. */
  announce(lives: readonly L[]): void
  /** It came to an end, or to "unknown"; after it was stored. */
  settled(life: L): void
}

interface Deps {
  readonly hub: Hub
  readonly clock: () => number
  readonly log: Logger
}

const tickEveryMs = 250
const tryAgainMs = 1_000
/** So many leave together: they are marked as sent in one transaction. */
const chunk = 50
/** No request lives so long that it could bring an order a second time. */
const rememberMs = hourMs

/**
 * Dispatches authorised orders to the equipment and follows them until there is evidence: the one way for actions and settings. Facts about
 * one order are folded one after the other, and each step is stored before it is announced. An order ends only in what the equipment reported,
 * in a refusal, or in "unknown".
 */
export function createDispatcher<L extends OpenOrder, F extends { readonly at: number }>(
  adapter: DispatchAdapter<L, F>,
  deps: Deps,
) {
  const { hub, clock, log } = deps
  const open = new Map<string, L>()
  const byPlace = new Map<string, Set<string>>()
  const lastTry = new Map<string, number>()
  /** What was reported and is not folded yet, in order, by queue. */
  const waiting = new Map<string, Evidence<F>[]>()
  /** What was taken up, with its deadline: also when it is over, it is never begun again. */
  const begun = new Map<string, number>()
  const queues = new KeyedMutex()
  /** Commits that arrive before the open orders are loaded. */
  let early: Committed[] | null = null
  const overdueOrders = watchOverdueOrders<L>({ overdue: adapter.overdue, isOpen: (id) => open.has(id), end, clock, log })
  const ticks = new Loop(tickEveryMs, tick, { log })
  let unsubscribe = () => {}

  return {
    /**
     * Takes up what was open when the server stopped. What was under way then is unknown from here; what does no harm twice is tried again
     * while its time lasts. It listens before it asks, so that no proof falls between.
     */
    async start(openNow: () => Promise<readonly L[]>): Promise<void> {
      const heard = hub.early()
      early = heard
      unsubscribe = hub.subscribe((committed) => (early ? void early.push(committed) : listen(committed)))
      const left = await openNow()
      for (const life of left) keep(life)
      const at = clock()
      const lasts = (life: L) => adapter.again(life) && isUnderWay(life.state) && at <= life.deadline
      adapter.announce(left.filter(lasts))
      await fold(left.flatMap((life) => (lasts(life) ? [] : [[life.commandId, { kind: 'restart', at }] as const])))
      early = null
      for (const committed of heard) listen(committed)
      overdueOrders.start()
      ticks.start()
    },
    /** Takes authorised orders and sends them at once, each only once; resolves when each has left, or is known not to have. */
    async begin(ordered: readonly L[]): Promise<void> {
      const lives = ordered.filter(({ commandId }) => !begun.has(commandId))
      for (const life of lives) keep(life)
      adapter.announce(lives)
      const leaving: Promise<unknown>[] = []
      for (const [queue, own] of Map.groupBy(lives, adapter.queueOf))
        for (let from = 0; from < own.length; from += chunk) {
          const ids = own.slice(from, from + chunk).map(({ commandId }) => commandId)
          leaving.push(inQueue(queue, () => send(queue, ids)))
        }
      await Promise.all(leaving)
    },
    /** Moves time on for every open order; runs by itself every quarter of a second. */
    tick,
    /** Ends overdue orders that no dispatcher holds; runs by itself every few seconds. */
    sweep: overdueOrders.tick,
    openById: (commandId: string): L | undefined => open.get(commandId),
    openAt,
    async close(): Promise<void> {
      const over = ticks.close()
      unsubscribe()
      await over
      await overdueOrders.close()
      await queues.settled()
    },
  }

  /**
   * `sent` is stored before the message leaves: if the server dies between the two, the outcome is unknown, and nobody sends it a second
   * time. What cannot go now never goes, except what is tried again while its time lasts.
   */
  async function send(queue: string, ids: readonly string[]): Promise<void> {
    const now = clock()
    const leaving = ids.flatMap((id) => open.get(id) ?? []).filter(({ state }) => state === 'authorised')
    await fold(leaving.flatMap((life) => beforeSending(life, now)))
    for (const { commandId } of leaving) {
      const life = open.get(commandId)
      if (life?.state !== 'sent') continue
      const reason = whyNotNow(life)
      if (reason !== null) wait(queue, [[commandId, { kind: 'result', status: 'refused', reason, at: clock() }]])
    }
    await foldWaiting(queue)
  }

  function beforeSending(life: L, now: number): readonly Evidence<F>[] {
    const { commandId, deadline } = life
    if (now > deadline) return [[commandId, { kind: 'tick', at: now }]]
    const held = adapter.interlockOf(life, now)
    if (held !== null) return [[commandId, { kind: 'notSent', at: now, reason: held }]]
    if (adapter.reaches(life)) return [[commandId, { kind: 'sent', at: now }]]
    return adapter.again(life) ? [] : [[commandId, { kind: 'notSent', at: now, reason: 'offline' }]]
  }

  /** Saving took time: what could have changed meanwhile is looked at once more, last thing before the message leaves. */
  function whyNotNow(life: L): string | null {
    const now = clock()
    if (now > life.deadline) return 'deadline_passed'
    const held = adapter.interlockOf(life, now)
    if (held !== null) return held
    // What found no connection never left and never will, unless it is tried again.
    return transmit(life) === 'sent' || adapter.again(life) ? null : 'offline'
  }

  function transmit(life: L): 'sent' | 'no_session' {
    lastTry.set(life.commandId, clock())
    const outcome = adapter.transmit(life)
    if (outcome === 'no_session') log.warn({ commandId: life.commandId }, 'an order found no connection')
    return outcome
  }

  async function tick(): Promise<void> {
    const byQueue = Map.groupBy(open.values(), adapter.queueOf)
    await Promise.all(
      [...byQueue].map(([queue, lives]) =>
        inQueue(queue, () =>
          tickQueue(
            queue,
            lives.map(({ commandId }) => commandId),
          ),
        ),
      ),
    )
  }

  async function tickQueue(queue: string, ids: readonly string[]): Promise<void> {
    await foldWaiting(queue)
    const now = clock()
    for (const id of ids) {
      const life = open.get(id)
      if (!life || !adapter.again(life) || !isUnderWay(life.state) || now > life.deadline) continue
      if (now - (lastTry.get(id) ?? 0) < tryAgainMs) continue
      if (life.state === 'authorised') await send(queue, [id])
      else transmit(life)
    }
    await fold(ids.map((id) => [id, { kind: 'tick', at: now }]))
  }

  /** An order long past its deadline that no dispatcher holds ends like any other. */
  async function end(found: readonly L[]): Promise<void> {
    const at = clock()
    for (const life of found) keep(life)
    await Promise.all(found.map((life) => inQueue(adapter.queueOf(life), () => fold([[life.commandId, { kind: 'tick', at }]]))))
  }

  function listen(committed: Committed): void {
    if (open.size === 0) return
    const evidence: Evidence<F>[] = []
    for (const { commandId, gateway, status, reason, receivedAt } of committed.results ?? []) {
      const life = open.get(commandId)
      // Only the gateway that was asked may answer.
      if (life && adapter.gatewayOf(life) === gateway)
        evidence.push([commandId, { kind: 'result', status, reason, at: receivedAt }])
    }
    evidence.push(...adapter.evidenceIn(committed, openAt, (id) => open.get(id)))
    const byQueue = Map.groupBy(evidence, ([id]) => queueOf(id))
    for (const [queue, facts] of byQueue) {
      if (queue === null) continue
      wait(queue, facts)
      void inQueue(queue, () => foldWaiting(queue))
    }
  }

  /** One step of a queue after the other, so that two facts never fold one order at once. A failed step does not stop the next. */
  async function inQueue(queue: string, work: () => Promise<void>): Promise<void> {
    await queues
      .run(queue, work)
      .catch((error) => log.error({ err: error }, 'a step of an order failed; it is taken up again with the next tick'))
  }

  function queueOf(commandId: string): string | null {
    const life = open.get(commandId)
    return life ? adapter.queueOf(life) : null
  }

  function wait(queue: string, evidence: readonly Evidence<F>[]): void {
    const before = waiting.get(queue)
    if (before) before.push(...evidence)
    else waiting.set(queue, [...evidence])
  }

  /** In order. Facts that could not be stored stay first in the line, and the next tick tries again: proof is not lost to a database that was away. */
  async function foldWaiting(queue: string): Promise<void> {
    const evidence = waiting.get(queue) ?? []
    while (evidence.length > 0) {
      const count = evidence.length
      await fold(evidence.slice(0, count))
      evidence.splice(0, count)
    }
    waiting.delete(queue)
  }

  async function fold(evidence: readonly Evidence<F>[]): Promise<void> {
    const moved = new Map<string, L>()
    const steps: Step<L, F>[] = []
    for (const [id, fact] of evidence) {
      const before = moved.get(id) ?? open.get(id)
      if (!before) continue
      const life = adapter.fold(before, fact)
      if (life === before) continue
      moved.set(id, life)
      steps.push({ life, fact })
    }
    if (steps.length === 0) return
    await adapter.save(steps)
    const lives = [...moved.values()]
    for (const life of lives) {
      if (isFinal(life.state)) forget(life)
      else open.set(life.commandId, life)
    }
    adapter.announce(lives)
    for (const life of lives) if (!isUnderWay(life.state)) adapter.settled(life)
  }

  function openAt(place: string): readonly L[] {
    return [...(byPlace.get(place) ?? [])].flatMap((id) => open.get(id) ?? [])
  }

  function keep(life: L): void {
    open.set(life.commandId, life)
    for (const [id, deadline] of begun) {
      if (deadline + rememberMs > clock()) break
      begun.delete(id)
    }
    begun.set(life.commandId, life.deadline)
    const place = adapter.placeOf(life)
    byPlace.set(place, (byPlace.get(place) ?? new Set()).add(life.commandId))
  }

  function forget(life: L): void {
    open.delete(life.commandId)
    lastTry.delete(life.commandId)
    const place = adapter.placeOf(life)
    const others = byPlace.get(place)
    others?.delete(life.commandId)
    if (others?.size === 0) byPlace.delete(place)
  }
}

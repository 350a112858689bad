import type { LifeFact } from '@linewarden/rules/control'
import { isFinal, isUnderWay } from '@linewarden/rules/control'
import type { Logger } from 'pino'
import { Loop } from '../../lib/every.ts'
import { KeyedMutex } from '../../lib/serial.ts'
import type { Committed, Hub } from '../../plant/hub.ts'
import type { PlantGateway } from '../../plant/plant.ts'
import type { OpenOrder } from './open-orders.ts'
import { OpenOrders } from './open-orders.ts'
import { ordersCounted } from './orders-counted.ts'
import { watchOverdueOrders } from './overdue-orders.ts'

/** A fact about an order, by its id. */
export type Evidence<F> = readonly [commandId: string, fact: F | LifeFact]

/** An order as a fact has left it, and as it was before. */
export interface Step<L, F> {
  readonly before: L
  readonly life: L
  readonly fact: F | LifeFact
}

/** What differs between kinds of orders. */
export interface DispatchAdapter<L extends OpenOrder, F> {
  fold(life: L, fact: F | LifeFact): L
  /** Stores all of it or nothing, over what it was made of; answers the orders that stand otherwise, for which nothing was stored. */
  save(steps: readonly Step<L, F>[]): Promise<readonly L[]>
  /** How it ends when it must not leave any more: an interlock was applied since it was authorised. Null: none was. */
  blockOutcome(life: L, now: number): string | null
  /** The same of tags, inspections and lock-outs as the database has them, whichever server wrote them; by id, and only of what they block. */
  storedBlockOutcomes(lives: readonly L[], now: number): Promise<ReadonlyMap<string, string>>
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
/** So many are sent again a tick: of thousands that wait for their answers the repeats never crowd out what goes first, nor the answers. */
const againAtOnce = 50
/** So many leave together: they are marked as sent in one transaction. */
const chunk = 50

/**
 * Dispatches authorised orders to the equipment and follows them until there is evidence: the one way for actions and settings. Facts about
 * one order are folded one after the other, and each step is stored before it is announced. An order ends only in what the equipment reported,
 * in a refusal, or in "unknown".
 */
export class Dispatcher<L extends OpenOrder, F extends { readonly at: number }> {
  readonly #adapter: DispatchAdapter<L, F>
  readonly #hub: Hub
  readonly #clock: () => number
  readonly #log: Logger
  readonly #open: OpenOrders<L>
  readonly #lastTry = new Map<string, number>()
  /** What was reported and is not folded yet, in order, by queue. */
  readonly #waiting = new Map<string, Evidence<F>[]>()
  readonly #queues = new KeyedMutex()
  readonly #overdue: Loop
  readonly #ticks: Loop
  /** Commits that arrive before the open orders are loaded. */
  #early: Committed[] | null = null
  #unsubscribe = () => {}

  constructor(adapter: DispatchAdapter<L, F>, { hub, clock, log }: Deps) {
    this.#adapter = adapter
    this.#hub = hub
    this.#clock = clock
    this.#log = log
    this.#open = new OpenOrders((life) => adapter.placeOf(life), clock)
    this.#overdue = watchOverdueOrders<L>({
      overdue: adapter.overdue,
      isOpen: (id) => this.#open.byId(id) !== undefined,
      end: (found) => this.#end(found),
      clock,
      log,
    })
    this.#ticks = new Loop(tickEveryMs, this.tick, { log })
  }

  /**
   * Takes up what was open when the server stopped. What was under way then is unknown from here; what does no harm twice is tried again
   * while its time lasts. It listens before it asks, so that no proof falls between.
   */
  async start(openNow: () => Promise<readonly L[]>): Promise<void> {
    const collected = this.#hub.early()
    this.#early = collected
    this.#unsubscribe = this.#hub.subscribe((committed) =>
      this.#early ? void this.#early.push(committed) : this.#listen(committed),
    )
    const left = await openNow()
    for (const life of left) this.#open.keep(life)
    const at = this.#clock()
    const lasts = (life: L) => this.#adapter.again(life) && isUnderWay(life.state) && at <= life.deadline
    this.#adapter.announce(left.filter(lasts))
    await this.#fold(left.flatMap((life) => (lasts(life) ? [] : [[life.commandId, { kind: 'restart', at }] as const])))
    this.#early = null
    for (const committed of collected) this.#listen(committed)
    this.#overdue.start()
    this.#ticks.start()
  }

  /** Takes authorised orders and sends them at once, each only once; resolves when each has left, or is known not to have. */
  async begin(ordered: readonly L[]): Promise<void> {
    const lives = ordered.filter((life) => !this.#open.wasBegun(life))
    for (const life of lives) this.#open.keep(life)
    for (const { state } of lives) ordersCounted.inc({ state })
    this.#adapter.announce(lives)
    const leaving: Promise<unknown>[] = []
    for (const [queue, own] of Map.groupBy(lives, this.#adapter.queueOf))
      for (let from = 0; from < own.length; from += chunk) {
        const ids = own.slice(from, from + chunk).map(({ commandId }) => commandId)
        leaving.push(this.#inQueue(queue, () => this.#send(queue, ids)))
      }
    await Promise.all(leaving)
  }

  /** Moves time on for every open order; runs by itself every quarter of a second. */
  readonly tick = async (): Promise<void> => {
    const byQueue = Map.groupBy(this.#open.all(), this.#adapter.queueOf)
    const again = this.#dueAgain()
    await Promise.all(
      [...byQueue].map(([queue, lives]) =>
        this.#inQueue(queue, () =>
          this.#tickQueue(
            queue,
            lives.map(({ commandId }) => commandId),
            again,
          ),
        ),
      ),
    )
  }

  /** What is sent again now: whatever waits longest since it was last. */
  #dueAgain(): ReadonlySet<string> {
    const now = this.#clock()
    const waiting: { readonly id: string; readonly triedAt: number }[] = []
    for (const life of this.#open.all()) {
      const triedAt = this.#lastTry.get(life.commandId) ?? 0
      const isDue = this.#adapter.again(life) && isUnderWay(life.state) && now <= life.deadline && now - triedAt >= tryAgainMs
      // What never left has not been sent yet: that is no repeat.
      if (isDue && life.state !== 'authorised') waiting.push({ id: life.commandId, triedAt })
    }
    if (waiting.length > againAtOnce) waiting.sort((one, other) => one.triedAt - other.triedAt)
    return new Set(waiting.slice(0, againAtOnce).map(({ id }) => id))
  }

  /** Ends overdue orders that no dispatcher follows; runs by itself every few seconds. */
  readonly sweep = (): Promise<void> => this.#overdue.tick()

  openById(commandId: string): L | undefined {
    return this.#open.byId(commandId)
  }

  readonly openAt = (place: string): readonly L[] => this.#open.at(place)

  readonly close = async (): Promise<void> => {
    const over = this.#ticks.close()
    this.#unsubscribe()
    await over
    await this.#overdue.close()
    await this.#queues.settled()
  }

  /**
   * `sent` is stored before the message leaves: if the server dies between the two, the outcome is unknown, and nobody sends it a second
   * time. What cannot go now never goes, except what is tried again while its time lasts.
   */
  async #send(queue: string, ids: readonly string[]): Promise<void> {
    const now = this.#clock()
    const leaving = ids.flatMap((id) => this.#open.byId(id) ?? []).filter(({ state }) => state === 'authorised')
    const moved = await this.#fold(leaving.flatMap((life) => this.#beforeSending(life, now)))
    const sent = leaving
      .flatMap(({ commandId }) => this.#open.byId(commandId) ?? [])
      // What another server has sent does not leave from here too.
      .filter((life) => life.state === 'sent' && (moved.has(life.commandId) || this.#adapter.again(life)))
    const stored = await this.#storedBlockOutcomes(sent)
    for (const { commandId } of sent) {
      const life = this.#open.byId(commandId)
      if (life?.state !== 'sent') continue
      const reason = this.#whyNotNow(life, stored.get(commandId) ?? null)
      if (reason !== null) this.#wait(queue, [[commandId, { kind: 'result', status: 'refused', reason, at: this.#clock() }]])
    }
    await this.#foldWaiting(queue)
  }

  /**
   * What is sent again waits for no question. All else does not leave where the database does not answer: only this server has marked it as
   * sent and would send it, once, so it is known never to have left. That is stored when the database is back.
   */
  async #storedBlockOutcomes(sent: readonly L[]): Promise<ReadonlyMap<string, string>> {
    const asking = sent.filter((life) => !this.#adapter.again(life))
    try {
      return await this.#adapter.storedBlockOutcomes(asking, this.#clock())
    } catch (error) {
      this.#log.error({ err: error }, 'orders do not leave: their interlocks cannot be read from the database')
      return new Map(asking.map(({ commandId }) => [commandId, 'interlocks_unknown']))
    }
  }

  #beforeSending(life: L, now: number): readonly Evidence<F>[] {
    const { commandId, deadline } = life
    if (now > deadline) return [[commandId, { kind: 'tick', at: now }]]
    const block = this.#adapter.blockOutcome(life, now)
    if (block !== null) return [[commandId, { kind: 'notSent', at: now, reason: block }]]
    if (this.#adapter.reaches(life)) return [[commandId, { kind: 'sent', at: now }]]
    return this.#adapter.again(life) ? [] : [[commandId, { kind: 'notSent', at: now, reason: 'offline' }]]
  }

  /** Saving took time: what could have changed meanwhile is looked at once more, last thing before the message leaves. */
  #whyNotNow(life: L, stored: string | null): string | null {
    const now = this.#clock()
    if (now > life.deadline) return 'deadline_passed'
    const block = this.#adapter.blockOutcome(life, now) ?? stored
    if (block !== null) return block
    // What found no connection never left and never will, unless it is tried again.
    return this.#transmit(life) === 'sent' || this.#adapter.again(life) ? null : 'offline'
  }

  #transmit(life: L): 'sent' | 'no_session' {
    this.#lastTry.set(life.commandId, this.#clock())
    const outcome = this.#adapter.transmit(life)
    if (outcome === 'no_session') this.#log.warn({ commandId: life.commandId }, 'an order found no connection')
    return outcome
  }

  async #tickQueue(queue: string, ids: readonly string[], again: ReadonlySet<string>): Promise<void> {
    await this.#foldWaiting(queue)
    const now = this.#clock()
    for (const id of ids) {
      const life = this.#open.byId(id)
      if (!life || !this.#adapter.again(life) || !isUnderWay(life.state) || now > life.deadline) continue
      if (now - (this.#lastTry.get(id) ?? 0) < tryAgainMs) continue
      if (life.state === 'authorised') await this.#send(queue, [id])
      else if (again.has(id)) this.#transmit(life)
    }
    await this.#fold(ids.map((id) => [id, { kind: 'tick', at: now }]))
  }

  /** An order long past its deadline that no dispatcher follows ends like any other. */
  async #end(found: readonly L[]): Promise<void> {
    const at = this.#clock()
    for (const life of found) this.#open.keep(life)
    await Promise.all(
      found.map((life) => this.#inQueue(this.#adapter.queueOf(life), () => this.#fold([[life.commandId, { kind: 'tick', at }]]))),
    )
  }

  #listen(committed: Committed): void {
    if (this.#open.size === 0) return
    const evidence: Evidence<F>[] = []
    for (const { commandId, gateway, status, reason, receivedAt } of committed.results ?? []) {
      const life = this.#open.byId(commandId)
      // Only the gateway that was asked may answer.
      if (life && this.#adapter.gatewayOf(life) === gateway)
        evidence.push([commandId, { kind: 'result', status, reason, at: receivedAt }])
    }
    evidence.push(...this.#adapter.evidenceIn(committed, this.openAt, (id) => this.#open.byId(id)))
    const byQueue = Map.groupBy(evidence, ([id]) => this.#queueOf(id))
    for (const [queue, facts] of byQueue) {
      if (queue === null) continue
      this.#wait(queue, facts)
      void this.#inQueue(queue, () => this.#foldWaiting(queue))
    }
  }

  /** One step of a queue after the other, so that two facts never fold one order at once. A failed step does not stop the next. */
  async #inQueue(queue: string, work: () => Promise<unknown>): Promise<void> {
    await this.#queues
      .run(queue, work)
      .catch((error) => this.#log.error({ err: error }, 'a step of an order failed; it is taken up again with the next tick'))
  }

  #queueOf(commandId: string): string | null {
    const life = this.#open.byId(commandId)
    return life ? this.#adapter.queueOf(life) : null
  }

  #wait(queue: string, evidence: readonly Evidence<F>[]): void {
    const before = this.#waiting.get(queue)
    if (before) before.push(...evidence)
    else this.#waiting.set(queue, [...evidence])
  }

  /** In order. Facts that could not be stored stay first in the line, and the next tick tries again: proof is not lost to a database that was away. */
  async #foldWaiting(queue: string): Promise<void> {
    const evidence = this.#waiting.get(queue) ?? []
    while (evidence.length > 0) {
      const count = evidence.length
      await this.#fold(evidence.slice(0, count))
      evidence.splice(0, count)
    }
    this.#waiting.delete(queue)
  }

  /**
   * Stored over what it was made of: what another server, which has the order too, wrote meanwhile is learnt first, and folded on. Answers the
   * orders that it moved itself.
   */
  async #fold(evidence: readonly Evidence<F>[]): Promise<ReadonlySet<string>> {
    for (;;) {
      const steps = this.#stepsOf(evidence)
      if (steps.length === 0) return new Set()
      const moved = new Map(steps.map(({ life }) => [life.commandId, life]))
      const otherwise = await this.#adapter.save(steps)
      this.#know(otherwise.length > 0 ? otherwise : [...moved.values()])
      if (otherwise.length > 0) continue
      for (const { before, life } of steps) if (life.state !== before.state) ordersCounted.inc({ state: life.state })
      return new Set(moved.keys())
    }
  }

  #know(lives: readonly L[]): void {
    for (const life of lives) {
      this.#open.move(life)
      if (isFinal(life.state)) this.#lastTry.delete(life.commandId)
    }
    this.#adapter.announce(lives)
    for (const life of lives) if (!isUnderWay(life.state)) this.#adapter.settled(life)
  }

  #stepsOf(evidence: readonly Evidence<F>[]): readonly Step<L, F>[] {
    const moved = new Map<string, L>()
    return evidence.flatMap(([id, fact]): Step<L, F>[] => {
      const before = moved.get(id) ?? this.#open.byId(id)
      const life = before && this.#adapter.fold(before, fact)
      if (!life || life === before) return []
      moved.set(id, life)
      return [{ before, life, fact }]
    })
  }
}

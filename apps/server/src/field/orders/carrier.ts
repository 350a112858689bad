import { hourMs } from '@linewarden/equipment'
import type { Life, LifeFact } from '@linewarden/rules/control'
import { isFinal, isUnderWay } from '@linewarden/rules/control'
import type { Logger } from 'pino'
import { Loop } from '../../lib/every.ts'
import { KeyedMutex } from '../../lib/serial.ts'
import type { Committed, Hub } from '../../plant/hub.ts'
import type { PlantGateway } from '../../plant/plant.ts'
import { watchStrays } from './strays.ts'

/** An authorised order on its way: an action or a setting. */
export interface Carried extends Life {
  readonly commandId: string
}

/** Something that happened to an order, by its id. */
export type Told<F> = readonly [commandId: string, fact: F | LifeFact]

/** An order as a fact has left it. */
export interface Step<L, F> {
  readonly life: L
  readonly fact: F | LifeFact
}

/** What is particular to a kind of orders. */
export interface Freight<L extends Carried, F> {
  fold(life: L, fact: F | LifeFact): L
  /** Stores all of it or nothing. */
  save(steps: readonly Step<L, F>[]): Promise<void>
  /** What was hung or begun since it was authorised. */
  heldBy(life: L, now: number): string | null
  reaches(life: L): boolean
  hand(life: L): 'sent' | 'no_session'
  /** Doing it twice does no harm: it is sent again until it is answered or its time is over. */
  readonly again: (life: L) => boolean
  /** What it waits its turn with; orders of different turns do not wait for one another. */
  turnOf(life: L): string
  placeOf(life: L): string
  gatewayOf(life: L): PlantGateway | undefined
  /** What a commit says about open orders, beyond the gateway's own answers. */
  heard(
    committed: Committed,
    openAt: (place: string) => readonly L[],
    openById: (id: string) => L | undefined,
  ): readonly Told<F>[]
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
 * Carries authorised orders to the equipment and waits for proof: the one way for actions and for settings. Facts about one order are folded
 * one after the other; each step is stored before anybody hears of it. An order ends only in what the equipment reported, in a refusal, or in
 * "unknown".
 */
export function createCarrier<L extends Carried, F extends { readonly at: number }>(freight: Freight<L, F>, deps: Deps) {
  const { hub, clock, log } = deps
  const open = new Map<string, L>()
  const byPlace = new Map<string, Set<string>>()
  const lastTry = new Map<string, number>()
  /** What was reported and is not folded yet, in order, by turn. */
  const waiting = new Map<string, Told<F>[]>()
  /** What was taken up, with its deadline: also when it is over, it is never begun again. */
  const begun = new Map<string, number>()
  const turns = new KeyedMutex()
  /** What is heard before it is known what was left open. */
  let early: Committed[] | null = null
  const strays = watchStrays<L>({ overdue: freight.overdue, carried: (id) => open.has(id), end, clock, log })
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
      const lasts = (life: L) => freight.again(life) && isUnderWay(life.state) && at <= life.deadline
      freight.announce(left.filter(lasts))
      await fold(left.flatMap((life) => (lasts(life) ? [] : [[life.commandId, { kind: 'restart', at }] as const])))
      early = null
      for (const committed of heard) listen(committed)
      strays.start()
      ticks.start()
    },
    /** Takes authorised orders and sends them at once, each only once; resolves when each has left, or is known not to have. */
    async begin(ordered: readonly L[]): Promise<void> {
      const lives = ordered.filter(({ commandId }) => !begun.has(commandId))
      for (const life of lives) keep(life)
      freight.announce(lives)
      const leaving: Promise<unknown>[] = []
      for (const [turn, own] of Map.groupBy(lives, freight.turnOf))
        for (let from = 0; from < own.length; from += chunk) {
          const ids = own.slice(from, from + chunk).map(({ commandId }) => commandId)
          leaving.push(inTurn(turn, () => send(turn, ids)))
        }
      await Promise.all(leaving)
    },
    /** Moves time on for every open order; runs by itself every quarter of a second. */
    tick,
    /** Takes up what nobody carries; runs by itself every few seconds. */
    sweep: strays.tick,
    openById: (commandId: string): L | undefined => open.get(commandId),
    openAt,
    async close(): Promise<void> {
      const over = ticks.close()
      unsubscribe()
      await over
      await strays.close()
      await turns.settled()
    },
  }

  /**
   * `sent` is stored before the message leaves: if the server dies between the two, the outcome is unknown, and nobody sends it a second
   * time. What cannot go now never goes, except what is tried again while its time lasts.
   */
  async function send(turn: string, ids: readonly string[]): Promise<void> {
    const now = clock()
    const leaving = ids.flatMap((id) => open.get(id) ?? []).filter(({ state }) => state === 'authorised')
    await fold(leaving.flatMap((life) => beforeSending(life, now)))
    for (const { commandId } of leaving) {
      const life = open.get(commandId)
      if (life?.state !== 'sent') continue
      const reason = whyNotNow(life)
      if (reason !== null) wait(turn, [[commandId, { kind: 'result', status: 'refused', reason, at: clock() }]])
    }
    await foldWaiting(turn)
  }

  function beforeSending(life: L, now: number): readonly Told<F>[] {
    const { commandId, deadline } = life
    if (now > deadline) return [[commandId, { kind: 'tick', at: now }]]
    const held = freight.heldBy(life, now)
    if (held !== null) return [[commandId, { kind: 'notSent', at: now, reason: held }]]
    if (freight.reaches(life)) return [[commandId, { kind: 'sent', at: now }]]
    return freight.again(life) ? [] : [[commandId, { kind: 'notSent', at: now, reason: 'offline' }]]
  }

  /** Saving took time: what could have changed meanwhile is looked at once more, last thing before the message leaves. */
  function whyNotNow(life: L): string | null {
    const now = clock()
    if (now > life.deadline) return 'deadline_passed'
    const held = freight.heldBy(life, now)
    if (held !== null) return held
    // What found no connection never left and never will, unless it is tried again.
    return hand(life) === 'sent' || freight.again(life) ? null : 'offline'
  }

  function hand(life: L): 'sent' | 'no_session' {
    lastTry.set(life.commandId, clock())
    const outcome = freight.hand(life)
    if (outcome === 'no_session') log.warn({ commandId: life.commandId }, 'an order found no connection')
    return outcome
  }

  async function tick(): Promise<void> {
    const byTurn = Map.groupBy(open.values(), freight.turnOf)
    await Promise.all(
      [...byTurn].map(([turn, lives]) =>
        inTurn(turn, () =>
          tickTurn(
            turn,
            lives.map(({ commandId }) => commandId),
          ),
        ),
      ),
    )
  }

  async function tickTurn(turn: string, ids: readonly string[]): Promise<void> {
    await foldWaiting(turn)
    const now = clock()
    for (const id of ids) {
      const life = open.get(id)
      if (!life || !freight.again(life) || !isUnderWay(life.state) || now > life.deadline) continue
      if (now - (lastTry.get(id) ?? 0) < tryAgainMs) continue
      if (life.state === 'authorised') await send(turn, [id])
      else hand(life)
    }
    await fold(ids.map((id) => [id, { kind: 'tick', at: now }]))
  }

  /** Long past its deadline, what nobody carried is over as any other order is. */
  async function end(strays: readonly L[]): Promise<void> {
    const at = clock()
    for (const life of strays) keep(life)
    await Promise.all(strays.map((life) => inTurn(freight.turnOf(life), () => fold([[life.commandId, { kind: 'tick', at }]]))))
  }

  function listen(committed: Committed): void {
    if (open.size === 0) return
    const told: Told<F>[] = []
    for (const { commandId, gateway, status, reason, receivedAt } of committed.results ?? []) {
      const life = open.get(commandId)
      // Only the gateway that was asked may answer.
      if (life && freight.gatewayOf(life) === gateway) told.push([commandId, { kind: 'result', status, reason, at: receivedAt }])
    }
    told.push(...freight.heard(committed, openAt, (id) => open.get(id)))
    const byTurn = Map.groupBy(told, ([id]) => turnOf(id))
    for (const [turn, facts] of byTurn) {
      if (turn === null) continue
      wait(turn, facts)
      void inTurn(turn, () => foldWaiting(turn))
    }
  }

  /** One thing of a turn after the other, so that two facts never fold one order at once. What fails stops nothing that follows. */
  async function inTurn(turn: string, work: () => Promise<void>): Promise<void> {
    await turns
      .run(turn, work)
      .catch((error) => log.error({ err: error }, 'a step of an order failed; it is taken up again with the next tick'))
  }

  function turnOf(commandId: string): string | null {
    const life = open.get(commandId)
    return life ? freight.turnOf(life) : null
  }

  function wait(turn: string, told: readonly Told<F>[]): void {
    const before = waiting.get(turn)
    if (before) before.push(...told)
    else waiting.set(turn, [...told])
  }

  /** In order. Facts that could not be stored stay first in the line, and the next tick tries again: proof is not lost to a database that was away. */
  async function foldWaiting(turn: string): Promise<void> {
    const told = waiting.get(turn) ?? []
    while (told.length > 0) {
      const count = told.length
      await fold(told.slice(0, count))
      told.splice(0, count)
    }
    waiting.delete(turn)
  }

  async function fold(told: readonly Told<F>[]): Promise<void> {
    const moved = new Map<string, L>()
    const steps: Step<L, F>[] = []
    for (const [id, fact] of told) {
      const before = moved.get(id) ?? open.get(id)
      if (!before) continue
      const life = freight.fold(before, fact)
      if (life === before) continue
      moved.set(id, life)
      steps.push({ life, fact })
    }
    if (steps.length === 0) return
    await freight.save(steps)
    const lives = [...moved.values()]
    for (const life of lives) {
      if (isFinal(life.state)) forget(life)
      else open.set(life.commandId, life)
    }
    freight.announce(lives)
    for (const life of lives) if (!isUnderWay(life.state)) freight.settled(life)
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
    const place = freight.placeOf(life)
    byPlace.set(place, (byPlace.get(place) ?? new Set()).add(life.commandId))
  }

  function forget(life: L): void {
    open.delete(life.commandId)
    lastTry.delete(life.commandId)
    const place = freight.placeOf(life)
    const others = byPlace.get(place)
    others?.delete(life.commandId)
    if (others?.size === 0) byPlace.delete(place)
  }
}

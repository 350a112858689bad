import { setTimeout as pause } from 'node:timers/promises'
import type { MessageKey } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { Logger } from 'pino'
import type { Actor } from '../../access/actor.ts'
import { by, tenantOfLine } from '../../audit/audited.ts'
import type { Runner } from '../../jobs/runner.ts'
import type { PlantLine } from '../../plant/plant.ts'
import { appendRefusal } from '../../store/audit/append.ts'
import { aboutLine } from '../../store/audit/subject.ts'
import type { GroupLineRefusal, GroupOperation } from '../../store/control/group-operation.ts'
import * as stored from '../../store/control/group-operation.ts'
import type { Database } from '../../store/core/database.ts'
import type { Gate, Order } from './gate.ts'
import { wordOf } from './group-operation-records.ts'
import type { Stagger, Turn } from './stagger.ts'
import { minStaggerMs } from './stagger.ts'

interface Deps {
  readonly database: Database
  readonly gate: Pick<Gate, 'operate'>
  readonly stagger: Stagger
  readonly runner: Pick<Runner, 'stop'>
  /** The person with the rights of now; null when the account is gone. */
  readonly actorNow: (actor: Actor) => Promise<Actor | null>
  /** Tells whoever watches how it stands now. */
  readonly publish: (operationId: string) => Promise<void>
  readonly clock: () => number
  readonly log: Logger
}

/** What automation adds to the turns of a group operation that is part of one of its runs. */
export interface TurnRules {
  readonly source: Order['source']
  /** Resolves when its first turn may come; a refusal: none may, and that is what becomes of every line. */
  readonly ready?: (over: AbortSignal) => Promise<Refusal | null>
  /** Why a line is left out when its turn comes; null: it is not. */
  readonly leftOut?: (order: Order) => Refusal | null
  /** How long after the start a close may leave at the latest, by its number among the turns from 0. */
  readonly lateAfterMs?: (turn: number) => number
  /** Of its lines before it was stored: a trip behind them keeps a line open, by whatever clock it was ordered. */
  readonly fences?: ReadonlyMap<number, number> | null
  /** What stands against a close at the last moment, beside its permit. */
  readonly refusedNow?: (line: PlantLine, startedAt: number) => Refusal | null
  /** After each turn, with what it was refused by: why no line after it has one; null: they go on. */
  readonly after?: (
    order: Pick<Order, 'commandId'>,
    refusal: GroupLineRefusal | null,
    over: AbortSignal,
  ) => Promise<Refusal | null>
}

const tripLanes = 4

/** Gives the lines of a group operation their turns, each through the gate with the rights of that moment. */
export class GroupOperationTurns {
  readonly #deps: Deps
  readonly #closing = new AbortController()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Until every line had its turn, or `stopped`. */
  async give(
    { id, action, staggerMs }: Pick<GroupOperation, 'id' | 'action' | 'staggerMs'>,
    orders: readonly Order[],
    stopped: AbortSignal,
    rules: TurnRules | null = null,
  ): Promise<void> {
    if (action === 'trip') return this.#giveTrips(id, orders, stopped)
    const over = AbortSignal.any([stopped, this.#closing.signal])
    let rest = (await rules?.ready?.(over)) ?? null
    let isFirst = true
    for (const order of orders) {
      if (over.aborted) return
      const leftOut = rules?.leftOut?.(order) ?? null
      if (rest || leftOut) {
        await this.#record(id, order, wordOf(rest ?? (leftOut as Refusal)), rest ? undefined : 'skipped')
        continue
      }
      const projectId = order.line.device.gateway.project.id
      const ended = await this.#keepStagger(projectId, isFirst ? minStaggerMs : staggerMs, over)
      isFirst = false
      if (!ended) return
      // The stagger counts from the sending, which the turn has then just done.
      const refusal = await this.#turn(id, order).finally(ended)
      rest = (await rules?.after?.(order, refusal, over)) ?? null
    }
  }

  /** Nothing more is closed or tested; trips go on. */
  close(): void {
    this.#closing.abort()
  }

  /** A few at a time: more would only wait for a connection to the database, and some might wait too long. */
  async #giveTrips(operationId: string, orders: readonly Order[], stopped: AbortSignal): Promise<void> {
    const rest = [...orders]
    const lane = async () => {
      for (let order = rest.shift(); order && !stopped.aborted; order = rest.shift()) await this.#turn(operationId, order)
    }
    await Promise.all(Array.from({ length: tripLanes }, lane))
  }

  /** One line's turn: what the gate says of it is its outcome. */
  async #turn(operationId: string, order: Order): Promise<GroupLineRefusal | null> {
    const refusal = await this.#refusalOf(operationId, order)
    // It was ended in the midst of this turn, and its end says what became of the line.
    if (refusal?.key === ('group operation over' satisfies MessageKey)) this.#deps.runner.stop(operationId)
    else await this.#record(operationId, order, refusal)
    return refusal
  }

  async #record(
    operationId: string,
    { commandId }: Order,
    refusal: GroupLineRefusal | null,
    state: 'refused' | 'skipped' | 'missed' = isMissed(refusal) ? 'missed' : 'refused',
  ): Promise<void> {
    const { database, publish, log } = this.#deps
    await stored
      .saveGroupOperationLine(database, operationId, commandId, refusal, state)
      .catch((failed) => log.error({ err: failed, operation: operationId }, 'the turn of a line was not recorded'))
    await publish(operationId)
  }

  /** Operates the line; null when the command is on its way. */
  async #refusalOf(operationId: string, order: Order): Promise<GroupLineRefusal | null> {
    try {
      const actor = await this.#whoOrders(order)
      if (!actor?.seesGateway(order.line.device.gateway)) throw await this.#denied(order)
      await this.#deps.gate.operate({ ...order, actor })
      return null
    } catch (error) {
      // One line that fails does not keep the others from their turn.
      if (!(error instanceof Refusal))
        this.#deps.log.error({ err: error, operation: operationId, command: order.commandId }, 'a line of a group failed')
      return wordOf(error instanceof Refusal ? error : new Refusal('failed'))
    }
  }

  /** With the rights of now. A trip whose person is gone, or cannot be looked up, is still theirs: whoever cut the power may be sent away for it. */
  async #whoOrders({ actor, action }: Order): Promise<Actor | null> {
    const { actorNow, log } = this.#deps
    if (action !== 'trip') return actorNow(actor)
    const now = await actorNow(actor).catch((error) => {
      log.error({ err: error }, 'whoever ordered a trip could not be looked up; it goes on')
      return null
    })
    return now ?? actor
  }

  /** Rights were lost since the group operation began: it never came to the gate, which would have written it down. */
  async #denied({ line, action, actor, source, reason, commandId }: Order): Promise<Refusal> {
    const { database, clock } = this.#deps
    const refusal = new Refusal('access denied')
    await appendRefusal(database.control, {
      ...by(actor, clock(), `line.${action}`, tenantOfLine(line)),
      subject: aboutLine(line),
      after: { commandId, reason, source, refusal: refusal.key },
      outcome: 'refused',
    })
    return refusal
  }

  /** Waits until the project's last close is long enough ago; null: the group operation is over. */
  async #keepStagger(projectId: number, staggerMs: number, over: AbortSignal): Promise<Turn | null> {
    while (!over.aborted) {
      const turn = await this.#deps.stagger.take(projectId, staggerMs)
      if (typeof turn === 'number') await pause(turn, undefined, { signal: over }).catch(() => {})
      else if (!over.aborted) return turn
      else turn()
    }
    return null
  }
}

/** Its time had passed: nothing stood against it. */
const isMissed = (refusal: GroupLineRefusal | null): boolean => refusal?.key === ('timed action missed' satisfies MessageKey)

import { Refusal } from '@linewarden/contract'
import type { GroupAction } from '@linewarden/rules/control'
import type { Actor } from '../../access/actor.ts'
import type { Runner } from '../../jobs/runner.ts'
import { KeyedMutex } from '../../lib/serial.ts'
import type { Plant, PlantLine } from '../../plant/plant.ts'
import type { GroupOperation } from '../../store/control/group-operation.ts'
import * as stored from '../../store/control/group-operation.ts'
import { beginGroupOperation } from '../../store/control/group-operation-life.ts'
import type { Database } from '../../store/core/database.ts'
import type { Gate, Order } from './gate.ts'
import type { GroupOperationEnds } from './group-operation-ends.ts'
import type { GroupOperationBody } from './group-operation-orders.ts'
import { newGroupOperation, newOrders, ordersOf, startAudits } from './group-operation-orders.ts'
import { groupOperationFound } from './group-operation-records.ts'
import type { GroupOperationTurns, TurnRules } from './group-operation-turns.ts'
import type { LinesBegun } from './lines-begun.ts'
import { linesBegun, positionsNow, wasOpened } from './lines-begun.ts'

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly gate: Pick<Gate, 'refuseUnlessAnyPermitted' | 'redeemGroupGrant'>
  readonly runner: Runner
  readonly ends: GroupOperationEnds
  readonly turns: GroupOperationTurns
  /** Tells whoever watches how it stands now. */
  readonly publish: (operationId: string) => Promise<void>
  readonly clock: () => number
}

/** Stores a group operation and has it carried out. Asked for again, it operates nothing twice. */
export class GroupOperationStarts {
  readonly #deps: Deps
  readonly #starting = new KeyedMutex()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  start(actor: Actor, action: GroupAction, lines: readonly PlantLine[], body: GroupOperationBody): Promise<GroupOperation> {
    // One press that goes out twice uses up one grant.
    return this.#starting.run(body.RunID, () => this.#startInTurn(actor, action, lines, body))
  }

  /** Begins what automation has stored as part of a run, once; asked for again it begins what was not begun. Its run asked for the control password. */
  async beginStored(operationId: string, actor: Actor, rules: TurnRules): Promise<void> {
    await this.#starting.run(operationId, async () => {
      const operation = await groupOperationFound(this.#deps.database, operationId)
      if (operation.endedAt !== null) return
      const orders = ordersOf(this.#deps.plant, actor, operation).map((order, turn) => ({
        ...{ ...order, source: rules.source },
        // Whoever trips a line while a run goes on does not have it closed behind their back.
        ...(order.action === 'close' && {
          ...notTripped(operation, rules.fences ?? null, order.line.id),
          ...(rules.lateAfterMs && { notAfter: operation.startedAt + rules.lateAfterMs(turn) }),
          refusedNow: () => rules.refusedNow?.(order.line, operation.startedAt) ?? null,
        }),
      }))
      await this.#begun(operation, actor, orders, rules)
    })
  }

  async #startInTurn(
    actor: Actor,
    action: GroupAction,
    lines: readonly PlantLine[],
    body: GroupOperationBody,
  ): Promise<GroupOperation> {
    const { database, gate, runner, clock } = this.#deps
    const before = await stored.groupOperationById(database, body.RunID)
    if (before) return this.#replayed(before, actor, action, lines, body)
    const begun = await linesBegun(database, lines)
    const orders = newOrders(actor, action, lines, body)
    await gate.refuseUnlessAnyPermitted(orders)
    await gate.redeemGroupGrant({
      actor,
      grant: body.Grant ?? null,
      confirmed: body.Confirmed ?? null,
      action,
      operationId: body.RunID,
      lines,
    })
    const now = clock()
    const operation = newGroupOperation(actor, action, orders, body, now)
    const saved = await stored.insertGroupOperation(
      database,
      operation,
      startAudits(actor, action, lines, body, now),
      runner.holder,
    )
    if (saved === 'session over') throw new Refusal('session expired')
    if (saved === 'known') return this.#replayed(await groupOperationFound(database, body.RunID), actor, action, lines, body)
    return this.#begun(operation, actor, keptOpen(operation, orders, begun))
  }

  /** Asked for again: it operates nothing twice, and what was stored and not begun begins now. */
  async #replayed(
    operation: GroupOperation,
    actor: Actor,
    action: GroupAction,
    lines: readonly PlantLine[],
    { Override }: GroupOperationBody,
  ): Promise<GroupOperation> {
    if (operation.accountId !== actor.accountId || operation.action !== action) throw new Refusal('operation id used')
    const meant = new Set(lines.map(({ id }) => id))
    const same = lines.length === operation.lines.length && operation.lines.every(({ lineId }) => meant.has(lineId))
    if (!same || operation.endedAt !== null) return operation
    const begun = { before: positionsNow(lines), fences: null }
    return this.#begun(
      operation,
      actor,
      keptOpen(operation, ordersOf(this.#deps.plant, actor, operation, Override ?? null), begun),
    )
  }

  /** It is begun once, on the server that stored it or where its person presses again; what nobody may begin any more is missed at once. */
  async #begun(
    operation: Omit<GroupOperation, 'endedAt' | 'stoppedBy'>,
    actor: Actor,
    orders: readonly Order[],
    rules: TurnRules | null = null,
  ): Promise<GroupOperation> {
    const { database, runner, ends, publish } = this.#deps
    const { id } = operation
    const claim = this.#isHere(id) ? null : await beginGroupOperation(database, id, actor.sessionId, runner.holder)
    if (claim === 'missed') {
      await ends.endOrLater(id, ends.missed(operation))
      await publish(id)
    } else if (claim && !this.#isHere(id))
      void runner.carry(claim, (stopped) => this.#carryOut(operation, orders, stopped, rules))
    return groupOperationFound(database, id)
  }

  /** It is carried, taken over or ended here already. */
  #isHere(operationId: string): boolean {
    const { runner, ends } = this.#deps
    return runner.hasLease(operationId) || ends.isEnding(operationId)
  }

  async #carryOut(
    operation: Omit<GroupOperation, 'endedAt' | 'stoppedBy'>,
    orders: readonly Order[],
    stopped: AbortSignal,
    rules: TurnRules | null,
  ): Promise<void> {
    const { ends, turns, publish } = this.#deps
    try {
      await turns.give(operation, orders, stopped, rules)
    } finally {
      // Whoever is stopping it ends it, and one that was ended elsewhere stays as it ended.
      if (!ends.isEnding(operation.id)) await ends.endOrLater(operation.id, ends.missed(operation))
      await publish(operation.id)
    }
  }
}

/** Which trips keep a line open: those behind its fence, or where that was not kept those since, by the clocks of the servers. */
const notTripped = ({ startedAt }: Pick<GroupOperation, 'startedAt'>, fences: LinesBegun['fences'] | null, lineId: number) =>
  fences ? { notTrippedBehind: fences.get(lineId) ?? 0 } : { notTrippedSince: startedAt }

/** Whoever trips a line while its turn has not come does not have it closed behind their back. */
const keptOpen = (
  operation: Pick<GroupOperation, 'startedAt'>,
  orders: readonly Order[],
  { before, fences }: Pick<LinesBegun, 'before'> & { readonly fences: LinesBegun['fences'] | null },
): readonly Order[] =>
  orders.map((order) =>
    order.action !== 'close'
      ? order
      : {
          ...order,
          ...notTripped(operation, fences, order.line.id),
          refusedNow: () =>
            wasOpened(order.line, before.get(order.line.id), operation.startedAt) ? new Refusal('tripped since begun') : null,
        },
  )

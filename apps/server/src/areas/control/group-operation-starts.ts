import { Refusal } from '@linewarden/contract'
import type { GroupAction } from '@linewarden/rules/control'
import type { Actor } from '../../access/actor.ts'
import type { Runner } from '../../jobs/runner.ts'
import { KeyedMutex } from '../../lib/serial.ts'
import type { Plant, PlantLine } from '../../plant/plant.ts'
import type { GroupOperation } from '../../store/control/group-operation.ts'
import * as stored from '../../store/control/group-operation.ts'
import { mayBegin } from '../../store/control/group-operation-life.ts'
import type { Database } from '../../store/core/database.ts'
import { claimOfMaker } from '../../store/jobs/due-work.ts'
import type { Gate, Order } from './gate.ts'
import type { GroupOperationEnds } from './group-operation-ends.ts'
import type { GroupOperationBody } from './group-operation-orders.ts'
import { newGroupOperation, newOrders, ordersOf, startAudits } from './group-operation-orders.ts'
import { groupOperationFound } from './group-operation-records.ts'
import type { GroupOperationTurns } from './group-operation-turns.ts'

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly gate: Pick<Gate, 'refuseUnlessAnyPermitted' | 'redeemGroupGrant'>
  readonly runner: Runner
  readonly ends: GroupOperationEnds
  readonly turns: GroupOperationTurns
  /** Tells whoever watches how it stands now. */
  readonly tell: (operationId: string) => Promise<void>
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

  async #startInTurn(
    actor: Actor,
    action: GroupAction,
    lines: readonly PlantLine[],
    body: GroupOperationBody,
  ): Promise<GroupOperation> {
    const { database, gate, runner, clock } = this.#deps
    const before = await stored.groupOperationById(database, body.RunID)
    if (before) return this.#replayed(before, actor, action, lines)
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
    const claim = await stored.insertGroupOperation(
      database,
      operation,
      startAudits(actor, action, lines, body, now),
      runner.holder,
    )
    if (claim === 'session over') throw new Refusal('session expired')
    if (claim === 'known') return this.#replayed(await groupOperationFound(database, body.RunID), actor, action, lines)
    void runner.carry(claim, (stopped) => this.#carryOut(operation, orders, stopped))
    return groupOperationFound(database, operation.id)
  }

  /** Asked for again: it operates nothing twice, and what was stored and not begun begins now. */
  async #replayed(
    operation: GroupOperation,
    actor: Actor,
    action: GroupAction,
    lines: readonly PlantLine[],
  ): Promise<GroupOperation> {
    if (operation.accountId !== actor.accountId || operation.action !== action) throw new Refusal('operation id used')
    const meant = new Set(lines.map(({ id }) => id))
    const same = lines.length === operation.lines.length && operation.lines.every(({ lineId }) => meant.has(lineId))
    return same && this.#isCarriedByNobody(operation) ? this.#begun(operation, actor) : operation
  }

  /** The answer to its COMMIT was lost, and whoever presses again means it. What another server made, or took over, is that one's. */
  async #begun({ id }: GroupOperation, actor: Actor): Promise<GroupOperation> {
    const { database, plant, runner } = this.#deps
    const claim = (await mayBegin(database, id, actor.sessionId)) && (await claimOfMaker(database.control, id, runner.holder))
    // Somebody may have stopped it meanwhile.
    const operation = await groupOperationFound(database, id)
    if (claim && this.#isCarriedByNobody(operation))
      void runner.carry(claim, (stopped) => this.#carryOut(operation, ordersOf(plant, actor, operation), stopped))
    return operation
  }

  #isCarriedByNobody({ id, endedAt }: GroupOperation): boolean {
    const { runner, ends } = this.#deps
    return endedAt === null && !runner.holds(id) && !ends.isEnding(id)
  }

  async #carryOut(
    operation: Omit<GroupOperation, 'endedAt' | 'stoppedBy'>,
    orders: readonly Order[],
    stopped: AbortSignal,
  ): Promise<void> {
    const { ends, turns, tell } = this.#deps
    try {
      await turns.give(operation, orders, stopped)
    } finally {
      // Whoever is stopping it ends it, and one that was ended elsewhere stays as it ended.
      if (!ends.isEnding(operation.id)) await ends.endOrLater(operation.id, ends.missed(operation))
      await tell(operation.id)
    }
  }
}

import { Refusal } from '@linewarden/contract'
import type { RunAction } from '@linewarden/rules/control'
import type { Actor } from '../../access/actor.ts'
import type { Runner } from '../../jobs/runner.ts'
import { KeyedMutex } from '../../lib/serial.ts'
import type { Plant, PlantLine } from '../../plant/plant.ts'
import type { StoredRun } from '../../store/control/run.ts'
import * as stored from '../../store/control/run.ts'
import { mayBegin } from '../../store/control/run-life.ts'
import type { Database } from '../../store/core/database.ts'
import { claimOfMaker } from '../../store/jobs/due-work.ts'
import type { Gate, Order } from './gate.ts'
import type { RunEnds } from './run-ends.ts'
import type { RunBody } from './run-orders.ts'
import { newOrders, newRun, ordersOf, startAudits } from './run-orders.ts'
import { runFound } from './run-records.ts'
import type { RunTurns } from './run-turns.ts'

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly gate: Pick<Gate, 'refuseUnlessAnyPermitted' | 'redeemRunGrant'>
  readonly runner: Runner
  readonly ends: RunEnds
  readonly turns: RunTurns
  /** Tells whoever watches how it stands now. */
  readonly tell: (runId: string) => Promise<void>
  readonly clock: () => number
}

/** Stores a group operation and has it carried out. Asked for again, it operates nothing twice. */
export class RunStarts {
  readonly #deps: Deps
  readonly #starting = new KeyedMutex()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  start(actor: Actor, action: RunAction, lines: readonly PlantLine[], body: RunBody): Promise<StoredRun> {
    // One press that goes out twice uses up one grant.
    return this.#starting.run(body.RunID, () => this.#startInTurn(actor, action, lines, body))
  }

  async #startInTurn(actor: Actor, action: RunAction, lines: readonly PlantLine[], body: RunBody): Promise<StoredRun> {
    const { database, gate, runner, clock } = this.#deps
    const before = await stored.runById(database, body.RunID)
    if (before) return this.#replayed(before, actor, action, lines)
    const orders = newOrders(actor, action, lines, body)
    await gate.refuseUnlessAnyPermitted(orders)
    await gate.redeemRunGrant({
      actor,
      grant: body.Grant ?? null,
      confirmed: body.Confirmed ?? null,
      action,
      runId: body.RunID,
      lines,
    })
    const now = clock()
    const run = newRun(actor, action, orders, body, now)
    const claim = await stored.insertRun(database, run, startAudits(actor, action, lines, body, now), runner.holder)
    if (claim === 'session over') throw new Refusal('session expired')
    if (claim === 'known') return this.#replayed(await runFound(database, body.RunID), actor, action, lines)
    void runner.carry(claim, (stopped) => this.#carryOut(run, orders, stopped))
    return runFound(database, run.id)
  }

  /** Asked for again: it operates nothing twice, and what was stored and not begun begins now. */
  async #replayed(run: StoredRun, actor: Actor, action: RunAction, lines: readonly PlantLine[]): Promise<StoredRun> {
    if (run.accountId !== actor.accountId || run.action !== action) throw new Refusal('operation id used')
    const meant = new Set(lines.map(({ id }) => id))
    const same = lines.length === run.lines.length && run.lines.every(({ lineId }) => meant.has(lineId))
    return same && this.#isCarriedByNobody(run) ? this.#begun(run, actor) : run
  }

  /** The answer to its COMMIT was lost, and whoever presses again means it. What another server made, or took over, is that one's. */
  async #begun({ id }: StoredRun, actor: Actor): Promise<StoredRun> {
    const { database, plant, runner } = this.#deps
    const claim = (await mayBegin(database, id, actor.sessionId)) && (await claimOfMaker(database.control, id, runner.holder))
    // Somebody may have stopped it meanwhile.
    const run = await runFound(database, id)
    if (claim && this.#isCarriedByNobody(run))
      void runner.carry(claim, (stopped) => this.#carryOut(run, ordersOf(plant, actor, run), stopped))
    return run
  }

  #isCarriedByNobody({ id, endedAt }: StoredRun): boolean {
    const { runner, ends } = this.#deps
    return endedAt === null && !runner.holds(id) && !ends.isEnding(id)
  }

  async #carryOut(run: Omit<StoredRun, 'endedAt' | 'stoppedBy'>, orders: readonly Order[], stopped: AbortSignal): Promise<void> {
    const { ends, turns, tell } = this.#deps
    try {
      await turns.give(run, orders, stopped)
    } finally {
      // Whoever is stopping it ends it, and one that was ended elsewhere stays as it ended.
      if (!ends.isEnding(run.id)) await ends.endOrLater(run.id, ends.missed(run))
      await tell(run.id)
    }
  }
}

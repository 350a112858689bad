import type { List, listRuns, Request, RunRecord, RunSummary } from '@linewarden/contract'
import { aboutRun, Refusal } from '@linewarden/contract'
import type { RunAction } from '@linewarden/rules/control'
import type { Logger } from 'pino'
import type { Actor } from '../../access/actor.ts'
import { runSeenBy } from '../../access/run-seen.ts'
import { seenBy } from '../../access/seen.ts'
import { by, tenantOfLine } from '../../audit/audited.ts'
import type { Runner } from '../../jobs/runner.ts'
import { KeyedMutex } from '../../lib/serial.ts'
import type { Hub } from '../../plant/hub.ts'
import type { Plant, PlantLine } from '../../plant/plant.ts'
import type { StoredRun } from '../../store/control/run.ts'
import * as stored from '../../store/control/run.ts'
import { mayBegin, runHead, runsGoingOn } from '../../store/control/run-life.ts'
import type { Database } from '../../store/core/database.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import { claimOfMaker } from '../../store/jobs/due-work.ts'
import type { Gate, Order } from './gate.ts'
import { RunEnds } from './run-ends.ts'
import type { RunBody } from './run-orders.ts'
import { newOrders, newRun, ordersOf, startAudits } from './run-orders.ts'
import { publishRun, runRecord, runSummary } from './run-records.ts'
import { RunTurns } from './run-turns.ts'
import type { Stagger } from './stagger.ts'

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly hub: Hub
  readonly gate: Pick<Gate, 'operate' | 'refuseUnlessAnyPermitted' | 'redeemRunGrant'>
  readonly stagger: Stagger
  readonly runner: Runner
  /** The person with the rights of now; null when the account is gone. */
  readonly actorNow: (actor: Actor) => Promise<Actor | null>
  readonly clock: () => number
  readonly log: Logger
}

/**
 * Several lines as one intent, each through the gate when its turn comes, with the rights of that moment. A run that its server did not
 * finish is over: its lines are missed, never operated late. Whether a run goes on stands in the database: there the gate looks, and there
 * whoever stops it or ends the sign-in it came from says so, on whichever server.
 */
export function createRuns(deps: Deps) {
  const { database, plant, gate, runner, clock } = deps
  const tell = (runId: string) => publishRun(deps, runId)
  const ends = new RunEnds({ ...deps, tell })
  const turns = new RunTurns({ ...deps, tell })
  const starting = new KeyedMutex()
  runner.register({
    kind: stored.groupOperation,
    /** Nobody carries it any more: what had no turn is missed, never late. */
    async takeOver({ key }) {
      await ends.endOrLater(key, ends.missed(await runHead(database, key)))
      await tell(key)
    },
    async goesOn(claims, renewed) {
      const ids = claims.map(({ workId }) => workId)
      const going = await runsGoingOn(database, ids)
      return new Set(going.flatMap(({ id, action }) => (action === 'trip' || renewed.has(id) ? id : [])))
    },
  })

  return {
    start: (actor: Actor, action: RunAction, lines: readonly PlantLine[], body: RunBody): Promise<RunRecord> =>
      // One press that goes out twice uses up one grant.
      starting.run(body.RunID, () => start(actor, action, lines, body)),

    async get(actor: Actor, runId: string): Promise<RunRecord> {
      return told(actor, await seen(actor, runId))
    },

    async list(actor: Actor, query: Request<typeof listRuns>['query']): Promise<List<RunSummary>> {
      const page = { running: query.Running ?? false, page: query.Page ?? 1, size: query.Size ?? 10 }
      const scope = seenBy(actor, plant)
      const { ids, total } = await stored.runIdsSeen(database, { accountId: actor.accountId, scope }, page)
      const rows = await withRowSecurity(database, actor.scope, (db) => stored.runSummaries(db, ids, scope))
      return { items: rows.map(runSummary), total }
    },

    /** Stopping makes things safer: whoever may switch one of the lines may, and whoever started it whatever they see by now. */
    async stop(actor: Actor, runId: string): Promise<RunRecord> {
      const run = await seen(actor, runId)
      if (run.endedAt !== null) return told(actor, run)
      const at = clock()
      const lines = run.lines.flatMap(({ lineId }) => plant.lines.get(lineId) ?? [])
      const tenants = lines.length === 0 ? [actor.tenant] : Map.groupBy(lines, tenantOfLine).keys()
      const audits = [...tenants].map((tenant) => ({ ...by(actor, at, 'run.stop', tenant), subject: aboutRun(runId) }))
      const stopped = ends.end(runId, { rest: 'stopped', at, stoppedBy: actor.userName, whenRevoked: null, audits: () => audits })
      runner.stop(runId)
      await stopped
      // It may have been stored and not begun when this came.
      runner.stop(runId)
      await tell(runId)
      return told(actor, await found(runId))
    },

    /** A command of a run came to an end. */
    commandSettled: (runId: string) => void tell(runId),

    /** Stores the ends that could not be; runs by itself every few seconds. */
    sweep: ends.sweep,

    /** Nothing more is closed or tested; trips go on to their last line. */
    async close(): Promise<void> {
      turns.close()
      await runner.settled()
      await ends.close()
    },
  }

  async function start(actor: Actor, action: RunAction, lines: readonly PlantLine[], body: RunBody): Promise<RunRecord> {
    const before = await stored.runById(database, body.RunID)
    if (before) return replayed(before, actor, action, lines)
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
    if (claim === 'known') return replayed(await found(body.RunID), actor, action, lines)
    void runner.carry(claim, (stopped) => carryOut(run, orders, stopped))
    return told(actor, await found(run.id))
  }

  /** Asked for again: it operates nothing twice, and what was stored and not begun begins now. */
  async function replayed(run: StoredRun, actor: Actor, action: RunAction, lines: readonly PlantLine[]): Promise<RunRecord> {
    if (run.accountId !== actor.accountId || run.action !== action) throw new Refusal('operation id used')
    const meant = new Set(lines.map(({ id }) => id))
    const same = lines.length === run.lines.length && run.lines.every(({ lineId }) => meant.has(lineId))
    return told(actor, same && isCarriedByNobody(run) ? await begun(run, actor) : run)
  }

  /** The answer to its COMMIT was lost, and whoever presses again means it. What another server made, or took over, is that one's. */
  async function begun({ id }: StoredRun, actor: Actor): Promise<StoredRun> {
    const claim = (await mayBegin(database, id, actor.sessionId)) && (await claimOfMaker(database.control, id, runner.holder))
    // Somebody may have stopped it meanwhile.
    const run = await found(id)
    if (claim && isCarriedByNobody(run))
      void runner.carry(claim, (stopped) => carryOut(run, ordersOf(plant, actor, run), stopped))
    return run
  }

  function isCarriedByNobody({ id, endedAt }: StoredRun): boolean {
    return endedAt === null && !runner.holds(id) && !ends.isEnding(id)
  }

  async function carryOut(
    run: Omit<StoredRun, 'endedAt' | 'stoppedBy'>,
    orders: readonly Order[],
    stopped: AbortSignal,
  ): Promise<void> {
    try {
      await turns.give(run, orders, stopped)
    } finally {
      // Whoever is stopping it ends it, and one that was ended elsewhere stays as it ended.
      if (!ends.isEnding(run.id)) await ends.endOrLater(run.id, ends.missed(run))
      await tell(run.id)
    }
  }

  /** Whoever started the run, or sees one of its lines, may see it. */
  async function seen(actor: Actor, runId: string): Promise<StoredRun> {
    const run = await found(runId)
    const sees = ({ lineId }: StoredRun['lines'][number]) => {
      const line = plant.lines.get(lineId)
      return line !== undefined && actor.seesGateway(line.device.gateway)
    }
    if (actor.platform || run.accountId === actor.accountId || run.lines.some(sees)) return run
    throw new Refusal('operation not exists')
  }

  async function found(runId: string): Promise<StoredRun> {
    const run = await stored.runById(database, runId)
    if (!run) throw new Refusal('operation not exists')
    return run
  }

  function told(actor: Actor, run: StoredRun): RunRecord {
    return runSeenBy(actor, plant, runRecord(plant, run))
  }
}

import type { List, listRuns, Request, RunRecord, RunSummary } from '@linewarden/contract'
import { aboutRun, Refusal } from '@linewarden/contract'
import type { RunAction } from '@linewarden/rules/control'
import type { Logger } from 'pino'
import type { Actor } from '../../access/actor.ts'
import { runSeenBy } from '../../access/run-seen.ts'
import { seenBy } from '../../access/seen.ts'
import { by, tenantOfLine } from '../../audit/audited.ts'
import type { Runner } from '../../jobs/runner.ts'
import type { Hub } from '../../plant/hub.ts'
import type { Plant, PlantLine } from '../../plant/plant.ts'
import type { StoredRun } from '../../store/control/run.ts'
import * as stored from '../../store/control/run.ts'
import { runHead, runsGoingOn } from '../../store/control/run-life.ts'
import type { Database } from '../../store/core/database.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import type { Gate } from './gate.ts'
import { RunEnds } from './run-ends.ts'
import type { RunBody } from './run-orders.ts'
import { publishRun, runFound, runRecord, runSummary } from './run-records.ts'
import { RunStarts } from './run-starts.ts'
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
  const { database, plant, runner, clock } = deps
  const tell = (runId: string) => publishRun(deps, runId)
  const ends = new RunEnds({ ...deps, tell })
  const turns = new RunTurns({ ...deps, tell })
  const starts = new RunStarts({ ...deps, ends, turns, tell })
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
    async start(actor: Actor, action: RunAction, lines: readonly PlantLine[], body: RunBody): Promise<RunRecord> {
      return recordFor(actor, await starts.start(actor, action, lines, body))
    },

    async get(actor: Actor, runId: string): Promise<RunRecord> {
      return recordFor(actor, await seen(actor, runId))
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
      if (run.endedAt !== null) return recordFor(actor, run)
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
      return recordFor(actor, await runFound(database, runId))
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

  /** Whoever started the run, or sees one of its lines, may see it. */
  async function seen(actor: Actor, runId: string): Promise<StoredRun> {
    const run = await runFound(database, runId)
    const sees = ({ lineId }: StoredRun['lines'][number]) => {
      const line = plant.lines.get(lineId)
      return line !== undefined && actor.seesGateway(line.device.gateway)
    }
    if (actor.platform || run.accountId === actor.accountId || run.lines.some(sees)) return run
    throw new Refusal('operation not exists')
  }

  function recordFor(actor: Actor, run: StoredRun): RunRecord {
    return runSeenBy(actor, plant, runRecord(plant, run))
  }
}

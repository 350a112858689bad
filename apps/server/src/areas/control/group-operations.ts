import type { GroupOperationRecord, GroupOperationSummary, List, listRuns, Request } from '@linewarden/contract'
import { aboutGroupOperation, Refusal } from '@linewarden/contract'
import type { GroupAction } from '@linewarden/rules/control'
import type { Logger } from 'pino'
import type { Actor } from '../../access/actor.ts'
import { groupOperationSeenBy } from '../../access/group-operation-seen.ts'
import { seenBy } from '../../access/seen.ts'
import { by, tenantOfLine } from '../../audit/audited.ts'
import type { Runner } from '../../jobs/runner.ts'
import type { Hub } from '../../plant/hub.ts'
import type { Plant, PlantLine } from '../../plant/plant.ts'
import type { AuditEntry } from '../../store/audit/append.ts'
import type { GroupOperation } from '../../store/control/group-operation.ts'
import * as stored from '../../store/control/group-operation.ts'
import { groupOperationHead, groupOperationsGoingOn } from '../../store/control/group-operation-life.ts'
import type { Database } from '../../store/core/database.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import type { Gate } from './gate.ts'
import { GroupOperationEnds } from './group-operation-ends.ts'
import type { GroupOperationBody } from './group-operation-orders.ts'
import { createPublishing } from './group-operation-publishing.ts'
import { groupOperationFound, groupOperationRecord, groupOperationSummary } from './group-operation-records.ts'
import { GroupOperationStarts } from './group-operation-starts.ts'
import type { TurnRules } from './group-operation-turns.ts'
import { GroupOperationTurns } from './group-operation-turns.ts'
import type { Stagger } from './stagger.ts'

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly hub: Hub
  readonly gate: Pick<Gate, 'operate' | 'refuseUnlessAnyPermitted' | 'redeemGroupGrant'>
  readonly stagger: Stagger
  readonly runner: Runner
  /** The person with the rights of now; null when the account is gone. */
  readonly actorNow: (actor: Actor) => Promise<Actor | null>
  readonly clock: () => number
  readonly log: Logger
}

/**
 * Several lines as one intent, each through the gate when its turn comes, with the rights of that moment. One that its server did not
 * finish is over: its lines are missed, never operated late. Whether it goes on stands in the database: there the gate looks, and there
 * whoever stops it or ends the sign-in it came from says so, on whichever server.
 */
export function createGroupOperations(deps: Deps) {
  const { database, plant, runner, clock } = deps
  const { publish, notify, follow, close: closePublishing } = createPublishing(deps)
  const ends = new GroupOperationEnds({ ...deps, publish })
  const turns = new GroupOperationTurns({ ...deps, publish })
  const starts = new GroupOperationStarts({ ...deps, ends, turns, publish })
  runner.register({
    kind: stored.groupOperationKind,
    /** Nobody carries it any more: what had no turn is missed, never late. */
    async takeOver({ key }) {
      await ends.endOrLater(key, ends.missed(await groupOperationHead(database, key)))
      await publish(key)
    },
    async goesOn(claims, renewed) {
      const ids = claims.map(({ workId }) => workId)
      const going = await groupOperationsGoingOn(database, ids)
      return new Set(going.flatMap(({ id, action }) => (action === 'trip' || renewed.has(id) ? id : [])))
    },
  })

  return {
    async start(
      actor: Actor,
      action: GroupAction,
      lines: readonly PlantLine[],
      body: GroupOperationBody,
    ): Promise<GroupOperationRecord> {
      return recordFor(actor, await starts.start(actor, action, lines, body))
    },

    /** Calls whenever a group operation has gone on, come to an end, or one of its commands has. */
    follow,

    /** Begins a part of a run of automation, which has stored it and asked for the control password. */
    beginStored: (operationId: string, actor: Actor, rules: TurnRules) => starts.beginStored(operationId, actor, rules),

    /** Ends a part of a run of automation: whoever may has stopped it, and that run writes it down. */
    stopStored: (operationId: string, stoppedBy: string) => stopNow(operationId, stoppedBy, clock(), []),

    async get(actor: Actor, operationId: string): Promise<GroupOperationRecord> {
      return recordFor(actor, await seen(actor, operationId))
    },

    async list(actor: Actor, query: Request<typeof listRuns>['query']): Promise<List<GroupOperationSummary>> {
      const page = { running: query.Running ?? false, page: query.Page ?? 1, size: query.Size ?? 10 }
      const scope = seenBy(actor, plant)
      const { ids, total } = await stored.operationIdsSeen(database, { accountId: actor.accountId, scope }, page)
      const rows = await withRowSecurity(database, actor.scope, (db) => stored.groupOperationSummaries(db, ids, scope))
      return { items: rows.map(groupOperationSummary), total }
    },

    /** Stopping makes things safer: whoever may switch one of the lines may, and whoever started it whatever they see by now. */
    async stop(actor: Actor, operationId: string): Promise<GroupOperationRecord> {
      const operation = await seen(actor, operationId)
      if (operation.endedAt !== null) return recordFor(actor, operation)
      const at = clock()
      const audits = stopAudits(plant, actor, operation, at)
      await stopNow(operationId, actor.userName, at, audits)
      return recordFor(actor, await groupOperationFound(database, operationId))
    },

    /** A command of a group operation came to an end; `isWatched`: people watch that group, and not a run that it is part of. */
    commandSettled: (operationId: string, isWatched: boolean) => void (isWatched ? publish(operationId) : notify(operationId)),

    /** Stores the ends that could not be; runs by itself every few seconds. */
    sweep: ends.sweep,

    /** Nothing more is closed or tested; trips go on to their last line. */
    async close(): Promise<void> {
      turns.close()
      await runner.settled()
      await ends.close()
      closePublishing()
    },
  }

  async function stopNow(operationId: string, stoppedBy: string, at: number, audits: readonly AuditEntry[]): Promise<void> {
    const stopped = ends.end(operationId, { rest: 'stopped', at, stoppedBy, whenRevoked: null, audits: () => audits })
    runner.stop(operationId)
    await stopped
    // It may have been stored and not begun when this came.
    runner.stop(operationId)
    await publish(operationId)
  }

  /** Whoever started it, or sees one of its lines, may see it. */
  async function seen(actor: Actor, operationId: string): Promise<GroupOperation> {
    const operation = await groupOperationFound(database, operationId)
    const sees = ({ lineId }: GroupOperation['lines'][number]) => {
      const line = plant.lines.get(lineId)
      return line !== undefined && actor.seesGateway(line.device.gateway)
    }
    if (actor.platform || operation.accountId === actor.accountId || operation.lines.some(sees)) return operation
    throw new Refusal('operation not exists')
  }

  function recordFor(actor: Actor, operation: GroupOperation): GroupOperationRecord {
    return groupOperationSeenBy(actor, plant, groupOperationRecord(plant, operation))
  }
}

function stopAudits(plant: Plant, actor: Actor, operation: GroupOperation, at: number): readonly AuditEntry[] {
  const lines = operation.lines.flatMap(({ lineId }) => plant.lines.get(lineId) ?? [])
  const tenants = lines.length === 0 ? [actor.tenant] : Map.groupBy(lines, tenantOfLine).keys()
  return [...tenants].map((tenant) => ({
    ...by(actor, at, 'run.stop', tenant),
    subject: aboutGroupOperation(operation.id),
  }))
}

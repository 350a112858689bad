import type { List, listRuns, Request, RunRecord, RunSummary, startRun } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { Logger } from 'pino'
import type { Actor } from '../../http/context.ts'
import type { Hub } from '../../live/hub.ts'
import type { Plant, PlantLine } from '../../live/plant.ts'
import { appendRefusal } from '../../store/audit.ts'
import type { Database } from '../../store/database.ts'
import type { RunAction, RunRefusal, StoredRun } from '../../store/run.ts'
import * as stored from '../../store/run.ts'
import { asSeenBy } from '../../store/seen-by.ts'
import { by, treeOfLine } from '../audited.ts'
import { seenBy } from '../seen.ts'
import type { Distance } from './distance.ts'
import { leastDistanceMs } from './distance.ts'
import type { Gate, Order } from './gate.ts'
import { targetOf } from './gate.ts'
import { commandRecord } from './records.ts'

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly hub: Hub
  readonly gate: Pick<Gate, 'operate' | 'refuseUnlessAnyPermitted' | 'takeRunGrant'>
  readonly distance: Distance
  /** The person with the rights of now; null when the account is gone. */
  readonly actorNow: (actor: Actor) => Promise<Actor | null>
  readonly clock: () => number
  readonly log: Logger
}

type Body = Pick<Request<typeof startRun>['body'], 'RunID' | 'Reason' | 'Grant' | 'StaggerMs'>

type Run = Pick<StoredRun, 'id' | 'action' | 'actor'>

const tripLanes = 4

/**
 * Several lines as one intent, each through the gate when its turn comes, with the rights of that moment. A run that the server did not
 * finish is over: its lines are missed, never operated late.
 */
export async function createRuns({ database, plant, hub, gate, distance, actorNow, clock, log }: Deps) {
  const running = new Map<string, { stopped: boolean; wake: (() => void) | null }>()
  const work = new Set<Promise<void>>()
  let closing = false

  for (const run of await stored.openRuns(database)) await endMissed(run)

  return {
    async start(actor: Actor, action: RunAction, lines: readonly PlantLine[], body: Body): Promise<RunRecord> {
      const before = await stored.runById(database, body.RunID)
      if (before) return sameAgain(before, actor, action)
      const orders = lines.map((line) => orderOf(actor, action, line, body))
      await gate.refuseUnlessAnyPermitted(orders)
      const byTree = Map.groupBy(lines, treeOfLine)
      await gate.takeRunGrant(actor, body.Grant ?? null, action, body.RunID, byTree.keys())
      const now = clock()
      const run = {
        id: body.RunID,
        action,
        accountId: actor.accountId,
        actor: actor.userName,
        reason: body.Reason,
        staggerMs: Math.max(body.StaggerMs ?? leastDistanceMs, leastDistanceMs),
        startedAt: now,
        lines: orders.map(({ line, commandId }) => ({
          lineId: line.id,
          commandId,
          state: 'waiting' as const,
          refusal: null,
          command: null,
        })),
      }
      // Each owner reads of their own lines.
      const audits = [...byTree].map(([tree, own]) => ({
        ...by(actor, now, `run.${action}`, tree),
        target: body.RunID,
        after: { lines: own.map(targetOf), reason: body.Reason },
      }))
      const isNew = await stored.insertRun(database, run, audits)
      if (!isNew) return sameAgain(await found(body.RunID), actor, action)
      running.set(run.id, { stopped: false, wake: null })
      const carriedOut = carryOut(run, orders).catch((error) =>
        log.error({ err: error, run: run.id }, 'a group operation broke off; its remaining lines are missed'),
      )
      const tracked = carriedOut.finally(() => work.delete(tracked))
      work.add(tracked)
      return record(await found(run.id))
    },

    async get(actor: Actor, runId: string): Promise<RunRecord> {
      return record(await seen(actor, runId))
    },

    async list(actor: Actor, query: Request<typeof listRuns>['query']): Promise<List<RunSummary>> {
      const page = { running: query.Running ?? false, page: query.Page ?? 1, size: query.Size ?? 10 }
      const { ids, total } = await stored.runIdsWithin(database, seenBy(actor, plant), page)
      const rows = await asSeenBy(database, actor.sight, (db) => stored.runSummaries(db, ids))
      return { items: rows.map(summary), total }
    },

    async stop(actor: Actor, runId: string): Promise<RunRecord> {
      const run = await seen(actor, runId)
      if (run.endedAt !== null) return record(run)
      halt(runId)
      const now = clock()
      const lines = run.lines.flatMap(({ lineId }) => plant.lines.get(lineId) ?? [])
      const trees = lines.length === 0 ? [actor.tree] : Map.groupBy(lines, treeOfLine).keys()
      const audits = [...trees].map((tree) => ({ ...by(actor, now, 'run.stop', tree), target: runId }))
      await stored.endRun(database, runId, 'stopped', now, actor.userName, () => audits)
      // It may have been stored and not begun when this came.
      halt(runId)
      await tell(runId)
      return record(await found(runId))
    },

    /** A command of a run came to an end. */
    commandSettled: (runId: string) => void tell(runId),

    async close(): Promise<void> {
      closing = true
      for (const state of running.values()) state.wake?.()
      await Promise.all(work)
    },
  }

  /** No further line gets its turn. A run that nobody carries out any more, as after a stop that was not stored, needs none. */
  function halt(runId: string): void {
    const state = running.get(runId)
    if (!state) return
    state.stopped = true
    state.wake?.()
  }

  async function carryOut(run: Run & { readonly staggerMs: number }, orders: readonly Order[]): Promise<void> {
    const { id: runId, action, staggerMs } = run
    try {
      if (action === 'trip') {
        // A few at a time: more would only wait for a connection to the database, and some might wait too long.
        const rest = [...orders]
        const lane = async () => {
          for (let order = rest.shift(); order && !running.get(runId)?.stopped; order = rest.shift()) await turn(runId, order)
        }
        await Promise.all(Array.from({ length: tripLanes }, lane))
      } else
        for (const [index, order] of orders.entries()) {
          const projectId = order.line.device.gateway.project.id
          await keepDistance(runId, projectId, index === 0 ? leastDistanceMs : staggerMs)
          if (closing || running.get(runId)?.stopped) break
          await turn(runId, order)
          // The distance counts from the sending, which the turn has just done.
          distance.begins(projectId)
        }
    } finally {
      // Whoever stopped it ends it.
      if (!running.get(runId)?.stopped) await endMissed(run)
      running.delete(runId)
      await tell(runId)
    }
  }

  /** Lines that had no turn are missed; the log names them. */
  async function endMissed({ id, action, actor }: Run): Promise<void> {
    const at = clock()
    const treeOf = (lineId: number) => {
      const line = plant.lines.get(lineId)
      return line ? treeOfLine(line) : null
    }
    const nameOf = (lineId: number) => {
      const line = plant.lines.get(lineId)
      return line ? targetOf(line) : `line ${lineId}`
    }
    // Each owner reads of their own lines.
    await stored.endRun(database, id, 'missed', at, null, (lineIds) =>
      [...Map.groupBy(lineIds, treeOf)].map(([tree, own]) => ({
        ...by({ userName: actor, address: '' }, at, `run.${action}`, tree),
        target: id,
        after: { missed: own.map(nameOf) },
        outcome: 'refused',
      })),
    )
  }

  /** One line's turn: what the gate says of it is its outcome. */
  async function turn(runId: string, order: Order): Promise<void> {
    const refusal = await refusalOf(runId, order)
    await stored
      .saveRunLine(database, runId, order.commandId, refusal ? 'refused' : 'ordered', refusal)
      .catch((failed) => log.error({ err: failed, run: runId }, 'the turn of a line was not recorded'))
    await tell(runId)
  }

  /** Operates the line; null when the command is on its way. */
  async function refusalOf(runId: string, order: Order): Promise<RunRefusal | null> {
    try {
      const actor = await actorNow(order.actor)
      if (!actor?.seesGateway(order.line.device.gateway)) throw await denied(order)
      await gate.operate({ ...order, actor })
      return null
    } catch (error) {
      // One line that fails does not keep the others from their turn.
      if (!(error instanceof Refusal)) log.error({ err: error, run: runId, command: order.commandId }, 'a line of a group failed')
      const { Message: key, Text: text } = (error instanceof Refusal ? error : new Refusal('failed')).envelope()
      return { key, text }
    }
  }

  /** Rights were lost since the run began: it never came to the gate, which would have written it down. */
  async function denied({ line, action, actor, source, reason, commandId }: Order): Promise<Refusal> {
    const refusal = new Refusal('access denied')
    await appendRefusal(database.control, {
      ...by(actor, clock(), `line.${action}`, treeOfLine(line)),
      target: targetOf(line),
      after: { commandId, reason, source, refusal: refusal.key },
      outcome: 'refused',
    })
    return refusal
  }

  /** Waits until the project's last close is long enough ago, or somebody stops the run. */
  async function keepDistance(runId: string, projectId: number, staggerMs: number): Promise<void> {
    const state = running.get(runId)
    for (;;) {
      const wait = distance.waitMs(projectId, staggerMs)
      if (wait <= 0 || closing || !state || state.stopped) break
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, wait)
        state.wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    distance.begins(projectId)
  }

  async function tell(runId: string): Promise<void> {
    const run = await stored.runById(database, runId).catch(() => null)
    if (run?.accountId) hub.publish({ runs: [{ run: record(run), accountId: run.accountId }] })
  }

  /** Whoever sees one of its lines may see the run. */
  async function seen(actor: Actor, runId: string): Promise<StoredRun> {
    const run = await stored.runById(database, runId)
    const lines = run?.lines.map(({ lineId }) => plant.lines.get(lineId)) ?? []
    const visible = lines.every((line) => !line || actor.seesGateway(line.device.gateway))
    if (!run || !visible || !(actor.platform || lines.some((line) => line))) throw new Refusal('operation not exists')
    return run
  }

  async function found(runId: string): Promise<StoredRun> {
    const run = await stored.runById(database, runId)
    if (!run) throw new Refusal('operation not exists')
    return run
  }

  function sameAgain(run: StoredRun, actor: Actor, action: RunAction): RunRecord {
    if (run.accountId !== actor.accountId || run.action !== action) throw new Refusal('operation id used')
    return record(run)
  }

  function record(run: StoredRun): RunRecord {
    return {
      ...headOf(run),
      Lines: run.lines.flatMap(({ lineId, state, refusal, command }) => {
        const line = plant.lines.get(lineId)
        if (!line) return []
        return {
          LineID: lineId,
          ControllerID: line.device.controllerId,
          LineNo: line.lineNo,
          LineName: line.name,
          State: state,
          Refusal: refusal && { Key: refusal.key, Text: { ...refusal.text } },
          Command: command && commandRecord(command, line),
        }
      }),
    }
  }
}

const headOf = (run: Omit<StoredRun, 'lines'>) => ({
  RunID: run.id,
  Action: run.action,
  Actor: run.actor,
  Reason: run.reason,
  StaggerMs: run.staggerMs,
  StartedAt: run.startedAt,
  EndedAt: run.endedAt,
  StoppedBy: run.stoppedBy,
})

const summary = ({ counts, ...run }: stored.RunSummary): RunSummary => ({
  ...headOf(run),
  Total: Object.values(counts).reduce((sum, count) => sum + count, 0),
  Waiting: counts.waiting,
  Ordered: counts.ordered,
  Refused: counts.refused,
  Missed: counts.missed,
  Stopped: counts.stopped,
})

const orderOf = (actor: Actor, action: RunAction, line: PlantLine, { RunID, Reason }: Body): Order => ({
  line,
  action,
  actor,
  source: 'group',
  reason: Reason,
  commandId: crypto.randomUUID(),
  grant: null,
  grantTaken: true,
  deadlineMs: null,
  runId: RunID,
})

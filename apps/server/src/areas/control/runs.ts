import type { List, listRuns, MessageKey, Request, RunRecord, RunSummary, startRun } from '@linewarden/contract'
import { aboutRun, Refusal } from '@linewarden/contract'
import type { Logger } from 'pino'
import type { Actor } from '../../access/actor.ts'
import { runSeenBy } from '../../access/run-seen.ts'
import { seenBy } from '../../access/seen.ts'
import { by, treeOfLine } from '../../audit/audited.ts'
import { every } from '../../lib/every.ts'
import { KeyedMutex, Mutex } from '../../lib/serial.ts'
import type { Hub } from '../../plant/hub.ts'
import type { Plant, PlantLine } from '../../plant/plant.ts'
import { appendRefusal } from '../../store/audit/append.ts'
import { aboutLine } from '../../store/audit/subject.ts'
import type { RunAction, RunRefusal, StoredRun } from '../../store/control/run.ts'
import * as stored from '../../store/control/run.ts'
import type { RunEnd } from '../../store/control/run-life.ts'
import { abandonedRuns, endRun, keepRuns } from '../../store/control/run-life.ts'
import type { Database } from '../../store/core/database.ts'
import { asSeenBy } from '../../store/core/seen-by.ts'
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

type Body = Pick<Request<typeof startRun>['body'], 'RunID' | 'Reason' | 'Grant' | 'Confirmed' | 'StaggerMs'>

type Run = Pick<StoredRun, 'id' | 'action' | 'actor'>

/** A run that this server carries out. */
interface Carried {
  /** No further line gets its turn. */
  over: boolean
  wake: (() => void) | null
}

/** How a run is meant to end. */
interface Ending {
  meant: RunEnd
  /** While it is being stored: whoever means the same meanwhile waits for that, and not with a connection of their own. */
  storing: Promise<void> | null
}

const tripLanes = 4
const everyMs = 5_000

/**
 * Several lines as one intent, each through the gate when its turn comes, with the rights of that moment. A run that its server did not
 * finish is over: its lines are missed, never operated late. Whether a run goes on stands in the database: there the gate looks, and there
 * whoever stops it or ends the sign-in it came from says so, on whichever server.
 */
export async function createRuns({ database, plant, hub, gate, distance, actorNow, clock, log }: Deps) {
  const running = new Map<string, Carried>()
  /** How runs are meant to end, until that is stored. */
  const ends = new Map<string, Ending>()
  /** However many end at once, a trip finds a connection. */
  const storingEnds = new Mutex()
  const starting = new KeyedMutex()
  const work = new Set<Promise<void>>()
  /** What nobody carried at the last look, if that succeeded. */
  let lapsed: ReadonlySet<string> = new Set()
  let closing = false

  // Each by itself: that this server lives must be said in time, whatever waits in the others.
  const looking = chore(endAbandoned)
  const chores = [chore(keepCarried), chore(storeEnds), looking]
  await looking.tick()

  return {
    start: (actor: Actor, action: RunAction, lines: readonly PlantLine[], body: Body): Promise<RunRecord> =>
      // One press that goes out twice uses up one grant.
      starting.run(body.RunID, () => start(actor, action, lines, body)),

    async get(actor: Actor, runId: string): Promise<RunRecord> {
      return told(actor, await seen(actor, runId))
    },

    async list(actor: Actor, query: Request<typeof listRuns>['query']): Promise<List<RunSummary>> {
      const page = { running: query.Running ?? false, page: query.Page ?? 1, size: query.Size ?? 10 }
      const sight = seenBy(actor, plant)
      const { ids, total } = await stored.runIdsSeen(database, { accountId: actor.accountId, sight }, page)
      const rows = await asSeenBy(database, actor.sight, (db) => stored.runSummaries(db, ids, sight))
      return { items: rows.map(summary), total }
    },

    /** Stopping makes things safer: whoever may switch one of the lines may, and whoever started it whatever they see by now. */
    async stop(actor: Actor, runId: string): Promise<RunRecord> {
      const run = await seen(actor, runId)
      if (run.endedAt !== null) return told(actor, run)
      const at = clock()
      const lines = run.lines.flatMap(({ lineId }) => plant.lines.get(lineId) ?? [])
      const trees = lines.length === 0 ? [actor.tree] : Map.groupBy(lines, treeOfLine).keys()
      const audits = [...trees].map((tree) => ({ ...by(actor, at, 'run.stop', tree), subject: aboutRun(runId) }))
      const stopped = endOnce(runId, { rest: 'stopped', at, stoppedBy: actor.userName, whenRevoked: null, audits: () => audits })
      halt(runId)
      await stopped
      // It may have been stored and not begun when this came.
      halt(runId)
      await tell(runId)
      return told(actor, await found(runId))
    },

    /** A command of a run came to an end. */
    commandSettled: (runId: string) => void tell(runId),

    /**
     * Leaves what was ended elsewhere or with its sign-in, stores the ends that could not be, and ends what nobody carries out; each runs by
     * itself every few seconds.
     */
    async sweep(): Promise<void> {
      for (const { tick } of chores) await tick()
    },

    async close(): Promise<void> {
      closing = true
      const over = chores.map((each) => each.close())
      for (const carried of running.values()) carried.wake?.()
      await Promise.all(work)
      await Promise.all(over)
      await storeEnds()
    },
  }

  async function start(actor: Actor, action: RunAction, lines: readonly PlantLine[], body: Body): Promise<RunRecord> {
    const before = await stored.runById(database, body.RunID)
    if (before) return sameAgain(before, actor, action)
    const orders = lines.map((line) => orderOf(actor, action, line, body))
    await gate.refuseUnlessAnyPermitted(orders)
    const byTree = Map.groupBy(lines, treeOfLine)
    await gate.takeRunGrant({
      actor,
      grant: body.Grant ?? null,
      confirmed: body.Confirmed ?? null,
      action,
      runId: body.RunID,
      lines,
    })
    const now = clock()
    const run = {
      id: body.RunID,
      action,
      accountId: actor.accountId,
      sessionId: actor.sessionId,
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
      subject: aboutRun(body.RunID),
      after: { lines: own.map(targetOf), reason: body.Reason, ...(body.Confirmed && { confirmed: body.Confirmed }) },
    }))
    const inserted = await stored.insertRun(database, run, audits)
    if (inserted === 'session over') throw new Refusal('session expired')
    if (inserted === 'known') return sameAgain(await found(body.RunID), actor, action)
    const carried: Carried = { over: false, wake: null }
    running.set(run.id, carried)
    const carriedOut = carryOut(run, carried, orders).catch((error) =>
      log.error({ err: error, run: run.id }, 'a group operation broke off; its remaining lines are missed'),
    )
    const tracked = carriedOut.finally(() => work.delete(tracked))
    work.add(tracked)
    return told(actor, await found(run.id))
  }

  /** What is done every few seconds, never twice at once, and again a whole while after it was done. */
  function chore(work: () => Promise<void>) {
    return every(everyMs, work, { log, failed: 'looking after group operations failed; it is tried again', spaced: true })
  }

  async function keepCarried(): Promise<void> {
    const carried = [...running.keys()]
    const going = await keepRuns(database, [...carried, ...ends.keys()])
    for (const runId of carried) if (!going.has(runId)) halt(runId)
  }

  async function storeEnds(): Promise<void> {
    for (const [runId, { meant, storing }] of ends) {
      // Whoever is storing it hears how that went, and tells.
      if (storing) await storing.catch(() => {})
      else {
        await endOrLater(runId, meant)
        await tell(runId)
      }
    }
  }

  /** What nobody carried at two looks in a row: after the database was away, whoever carries it has a while to say so first. */
  async function endAbandoned(): Promise<void> {
    const before = lapsed
    lapsed = new Set()
    const runs = await abandonedRuns(database)
    lapsed = new Set(runs.map(({ id }) => id))
    for (const run of runs) {
      if (!before.has(run.id) || running.has(run.id) || ends.has(run.id)) continue
      await storingEnds
        .run(() => endRun(database, run.id, { ...missed(run), ifLapsed: true }))
        .catch((error) =>
          log.error({ err: error, run: run.id }, 'a group operation that nobody carries could not be ended; it is tried again'),
        )
      await tell(run.id)
    }
  }

  /**
   * What is meant first counts, and is kept until it is stored: nobody's stop becomes a miss because the database was away. What a person says
   * counts more than that it was missed.
   */
  function endOnce(runId: string, meant: RunEnd): Promise<void> {
    const ending = ends.get(runId) ?? { meant, storing: null }
    ends.set(runId, ending)
    if (meant.rest === 'stopped' && ending.meant.rest === 'missed') ending.meant = meant
    ending.storing ??= storingEnds
      .run(() => endRun(database, runId, ending.meant))
      .then(() => void ends.delete(runId))
      .finally(() => {
        ending.storing = null
      })
    return ending.storing
  }

  async function endOrLater(runId: string, meant: RunEnd): Promise<void> {
    await endOnce(runId, meant).catch((error) =>
      log.error({ err: error, run: runId }, 'the end of a group operation could not be stored; it is tried again'),
    )
  }

  /** No further line gets its turn. A run that nobody carries out here needs none. */
  function halt(runId: string): void {
    const carried = running.get(runId)
    if (!carried) return
    carried.over = true
    carried.wake?.()
  }

  async function carryOut(run: Run & { readonly staggerMs: number }, carried: Carried, orders: readonly Order[]): Promise<void> {
    const { id: runId, action, staggerMs } = run
    try {
      if (action === 'trip') {
        // A few at a time: more would only wait for a connection to the database, and some might wait too long.
        const rest = [...orders]
        const lane = async () => {
          for (let order = rest.shift(); order && !carried.over; order = rest.shift()) await turn(runId, order)
        }
        await Promise.all(Array.from({ length: tripLanes }, lane))
      } else
        for (const [index, order] of orders.entries()) {
          const projectId = order.line.device.gateway.project.id
          await keepDistance(carried, projectId, index === 0 ? leastDistanceMs : staggerMs)
          if (closing || carried.over) break
          await turn(runId, order)
          // The distance counts from the sending, which the turn has just done.
          distance.begins(projectId)
        }
    } finally {
      running.delete(runId)
      // Whoever is stopping it ends it, and one that was ended elsewhere stays as it ended.
      if (!ends.has(runId)) await endOrLater(runId, missed(run))
      await tell(runId)
    }
  }

  /** Lines that had no turn are missed; the log names them. */
  function missed({ id, action, actor }: Run): RunEnd {
    const at = clock()
    const treeOf = (lineId: number) => {
      const line = plant.lines.get(lineId)
      return line ? treeOfLine(line) : null
    }
    const nameOf = (lineId: number) => {
      const line = plant.lines.get(lineId)
      return line ? targetOf(line) : `line ${lineId}`
    }
    return {
      rest: 'missed',
      at,
      stoppedBy: null,
      whenRevoked: wordOf(new Refusal('run sign-in ended')),
      // Each owner reads of their own lines.
      audits: (lineIds, refusal) =>
        [...Map.groupBy(lineIds, treeOf)].map(([tree, own]) => ({
          ...by({ userName: actor, address: '' }, at, `run.${action}`, tree),
          subject: aboutRun(id),
          after: { missed: own.map(nameOf), ...(refusal && { refusal: refusal.key }) },
          outcome: 'refused',
        })),
    }
  }

  /** One line's turn: what the gate says of it is its outcome. */
  async function turn(runId: string, order: Order): Promise<void> {
    const refusal = await refusalOf(runId, order)
    // It was ended in the midst of this turn, and its end says what became of the line.
    if (refusal?.key === ('group operation over' satisfies MessageKey)) return halt(runId)
    await stored
      .saveRunLine(database, runId, order.commandId, refusal)
      .catch((failed) => log.error({ err: failed, run: runId }, 'the turn of a line was not recorded'))
    await tell(runId)
  }

  /** Operates the line; null when the command is on its way. */
  async function refusalOf(runId: string, order: Order): Promise<RunRefusal | null> {
    try {
      const actor = await whoOrders(order)
      if (!actor?.seesGateway(order.line.device.gateway)) throw await denied(order)
      await gate.operate({ ...order, actor })
      return null
    } catch (error) {
      // One line that fails does not keep the others from their turn.
      if (!(error instanceof Refusal)) log.error({ err: error, run: runId, command: order.commandId }, 'a line of a group failed')
      return wordOf(error instanceof Refusal ? error : new Refusal('failed'))
    }
  }

  /** With the rights of now. A trip whose person is gone, or cannot be looked up, is still theirs: whoever cut the power may be sent away for it. */
  async function whoOrders({ actor, action }: Order): Promise<Actor | null> {
    if (action !== 'trip') return actorNow(actor)
    const now = await actorNow(actor).catch((error) => {
      log.error({ err: error }, 'whoever ordered a trip could not be looked up; it goes on')
      return null
    })
    return now ?? actor
  }

  /** Rights were lost since the run began: it never came to the gate, which would have written it down. */
  async function denied({ line, action, actor, source, reason, commandId }: Order): Promise<Refusal> {
    const refusal = new Refusal('access denied')
    await appendRefusal(database.control, {
      ...by(actor, clock(), `line.${action}`, treeOfLine(line)),
      subject: aboutLine(line),
      after: { commandId, reason, source, refusal: refusal.key },
      outcome: 'refused',
    })
    return refusal
  }

  /** Waits until the project's last close is long enough ago, or somebody stops the run. */
  async function keepDistance(carried: Carried, projectId: number, staggerMs: number): Promise<void> {
    for (;;) {
      const wait = distance.waitMs(projectId, staggerMs)
      if (wait <= 0 || closing || carried.over) break
      await new Promise<void>((resolve) => {
        const waiting = setTimeout(resolve, wait)
        carried.wake = () => {
          clearTimeout(waiting)
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

  function sameAgain(run: StoredRun, actor: Actor, action: RunAction): RunRecord {
    if (run.accountId !== actor.accountId || run.action !== action) throw new Refusal('operation id used')
    return told(actor, run)
  }

  function told(actor: Actor, run: StoredRun): RunRecord {
    return runSeenBy(actor, plant, record(run))
  }

  function record(run: StoredRun): RunRecord {
    const Lines = run.lines.flatMap(({ lineId, state, refusal, command }) => {
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
    })
    return { ...headOf(run), Whole: Lines.length === run.lines.length, Lines }
  }
}

function wordOf(refusal: Refusal): RunRefusal {
  const { Message: key, Text: text } = refusal.envelope()
  return { key, text }
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

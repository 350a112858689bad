import { Refusal } from '@linewarden/contract'
import { permits } from '@linewarden/rules/account'
import type { ClaimFacts } from '@linewarden/rules/automation'
import { isAsMeant, maxLateMs, runEnd, sceneActions } from '@linewarden/rules/automation'
import type { Actor } from '../../access/actor.ts'
import { Batched } from '../../lib/batched.ts'
import type { Loop } from '../../lib/every.ts'
import { every } from '../../lib/every.ts'
import type { Claimed, ClaimedExecution } from '../../store/automation/claim.ts'
import { claimDue, executionKind } from '../../store/automation/claim.ts'
import { dueNow, markOtherZoneData } from '../../store/automation/due.ts'
import { endExecutions, executionById, executionsGoingOn, operationIdsOf } from '../../store/automation/execution.ts'
import type { StoredLinkage } from '../../store/automation/linkage.ts'
import type { LinkageOperation, NewLinkageRun } from '../../store/automation/linkage-run.ts'
import type { SceneOperation } from '../../store/automation/outer-run.ts'
import type { StoredTimer } from '../../store/automation/timer.ts'
import { timersWhere } from '../../store/automation/timer.ts'
import { groupOperationById } from '../../store/control/group-operation.ts'
import { isRefusedByDatabase } from '../../store/core/refused.ts'
import type { Claim } from '../../store/jobs/due-work.ts'
import type { TurnRules } from '../control/group-operation-turns.ts'
import type { AutomationDeps } from './deps.ts'
import { createLinesOver } from './lines-over.ts'
import { createLinkageLater } from './linkage-later.ts'
import { ownerNow } from './owner-now.ts'
import type { FiredBy } from './scene-of-run-turns.ts'
import { createScenesOfRuns } from './scene-of-run-turns.ts'
import type { MayTrip } from './timer-decisions.ts'
import { decideTimers, dueAgain, skipTexts } from './timer-decisions.ts'
import type { ClaimMoment, Turns } from './turns.ts'
import { AutomationTurns } from './turns.ts'

const everyMs = 1_000
const leastWaitMs = 20
/** So long closes of a linkage wait for what became of its trips. */
const tripOutcomeMs = 15_000
/** So many at once, that a trip that is due behind them is not late. */
const claimAtOnce = 200
const endAtOnce = 200
/** So long a timer whose gateways this server does not reach is left to one that does. */
const graceMs = 1_500
/** So long a timer that could not be claimed is left alone; whatever else is due does not wait for it. */
const leaveAloneMs = 30_000
/** More than this between two looks is a clock that was set. */
const stepMs = 2_000

/** Runs of these timers began, went on or ended. */
type TimersChanged = (timers: readonly Pick<StoredTimer, 'timerId' | 'lineIds'>[]) => void

/** A decision takes the rights of people that are not read yet. */
class UnknownOwners extends Error {}

/**
 * Claims what timers are due for and carries it out. Whatever is claimed has its end stored: done here, or by whoever takes it over. A server
 * that starts makes nothing up for: what is late by then is missed, and says so.
 */
export class TimerDispatcher {
  readonly #deps: AutomationDeps
  readonly #turns: AutomationTurns
  readonly #beginScene: ReturnType<typeof createScenesOfRuns>
  readonly #linesOver: ReturnType<typeof createLinesOver>
  readonly #timersChanged: TimersChanged
  readonly #later: ReturnType<typeof createLinkageLater>
  readonly #loop: Loop
  #keptSince: number | null = null
  #databaseBackAt: number | null = null
  #clockSetAt: number | null = null
  #before: { readonly due: number; readonly monotonic: number } | null = null
  #isAway = false
  #isZoneDataMarked = false
  /** Timers that could not be claimed, until when, by a clock that no step moves. */
  readonly #leftAlone = new Map<number, number>()
  /** Over here, and their ends could not be stored. */
  readonly #unfinished = new Set<string>()
  /** Ends of runs that come at the same time are stored together. */
  readonly #ends: Batched<string, null>
  #wake: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(
    deps: AutomationDeps,
    sceneChanged: (executionId: string) => void = () => {},
    timersChanged: TimersChanged = () => {},
  ) {
    const { database, runner, log } = deps
    this.#deps = deps
    this.#timersChanged = timersChanged
    this.#turns = new AutomationTurns(deps)
    this.#beginScene = createScenesOfRuns(deps, this.#turns, sceneChanged)
    this.#linesOver = createLinesOver(deps)
    this.#later = createLinkageLater(deps)
    this.#ends = new Batched((ids) => this.#storeEnds(ids), { most: endAtOnce, oneByOne: isRefusedByDatabase })
    runner.register({
      kind: executionKind,
      takeOver: (claim, lost) => this.#takeOver(claim, lost),
      async goesOn(claims, renewed) {
        const going = await executionsGoingOn(
          database,
          claims.map(({ workId }) => workId),
        )
        return new Set(going.filter((id) => renewed.has(id)))
      },
    })
    this.#loop = every(everyMs, () => this.#look(), { log, failed: 'looking for timers that are due failed; it is tried again' })
  }

  /** Looks once; runs by itself every second. */
  readonly tick = (): Promise<void> => this.#loop.tick()

  /** It was stopped: what has no turn yet gets none. */
  stop(executionId: string): void {
    this.#deps.runner.stop(executionId)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#wake)
    await this.#loop.close()
    this.#turns.close()
    await this.#deps.runner.settled()
  }

  async #look(): Promise<void> {
    const { runner, clock } = this.#deps
    // Until nothing is left: what is due now does not wait behind what a server that was down has missed.
    for (let more = true; more; ) {
      const [monotonic, own] = [performance.now(), clock()]
      const { carried, decided, now, next, isMore } = await this.#claimOrOneByOne()
      this.#timersChanged(decided.map(({ timer }) => timer))
      const moment = { at: now, monotonic, clock: own }
      for (const each of carried) void runner.carry(each.claim, (stopped) => this.#carryOut(each, moment, stopped))
      more = isMore
      if (!more) this.#lookAgainIn(next === null ? everyMs : next - now)
    }
    // After whatever is due: neither keeps anything from being claimed.
    for (const executionId of [...this.#unfinished]) await this.#finished(executionId)
    if (!this.#isZoneDataMarked) await markOtherZoneData(this.#deps.database)
    this.#isZoneDataMarked = true
  }

  /** Whatever is due before the next look is looked for when it is. */
  #lookAgainIn(ms: number): void {
    clearTimeout(this.#wake)
    if (ms < everyMs && !this.#isClosed) this.#wake = setTimeout(this.tick, Math.max(ms + 1, leastWaitMs))
  }

  /** One row that the database does not take holds up no other: met in a batch, it is found one by one and left alone for a while. */
  async #claimOrOneByOne() {
    for (const [timerId, until] of this.#leftAlone) if (performance.now() > until) this.#leftAlone.delete(timerId)
    try {
      return await this.#claimOnce(claimAtOnce)
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'what timers are due for could not be claimed together; it is claimed one by one')
    }
    for (;;) {
      let asked: number | null = null
      try {
        return await this.#claimOnce(1, (timerId) => {
          asked = timerId
        })
      } catch (error) {
        // The database is away: nothing is known against any of them.
        if (asked === null) throw error
        this.#leftAlone.set(asked, performance.now() + leaveAloneMs)
        this.#deps.log.error({ err: error, timer: asked }, 'what a timer is due for could not be claimed; it is tried again')
      }
    }
  }

  async #claimOnce(limit: number, asks: (timerId: number) => void = () => {}) {
    const { actorNow } = this.#deps
    const owners = new Map<string, Actor | null>()
    try {
      for (;;) {
        const unknown = new Set<string>()
        const claimed = await this.#claimBy(limit, asks, this.#mayTrip(owners, unknown), unknown)
        if (claimed) {
          this.#factsAt(claimed.now)
          this.#isAway = false
          return { ...claimed, isMore: claimed.taken >= limit }
        }
        // Outside the transaction: whoever is asked here may wait for what it has locked. Of an owner that could not be read nothing is known.
        await Promise.all([...unknown].map(async (accountId) => owners.set(accountId, await ownerNow(actorNow, accountId))))
      }
    } catch (error) {
      this.#isAway = true
      throw error
    }
  }

  /** Null: it takes the rights of owners that are not read yet, and nothing was claimed. */
  async #claimBy(
    limit: number,
    asks: (timerId: number) => void,
    mayTrip: MayTrip,
    unknown: ReadonlySet<string>,
  ): Promise<Claimed | null> {
    const { database, runner, dueClock, log } = this.#deps
    const factsAt = (now: number) => this.#factsAt(now)
    const failed = (error: unknown, timerId: number) =>
      log.error({ err: error, timer: timerId }, 'what a timer is due for next cannot be worked out; what is due already is done')
    const except = [...this.#leftAlone.keys()]
    return claimDue(database, {
      ...{ clock: dueClock, holder: runner.holder, limit, gatewayIds: this.#reached(), graceMs, except },
      async decide(trx, due, now) {
        for (const { timer } of due) asks(timer.timerId)
        const decisions = await decideTimers(trx, due, factsAt(now), failed, mayTrip)
        if (unknown.size > 0) throw new UnknownOwners()
        return decisions
      },
      again: (trx, timers, at) => dueAgain(trx, timers, at, failed),
    }).catch((error) => {
      if (error instanceof UnknownOwners) return null
      throw error
    })
  }

  /** Only a timer that may trip the line itself, by the rights its owner has now, keeps another's trip of it back. */
  #mayTrip(owners: ReadonlyMap<string, Actor | null>, unknown: Set<string>): MayTrip {
    const { plant } = this.#deps
    return ({ ownerId, projectId }, lineId) => {
      if (ownerId === null) return false
      if (!owners.has(ownerId)) unknown.add(ownerId)
      const owner = owners.get(ownerId)
      const gateway = plant.lines.get(lineId)?.device.gateway
      return !!owner && gateway?.project.id === projectId && permits('lineSwitch', owner) && owner.seesGateway(gateway)
    }
  }

  /** What is known of the time before now, by the clock that decides what is due. */
  #factsAt(now: number): ClaimFacts {
    const monotonic = performance.now()
    this.#keptSince ??= now
    if (this.#isAway) this.#databaseBackAt = now
    const before = this.#before
    if (before && now - before.due - (monotonic - before.monotonic) > stepMs) this.#clockSetAt = now
    this.#before = { due: now, monotonic }
    return {
      claimedAt: now,
      keptSince: this.#keptSince,
      databaseBackAt: this.#databaseBackAt,
      clockSetAt: this.#clockSetAt,
    }
  }

  #reached(): readonly number[] {
    const { plant, ingest } = this.#deps
    return [...plant.gateways.values()].flatMap((gateway) => {
      const [device] = gateway.devices.values()
      return device && ingest.reach(gateway, device) === 'yes' ? gateway.id : []
    })
  }

  async #carryOut(
    { decision: { execution, operation, scene, timer }, claim }: ClaimedExecution,
    claimed: ClaimMoment,
    stopped: AbortSignal,
  ): Promise<void> {
    const by: FiredBy = {
      ...{ claim, source: execution.source, projectId: execution.projectId, dueAt: execution.dueAt, claimed },
      owner: { accountId: execution.accountId, userName: execution.actor },
    }
    const changed = () => this.#timersChanged([timer])
    try {
      if (operation) {
        const lines = operation.lines.filter(({ state }) => state === 'waiting')
        const { operationId, action } = operation
        await this.#turns.give({ ...by, operationId, action, name: execution.name, lines, changed }, stopped)
      }
      const give = scene && this.#beginScene(scene, by, stopped)
      for (const action of sceneActions) await give?.(action)
    } finally {
      await this.#finished(execution.executionId)
      changed()
    }
  }

  /** Carries out a run of a linkage, its trips first, and stores its end. `isStillTrue`: what it fired for; asked where it closes after a delay. */
  carryLinkage(linkage: StoredLinkage, run: NewLinkageRun, claim: Claim, isStillTrue: () => boolean): void {
    const { runner, clock } = this.#deps
    const { projectId, name, ownerId, ownerName } = linkage
    const now = clock()
    const claimed: ClaimMoment = { at: now, monotonic: performance.now(), clock: now }
    const owner = { accountId: ownerId, userName: ownerName }
    const by: FiredBy = { claim, source: 'linkage', owner, projectId, dueAt: run.at, claimed }
    void runner.carry(claim, async (stopped) => {
      try {
        const own = run.operations.map(({ operationId, action, lines }) => ({
          ...{ ...by, operationId, action, name },
          lines: lines.filter(({ state }) => state === 'waiting'),
        }))
        const [trips, closes] = [own.filter(({ action }) => action === 'trip'), own.filter(({ action }) => action === 'close')]
        const begins = this.#turns.begin(closes.flatMap(({ lines }) => lines.map(({ lineId }) => lineId)))
        begins.catch(() => {})
        const scenes = run.scenes.map((scene) => this.#beginScene(scene, by, stopped))
        const given = await Promise.allSettled([
          ...trips.map((each) => this.#turns.give(each, stopped)),
          ...scenes.map((give) => give('trip')),
        ])
        // Where one of them failed the others still trip; nothing is closed behind them.
        for (const each of given) if (each.status === 'rejected') throw each.reason
        // A close never overtakes a trip of its linkage, nor comes where one failed: what they feed may be one installation from two sides.
        const ofScenes = run.scenes.flatMap(({ operations }) => operations)
        if ([...run.operations, ...ofScenes].every(({ action }) => action === 'trip')) return
        const until = performance.now() + tripOutcomeMs
        const ownOpen = await this.#tripsAreAsMeant(run.operations, until, stopped)
        const allOpen = (await this.#tripsAreAsMeant(ofScenes, until, stopped)) && ownOpen
        // What is done after a delay counts from its firing on, and waits for what that trips.
        const lineIds = [...run.operations, ...ofScenes].flatMap(closesThatWait)
        const waited = { until, over: stopped, isStillTrue }
        const later = run.later && lineIds.length > 0 ? await this.#later.laterCloses(linkage, run.later, lineIds, waited) : null
        const isBarred = later?.areTripsAsMeant === false
        const barred = async () => new Refusal('linkage trip failed')
        const rules: TurnRules | null = allOpen && !isBarred ? null : { source: 'linkage', ready: barred }
        const from = later ? { begun: later.begun, standsAgainst: later.standsAgainst } : { begun: await begins }
        for (const each of closes) await this.#turns.give({ ...each, rules, ...from }, stopped)
        for (const give of scenes) await give('close', ownOpen && !isBarred ? null : barred, later)
      } finally {
        await this.#finished(run.executionId)
      }
    })
  }

  /** Waits for the trips among these, and says whether each is verified, or open already. */
  async #tripsAreAsMeant(
    operations: readonly { readonly operationId: string; readonly action: string; readonly lines: readonly unknown[] }[],
    until: number,
    over: AbortSignal,
  ): Promise<boolean> {
    let asMeant = true
    for (const { operationId, action, lines } of operations) {
      if (action !== 'trip' || lines.length === 0) continue
      const ended = await this.#linesOver({ operationId, timeoutMs: until - performance.now(), over })
      asMeant &&= ended?.every(isAsMeant) ?? false
    }
    return asMeant
  }

  async #finished(executionId: string): Promise<void> {
    try {
      await this.finish(executionId)
      this.#unfinished.delete(executionId)
    } catch (error) {
      this.#unfinished.add(executionId)
      const { log } = this.#deps
      log.error({ err: error, run: executionId }, 'the end of an automatic run could not be stored; it is tried again')
    }
  }

  /** Stores the end of an execution, once: lines that had no turn were missed, or, where somebody stopped it, stopped. */
  async finish(executionId: string): Promise<void> {
    await this.#ends.run(executionId)
  }

  async #storeEnds(executionIds: readonly string[]): Promise<readonly null[]> {
    const { database, runner, clock, dueClock } = this.#deps
    const whenRevoked = {
      timer: { key: 'timerChanged', text: skipTexts.changed() },
      linkage: { key: 'linkageChanged', text: skipTexts.linkageChanged() },
    }
    await endExecutions(database, executionIds, { at: clock(), clock: dueClock, whenRevoked, stateOf: runEnd })
    for (const executionId of executionIds) runner.letGo(executionId)
    return executionIds.map(() => null)
  }

  /** Whoever carried it is gone. What may have left is followed and never sent again; of the rest only trips go on, while they are not too late. */
  async #takeOver(claim: Claim, lost: AbortSignal): Promise<void> {
    const { database, clock, dueClock } = this.#deps
    const execution = await executionById(database.control, claim.key)
    const [monotonic, own] = [performance.now(), clock()]
    const now = await dueNow(database, dueClock)
    const dueAt = execution && (execution.dueAt ?? (execution.source === 'linkage' ? execution.claimedAt : null))
    if (execution && dueAt !== null && execution.stoppedBy === null && now - dueAt <= maxLateMs.trip)
      for (const operationId of await operationIdsOf(database.control, claim.key)) {
        const operation = await groupOperationById(database, operationId)
        if (operation?.action !== 'trip' || operation.endedAt !== null) continue
        const left: Turns = {
          ...{ claim, operationId, action: operation.action, source: execution.source, name: execution.name },
          owner: { accountId: execution.accountId, userName: execution.actor },
          ...{ projectId: execution.projectId, dueAt, claimed: { at: now, monotonic, clock: own } },
          lines: operation.lines.filter(({ state, command }) => state === 'waiting' && !command),
        }
        await this.#turns.give(left, lost)
      }
    await this.finish(claim.key)
    if (execution?.source === 'timer')
      this.#timersChanged(await timersWhere(database.control, { timerIds: [execution.sourceId], removedToo: true }))
  }
}

const closesThatWait = ({ action, lines }: LinkageOperation | SceneOperation): readonly number[] =>
  action === 'close' ? lines.flatMap(({ lineId, state }) => (state === 'waiting' ? lineId : [])) : []

import { setTimeout as pause } from 'node:timers/promises'
import type { Firing, LinkageState } from '@linewarden/rules/automation'
import { enabledLinkage, maxLateTripMs } from '@linewarden/rules/automation'
import { every, Loop } from '../../lib/every.ts'
import { KeyedMutex } from '../../lib/serial.ts'
import type { PlantGateway, PlantLine } from '../../plant/plant.ts'
import type { StoredLinkage } from '../../store/automation/linkage.ts'
import { enabledLinkages, linkagesById } from '../../store/automation/linkage.ts'
import type { NewLinkageRun } from '../../store/automation/linkage-run.ts'
import { keptLinkages } from '../../store/automation/linkage-state.ts'
import type { Claim } from '../../store/jobs/due-work.ts'
import { giveBackWorks } from '../../store/jobs/due-work.ts'
import type { AutomationDeps } from './deps.ts'
import type { LinkageAlarms } from './linkage-alarms.ts'
import { createLinkageAlarms } from './linkage-alarms.ts'
import { createLinkageCheckpoints } from './linkage-checkpoints.ts'
import { createLinkageDue } from './linkage-due.ts'
import type { Fired } from './linkage-firings.ts'
import { createLinkageFirings, linkageRunId } from './linkage-firings.ts'
import { createLinkageHalts } from './linkage-halts.ts'
import { LinkageHandovers } from './linkage-handovers.ts'
import { createLinkageLive } from './linkage-live.ts'
import { NearFirings } from './linkage-near.ts'
import { ReportingPeriods } from './linkage-periods.ts'
import { foldNow, takeSame, takeSameOf } from './linkage-reports.ts'
import type { LineReads, LiveLinkage, Unstored } from './linkage-state.ts'
import {
  hasSameConditions,
  isAllHere,
  isKnownOtherwise,
  isShownOtherwise,
  keptOf,
  newLiveLinkage,
  readsSameLines,
} from './linkage-state.ts'
import type { LinkageView } from './linkage-view.ts'
import { foldedView, plainView } from './linkage-view.ts'

const tickEveryMs = 1_000
const checkpointEveryMs = 10_000
/** So often it is looked for what other servers have changed. */
const reloadEveryMs = 5_000
const retryMs = 250
/** Too late for a trip it is kept at least that it rose; so often, and for so long, it is tried. */
const [lateRetryMs, maxRetryMs] = [5_000, 3_600_000]

/** A rise as it was observed here. */
interface Observed {
  readonly rising: Unstored
  readonly firing: Firing
  readonly view: LinkageView
}

/** Carries out a run that was stored here. `isStillTrue`: whether the conditions of the linkage are known to be true, at that moment. */
export type Carry = (linkage: StoredLinkage, run: NewLinkageRun, claim: Claim, isStillTrue: () => boolean) => void

/**
 * Evaluates linkages on what was committed, and acts on each rise once. By line it knows which linkages read it: a report of a line that none
 * reads costs a look-up. A linkage is evaluated by the server that its gateways report to.
 */
export class LinkageEngine {
  readonly #deps: AutomationDeps
  readonly #carry: Carry
  readonly #firings: ReturnType<typeof createLinkageFirings>
  readonly #delayed: ReturnType<typeof createLinkageDue>
  readonly #alarms: LinkageAlarms
  readonly #halts: ReturnType<typeof createLinkageHalts>
  readonly #messages: ReturnType<typeof createLinkageLive>
  readonly #checkpoints: ReturnType<typeof createLinkageCheckpoints>
  readonly #handovers: LinkageHandovers
  readonly #live = new Map<number, LiveLinkage>()
  /** By the id of a line what reads it. */
  readonly #readers = new Map<number, readonly LineReads[]>()
  readonly #periods = new ReportingPeriods()
  /** Gateways of which something was committed here. */
  readonly #kept = new Set<PlantGateway>()
  /** Linkages of which all that they read is reported here; null: to be found anew. */
  #here: readonly number[] | null = null
  readonly #acting = new KeyedMutex()
  readonly #tasks = new Set<Promise<void>>()
  /** Looks at the time, and waits for nothing: what the database has to do is a matter of the next. */
  readonly #looking: Loop
  readonly #storing: Loop
  readonly #keeping: Loop
  readonly #unsubscribe: () => void
  readonly #near = new NearFirings()
  #reloaded = Number.NEGATIVE_INFINITY
  readonly #closing = new AbortController()

  constructor(deps: AutomationDeps, carry: Carry) {
    const { hub, log } = deps
    this.#deps = deps
    this.#carry = carry
    this.#firings = createLinkageFirings(deps)
    this.#delayed = createLinkageDue(deps)
    this.#alarms = createLinkageAlarms(deps)
    this.#halts = createLinkageHalts(deps)
    this.#messages = createLinkageLive(deps)
    this.#checkpoints = createLinkageCheckpoints(deps)
    this.#handovers = new LinkageHandovers(deps, {
      ...{ live: this.#live, closing: this.#closing.signal },
      joined: (gateways) => this.#look(({ device }) => gateways.has(device.gateway), true),
    })
    this.#unsubscribe = hub.subscribe(({ lines }) => {
      if (!lines || this.#readers.size === 0) return
      const now = deps.clock()
      for (const line of lines) this.#reported(line, now)
    })
    this.#looking = every(tickEveryMs, () => this.#look(this.#isRead, false), { log })
    this.#storing = every(tickEveryMs, () => this.#store(), {
      ...{ log, failed: 'looking after linkages failed; it is tried again' },
    })
    this.#keeping = new Loop(checkpointEveryMs, () => this.write(), {
      ...{ log, failed: 'where linkages stand could not be kept; it is tried again', level: 'warn', unref: true },
    }).start()
  }

  /** Where its conditions stand now, whether it is evaluated or not. */
  viewOf(linkage: StoredLinkage): LinkageView {
    const now = this.#deps.clock()
    const own = this.#live.get(linkage.linkageId)
    return own?.linkage.version === linkage.version ? foldedView(own.rule, own.state, now) : plainView(this.#deps, linkage, now)
  }

  /** Takes a linkage as it is stored now. */
  async changed(linkageId: number): Promise<void> {
    await this.#acting.run(String(linkageId), () => this.#load([linkageId]))
  }

  /** Looks at the time, and for what is due; runs by itself every second. */
  async tick(): Promise<void> {
    await this.#looking.tick()
    await this.settled()
    // One that is under way may have looked before what is to be found.
    await this.#storing.settled()
    await this.#storing.tick()
    await this.settled()
  }

  /** Resolves when everything that has fired is stored. */
  async settled(): Promise<void> {
    while (this.#tasks.size > 0) await Promise.all(this.#tasks)
  }

  /** Keeps where conditions stand; runs by itself every ten seconds. */
  write(): Promise<void> {
    return this.#checkpoints.write([...this.#live.values()].filter(({ isDirty }) => isDirty))
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#unsubscribe()
    for (const loop of [this.#looking, this.#storing, this.#keeping]) await loop.close()
    this.#messages.close()
    await this.settled()
    await this.write().catch((error) => this.#deps.log.warn({ err: error }, 'where linkages stand could not be kept'))
  }

  /** Every report of a plant passes here: of a line that no linkage reads it costs this look-up. */
  #reported(line: PlantLine, now: number): void {
    const readers = this.#readers.get(line.id)
    if (readers === undefined) return
    const { gateway } = line.device
    if (!this.#kept.has(gateway)) {
      this.#kept.add(gateway)
      this.#here = null
    }
    if (!this.#handovers.isJoined(gateway)) {
      const joining = this.#handovers.join(gateway)
      if (joining) this.#track(joining)
    } else
      for (const reads of readers)
        try {
          if (!takeSameOf(this.#deps.ingest, reads, now)) this.#fold(reads.own, (each) => each === line, now)
        } catch (error) {
          this.#beginAnew(reads.own, error)
        }
  }

  /** A linkage that cannot be evaluated keeps no other from it. */
  #beginAnew(own: LiveLinkage, error: unknown): void {
    const now = this.#deps.clock()
    if (!own.failures.failed(now)) return
    this.#deps.log.error({ err: error, linkage: own.linkage.linkageId }, 'a linkage cannot be evaluated: it begins anew')
    own.state = enabledLinkage(own.rule, now)
  }

  #fold(own: LiveLinkage, which: (line: PlantLine) => boolean, now: number): void {
    const before = own.state
    for (const firing of foldNow(this.#deps.ingest, own, which, now)) this.#fired(own, firing, before)
    if (isKnownOtherwise(before, own.state)) own.isLearnt = true
    if (isShownOtherwise(before, own.state)) this.#messages.changed(own.linkage)
  }

  /** Of a gateway that was gone before this server began, nothing comes; that it is gone is known all the same. */
  readonly #isKept = (gateway: PlantGateway): boolean => this.#kept.has(gateway) || gateway.link === 'offline'

  readonly #isRead = ({ device: { gateway } }: PlantLine): boolean =>
    (this.#kept.has(gateway) && this.#handovers.isJoined(gateway)) || gateway.link === 'offline'

  /** `sampledToo`: these lines may have reported what was not looked at. */
  #look(which: (line: PlantLine) => boolean, sampledToo: boolean): void {
    const now = this.#deps.clock()
    this.#periods.follow(this.#live)
    for (const own of this.#live.values())
      try {
        if (!takeSame(this.#deps.ingest, own, which, now, sampledToo || !own.wasLookedAt)) this.#fold(own, which, now)
        if (which === this.#isRead) own.wasLookedAt = true
        this.#near.look(own, now)
        if (which === this.#isRead) own.failures.wentWell()
      } catch (error) {
        this.#beginAnew(own, error)
      }
  }

  /** One part that fails keeps none of the others from its turn. */
  async #store(): Promise<void> {
    const { clock, database } = this.#deps
    const isReloadDue = clock() - this.#reloaded >= reloadEveryMs || clock() < this.#reloaded
    const parts = [
      ...(isReloadDue ? [() => this.#halts.haltBroken([...this.#live.values()]), () => this.#reload()] : []),
      () => this.#due(),
      () =>
        this.#alarms.tick(
          (linkageId) => this.#live.get(linkageId) ?? null,
          (own) => this.#truthOf(own),
        ),
      () => this.#near.store(database),
      () => this.#checkpoints.write([...this.#live.values()].filter(({ isLearnt }) => isLearnt)),
    ]
    const failures: unknown[] = []
    for (const part of parts) await part().catch((error: unknown) => failures.push(error))
    if (failures.length > 0) throw failures[0]
  }

  async #due(): Promise<void> {
    this.#here ??= [...this.#live.values()].flatMap((own) => (this.#isHere(own) ? own.linkage.linkageId : []))
    await this.#delayed.due(
      this.#here,
      (linkage) => this.#isTrue(linkage),
      (decided, raised) => {
        for (const { linkage, run, claim } of decided) {
          if (claim) this.#carry(linkage, run, claim, () => this.#isTrue(linkage))
          this.#messages.changed(linkage)
        }
        for (const { linkage, lineIds } of raised) this.#alarms.raise(linkage, lineIds)
      },
    )
  }

  readonly #isHere = (own: LiveLinkage): boolean => isAllHere(own, (gateway) => this.#kept.has(gateway))

  /** Whether it is still in force as it was read, and its conditions are known here to be true. */
  #isTrue({ linkageId, version }: StoredLinkage): boolean {
    const own = this.#live.get(linkageId)
    const isSame = own?.linkage.version === version && own.linkage.halted === null
    return isSame && this.#isHere(own) && this.#truthOf(own) === true
  }

  #truthOf({ rule, state }: LiveLinkage) {
    return foldedView(rule, state, this.#deps.clock()).truth
  }

  #fired(own: LiveLinkage, firing: Firing, before: LinkageState): void {
    // One that has stopped itself goes on tripping for dangers, and does nothing else.
    if (own.linkage.halted && !this.#firings.isDanger(own.linkage, firing.truths)) return
    const view = foldedView(own.rule, own.state, Math.max(firing.at, own.state.clock))
    const { linkageId } = own.linkage
    const rising: Unstored = { before }
    const observed: Observed = { rising, firing, view }
    own.unstored.push(rising)
    const work = async () => {
      // One before it is left to the next start: nothing is stored that is known by a rise after it.
      if (own.unstored[0] !== rising) return
      const isOver = await this.#acted(own, observed).catch((error) => {
        this.#deps.log.error({ err: error, linkage: linkageId }, 'a linkage could not act')
        return true
      })
      if (!isOver) return
      own.unstored.shift()
      own.isDirty = own.isLearnt = true
    }
    this.#track(this.#acting.run(String(linkageId), work))
  }

  #track(work: Promise<void>): void {
    const task = work.finally(() => this.#tasks.delete(task))
    this.#tasks.add(task)
  }

  /** Whether something came of it; false: this server ends, and the next start finds it as it was before. */
  async #acted(own: LiveLinkage, observed: Observed): Promise<boolean> {
    for (let acting: LiveLinkage | null = own; acting; acting = this.#changedSince(acting)) {
      const fired = await this.#untilStored(acting, observed)
      if (!fired) return !this.#closing.signal.aborted
      acting.rises = fired.taken?.rises ?? acting.rises
      acting.turn = fired.taken?.turn ?? acting.turn
      this.acted(acting.linkage, fired)
      if (fired.is === 'halted' || fired.is === 'elsewhere') await this.#load([acting.linkage.linkageId])
      if (fired.is !== 'elsewhere') return true
    }
    return true
  }

  /** As a linkage that was changed while it rose is by now, if it reads the same still: what has risen once does not rise again. Null: it was not. */
  #changedSince({ linkage }: LiveLinkage): LiveLinkage | null {
    const now = this.#live.get(linkage.linkageId)
    return now && now.linkage.version !== linkage.version && hasSameConditions(now.linkage, linkage) ? now : null
  }

  /**
   * While the database is away it is tried again: as long as a trip is still wanted that it acts, and after that it is kept that it rose too late.
   * A second try stores nothing twice.
   */
  async #untilStored(acting: LiveLinkage, { rising, firing, view }: Observed): Promise<Fired | null> {
    const { clock, database, runner, log } = this.#deps
    const { linkage, rises } = acting
    const began = performance.now()
    for (let attempt = 0; ; attempt++) {
      const isLate = clock() - firing.at > maxLateTripMs
      try {
        const kept = keptOf(acting, rising)
        const fired = await this.#firings.fire({ linkage, kept, view, firing: { ...firing, late: firing.late || isLate } })
        // The answer to the COMMIT of an attempt before was lost: the run is there, and whoever looks for works that nobody carries goes on with it.
        if (attempt > 0 && fired.is === 'elsewhere')
          await giveBackWorks(database.control, [linkageRunId(linkage.linkageId, rises + 1)], runner.holder)
        return fired
      } catch (error) {
        log[attempt === 0 ? 'error' : 'debug']({ err: error }, 'what a linkage does could not be stored; it is tried again')
        if (this.#closing.signal.aborted || performance.now() - began > maxRetryMs) return null
        await pause(isLate ? lateRetryMs : retryMs, undefined, { signal: this.#closing.signal }).catch(() => {})
      }
    }
  }

  /** What was stored is carried out, and said. */
  acted(linkage: StoredLinkage, fired: Fired): void {
    if (fired.run && fired.claim) this.#carry(linkage, fired.run, fired.claim, () => this.#isTrue(linkage))
    this.#alarms.raise(linkage, fired.raises)
    if (fired.is === 'halted' && fired.haltedWhy) this.#halts.halted(linkage, fired.haltedWhy)
    this.#messages.changed(linkage)
  }

  /** What other servers have changed, and at the start everything. */
  async #reload(): Promise<void> {
    const { database, plant, clock } = this.#deps
    const enabled = await enabledLinkages(database.control)
    const changed = enabled.flatMap(({ linkageId, version, halted }) => {
      const own = this.#live.get(linkageId)
      const isSame = own?.linkage.version === version && (own.linkage.halted === null) === (halted === null)
      return isSame && readsSameLines(plant, own) ? [] : linkageId
    })
    const there = new Set(enabled.map(({ linkageId }) => linkageId))
    const gone = [...this.#live.keys()].filter((id) => !there.has(id))
    if (changed.length + gone.length > 0) await this.#load([...changed, ...gone])
    await this.#halts.halts(
      enabled.flatMap(({ linkageId, halted }) => (halted ? [{ linkageId, why: halted }] : [])),
      this.#isKept,
    )
    this.#reloaded = clock()
  }

  async #load(linkageIds: readonly number[]): Promise<void> {
    const { database, plant, clock } = this.#deps
    const stored = new Map((await linkagesById(database.control, linkageIds)).map((each) => [each.linkageId, each]))
    const kept = await keptLinkages(database.control, linkageIds)
    this.#here = null
    this.#periods.forget()
    for (const id of linkageIds) {
      const linkage = stored.get(id)
      const before = this.#live.get(id)
      const isEvaluated = linkage?.enabled && !linkage.removed
      if (isEvaluated && before?.linkage.version === linkage.version && readsSameLines(plant, before)) {
        if ((before.linkage.halted === null) !== (linkage.halted === null)) this.#messages.changed(linkage)
        before.linkage = linkage
        before.rises = Math.max(before.rises, kept.get(id)?.rises ?? 0)
        continue
      }
      if (before) this.#unindex(before)
      this.#live.delete(id)
      if (linkage && !(linkage.enabled && !linkage.removed && linkage.halted)) this.#halts.cleared(linkage)
      const course = { kept: kept.get(id) ?? null, before: before ?? null }
      const own = isEvaluated ? newLiveLinkage(plant, linkage, course, clock()) : null
      if (linkage && Number.isFinite(this.#reloaded)) this.#messages.changed(linkage)
      if (!own) continue
      this.#live.set(id, own)
      for (const reads of own.reads) this.#readers.set(reads.line.id, [...(this.#readers.get(reads.line.id) ?? []), reads])
    }
  }

  #unindex({ reads }: LiveLinkage): void {
    for (const own of reads) {
      const rest = (this.#readers.get(own.line.id) ?? []).filter((each) => each !== own)
      if (rest.length > 0) this.#readers.set(own.line.id, rest)
      else this.#readers.delete(own.line.id)
    }
  }
}

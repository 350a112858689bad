import { setTimeout as pause } from 'node:timers/promises'
import type { Firing } from '@linewarden/rules/automation'
import { maxLateTripMs } from '@linewarden/rules/automation'
import { every, Loop } from '../../lib/every.ts'
import { KeyedMutex } from '../../lib/serial.ts'
import type { PlantGateway, PlantLine } from '../../plant/plant.ts'
import type { StoredLinkage } from '../../store/automation/linkage.ts'
import { linkagesById, linkagesInForce } from '../../store/automation/linkage.ts'
import type { NewLinkageRun } from '../../store/automation/linkage-run.ts'
import { keptLinkages, nearSlot, noteNear, purgeNear, writeLinkages } from '../../store/automation/linkage-state.ts'
import type { Claim } from '../../store/jobs/due-work.ts'
import { giveBackWorks } from '../../store/jobs/due-work.ts'
import type { AutomationDeps } from './deps.ts'
import type { LinkageAlarms } from './linkage-alarms.ts'
import { createLinkageAlarms } from './linkage-alarms.ts'
import { createLinkageDue } from './linkage-due.ts'
import type { Fired } from './linkage-firings.ts'
import { createLinkageFirings, linkageRunId } from './linkage-firings.ts'
import type { LiveLinkage } from './linkage-state.ts'
import { foldNow, followPeriods, keptOf, newLiveLinkage } from './linkage-state.ts'
import { traceOf } from './linkage-trace.ts'
import type { LinkageView } from './linkage-view.ts'
import { foldedView, plainView } from './linkage-view.ts'

const tickEveryMs = 1_000
const checkpointEveryMs = 10_000
/** So often it is looked for what other servers have changed. */
const reloadEveryMs = 5_000
const purgeEveryMs = 3_600_000
const retryMs = 250

/** Carries out a run that was stored here. */
export type Carry = (linkage: StoredLinkage, run: NewLinkageRun, claim: Claim) => void

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
  readonly #live = new Map<number, LiveLinkage>()
  /** By the id of a line those that read it. */
  readonly #readers = new Map<number, readonly LiveLinkage[]>()
  /** Gateways of which something was committed here. */
  readonly #kept = new Set<PlantGateway>()
  readonly #acting = new KeyedMutex()
  readonly #tasks = new Set<Promise<void>>()
  readonly #loops: readonly Loop[]
  readonly #unsubscribe: () => void
  #reloaded = Number.NEGATIVE_INFINITY
  #purged = Number.NEGATIVE_INFINITY
  #isClosing = false

  constructor(deps: AutomationDeps, carry: Carry) {
    const { hub, log } = deps
    this.#deps = deps
    this.#carry = carry
    this.#firings = createLinkageFirings(deps)
    this.#delayed = createLinkageDue(deps)
    this.#alarms = createLinkageAlarms(deps)
    this.#unsubscribe = hub.subscribe(({ lines }) => {
      if (lines) for (const line of lines) this.#reported(line)
    })
    this.#loops = [
      every(tickEveryMs, () => this.#tick(), { log, failed: 'looking after linkages failed; it is tried again' }),
      new Loop(checkpointEveryMs, () => this.write(), {
        ...{ log, failed: 'where linkages stand could not be kept; it is tried again', level: 'warn', unref: true },
      }).start(),
    ]
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
    await this.#loops[0]?.tick()
    await this.settled()
  }

  /** Resolves when everything that has fired is stored. */
  async settled(): Promise<void> {
    while (this.#tasks.size > 0) await Promise.all(this.#tasks)
  }

  /** Keeps where conditions stand; runs by itself every ten seconds. */
  async write(): Promise<void> {
    const dirty = [...this.#live.values()].filter(({ isDirty }) => isDirty)
    for (const own of dirty) own.isDirty = false
    try {
      await writeLinkages(this.#deps.database, dirty.map(keptOf), this.#deps.clock())
    } catch (error) {
      for (const own of dirty) own.isDirty = true
      throw error
    }
  }

  async close(): Promise<void> {
    this.#isClosing = true
    this.#unsubscribe()
    for (const loop of this.#loops) await loop.close()
    await this.settled()
    await this.write().catch((error) => this.#deps.log.warn({ err: error }, 'where linkages stand could not be kept'))
  }

  /** Every report of a plant passes here: of a line that no linkage reads it costs this look-up. */
  #reported(line: PlantLine): void {
    const readers = this.#readers.get(line.id)
    if (readers === undefined) return
    this.#kept.add(line.device.gateway)
    const now = this.#deps.clock()
    for (const own of readers) this.#fold(own, (each) => each === line, now)
  }

  #fold(own: LiveLinkage, which: (line: PlantLine) => boolean, now: number): void {
    for (const firing of foldNow(this.#deps.ingest, own, which, now)) this.#fired(own, firing)
  }

  async #tick(): Promise<void> {
    const { clock, log, database } = this.#deps
    if (clock() - this.#reloaded >= reloadEveryMs || clock() < this.#reloaded) await this.#reload()
    const now = clock()
    for (const own of this.#live.values()) {
      followPeriods(own)
      this.#fold(own, ({ device }) => this.#kept.has(device.gateway), now)
      this.#noteNear(own, now)
    }
    await this.settled()
    await this.#due()
    await this.#alarms.tick(
      (linkageId) => this.#live.get(linkageId) ?? null,
      (own) => this.#truthOf(own),
    )
    if (now - this.#purged < purgeEveryMs) return
    this.#purged = now
    await purgeNear(database, now).catch((error) => log.warn({ err: error }, 'what linkages nearly did could not be purged'))
  }

  async #due(): Promise<void> {
    const isKept = ({ lines }: LiveLinkage) => lines.every(({ device }) => this.#kept.has(device.gateway))
    const ids = [...this.#live.values()].flatMap((own) => (isKept(own) ? own.linkage.linkageId : []))
    const { decided, raised } = await this.#delayed.due(ids, (linkageId) => {
      const own = this.#live.get(linkageId)
      return own !== undefined && isKept(own) && this.#truthOf(own) === true
    })
    for (const { linkage, run, claim } of decided) if (claim) this.#carry(linkage, run, claim)
    for (const { linkage, lineIds } of raised) this.#alarms.raise(linkage, lineIds)
  }

  #truthOf({ rule, state }: LiveLinkage) {
    return foldedView(rule, state, this.#deps.clock()).truth
  }

  #fired(own: LiveLinkage, firing: Firing): void {
    const view = foldedView(own.rule, own.state, Math.max(firing.at, own.state.clock))
    const rise = { linkage: own.linkage, kept: keptOf(own), firing, view }
    const task = this.#acting
      .run(String(own.linkage.linkageId), async () => {
        const kept = { ...rise.kept, rises: own.rises }
        const executionId = linkageRunId(own.linkage.linkageId, own.rises + 1)
        const fired = await this.#untilStored(() => this.#firings.fire({ ...rise, kept }), firing, executionId)
        if (fired) await this.#acted(own, fired)
      })
      .catch((error) => this.#deps.log.error({ err: error, linkage: own.linkage.linkageId }, 'a linkage could not act'))
      .finally(() => this.#tasks.delete(task))
    this.#tasks.add(task)
  }

  /** While the database is away it is tried again, for as long as a trip is still wanted. A second try stores nothing twice. */
  async #untilStored(fire: () => Promise<Fired>, { at }: Firing, executionId: string): Promise<Fired | null> {
    const { clock, database, runner, log } = this.#deps
    for (let attempt = 0; ; attempt++) {
      try {
        const fired = await fire()
        // The answer to the COMMIT of an attempt before was lost: the run is there, and whoever looks for works that nobody carries goes on with it.
        if (attempt > 0 && fired.is === 'elsewhere') await giveBackWorks(database.control, [executionId], runner.holder)
        return fired
      } catch (error) {
        log.error({ err: error }, 'what a linkage does could not be stored; it is tried again')
        if (this.#isClosing || clock() - at > maxLateTripMs) return null
        await pause(retryMs)
      }
    }
  }

  async #acted(own: LiveLinkage, fired: Fired): Promise<void> {
    own.rises = fired.rises ?? own.rises
    if (fired.run && fired.claim) this.#carry(own.linkage, fired.run, fired.claim)
    this.#alarms.raise(own.linkage, fired.raises)
    if (fired.is === 'halted' && fired.haltedWhy) this.#alarms.halted(own.linkage, fired.haltedWhy)
    if (fired.is === 'halted' || fired.is === 'elsewhere') await this.#load([own.linkage.linkageId])
  }

  #noteNear(own: LiveLinkage, now: number): void {
    const view = foldedView(own.rule, own.state, now)
    const falses = view.conditions.filter(({ truth }) => truth !== true)
    const isAlmost = own.rule.match === 'all' && view.conditions.length > 1 && falses.length === 1 && falses[0]?.truth === false
    const why = view.blind.length > 0 ? 'blind' : isAlmost ? 'almost' : null
    if (why === null || own.near.get(why) === nearSlot(now)) return
    own.near.set(why, nearSlot(now))
    const { database, log } = this.#deps
    void noteNear(database.general, own.linkage, why, now, traceOf(own.linkage, view, now, true)).catch((error) =>
      log.debug({ err: error }, 'what a linkage nearly did could not be kept'),
    )
  }

  /** What other servers have changed, and at the start everything. */
  async #reload(): Promise<void> {
    const { database, clock } = this.#deps
    const inForce = await linkagesInForce(database.control)
    const changed = [...inForce].flatMap(([id, version]) => (this.#live.get(id)?.linkage.version === version ? [] : id))
    const gone = [...this.#live.keys()].filter((id) => !inForce.has(id))
    if (changed.length + gone.length > 0) await this.#load([...changed, ...gone])
    this.#reloaded = clock()
  }

  async #load(linkageIds: readonly number[]): Promise<void> {
    const { database, plant, clock } = this.#deps
    const stored = new Map((await linkagesById(database.control, linkageIds)).map((each) => [each.linkageId, each]))
    const kept = await keptLinkages(database.control, linkageIds)
    for (const id of linkageIds) {
      const linkage = stored.get(id)
      const before = this.#live.get(id)
      const isInForce = linkage?.enabled && !linkage.removed && linkage.halted === null
      if (isInForce && before?.linkage.version === linkage.version) {
        before.rises = Math.max(before.rises, kept.get(id)?.rises ?? 0)
        continue
      }
      if (before) this.#unindex(before)
      this.#live.delete(id)
      const own = isInForce ? newLiveLinkage(plant, linkage, kept.get(id) ?? null, clock()) : null
      if (!own) continue
      this.#live.set(id, own)
      for (const line of new Set(own.lines)) this.#readers.set(line.id, [...(this.#readers.get(line.id) ?? []), own])
      this.#alarms.cleared(own.linkage)
    }
  }

  #unindex(own: LiveLinkage): void {
    for (const { id } of new Set(own.lines)) {
      const rest = (this.#readers.get(id) ?? []).filter((each) => each !== own)
      if (rest.length > 0) this.#readers.set(id, rest)
      else this.#readers.delete(id)
    }
  }
}

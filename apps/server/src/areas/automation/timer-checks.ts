import { dayMs } from '@linewarden/equipment'
import type { Conflict, ConflictKey, PlannedTimer, ProjectTime } from '@linewarden/rules/automation'
import { civilZone, conflictsOnLines, groupsByLine, nextDue, occurrences, queueConflicts } from '@linewarden/rules/automation'
import type { Loop } from '../../lib/every.ts'
import { every } from '../../lib/every.ts'
import type { PlantProject } from '../../plant/plant.ts'
import type { StoredTimer } from '../../store/automation/timer.ts'
import { timersWhere } from '../../store/automation/timer.ts'
import type { CheckClaim } from '../../store/automation/timer-check.ts'
import { claimCheck, finishCheck, mendDue } from '../../store/automation/timer-check.ts'
import { minStaggerMs } from '../control/stagger.ts'
import { AutomationFaults } from './automation-faults.ts'
import type { AutomationDeps } from './deps.ts'
import { liveLinkages } from './live-linkages.ts'
import type { WithoutOwner } from './lost-owners.ts'
import { scenesAndLinkagesWithoutOwner } from './lost-owners.ts'
import { timeOfProject } from './project-time.ts'
import { conflictFacts, horizonOf, sceneActionsOf } from './timer-conflicts.ts'
import { lineKey } from './timer-form.ts'
import { orphansOf } from './timer-owners.ts'

const everyMs = 2_000
/** Longer than this nothing else waits for a check. */
const sliceMs = 10
/** Ten past two by the clock of the project: nobody waits for it. */
const nightSecond = (2 * 60 + 10) * 60

/**
 * Looks at all timers of a project, every night and after whatever may have changed what they do: conflicts are stored for the lists, owners who
 * are gone are announced, and due rows that are missing or wrong are made. One project at a time, claimed in the database.
 */
export class TimerChecks {
  readonly #deps: AutomationDeps
  readonly #faults: AutomationFaults
  readonly #loop: Loop
  #closed = false

  constructor(deps: AutomationDeps) {
    this.#deps = deps
    this.#faults = new AutomationFaults(deps)
    this.#loop = every(everyMs, () => this.#look(), {
      log: deps.log,
      failed: 'the timers of a project could not be checked; it is tried again',
    })
  }

  /** Checks everything that is due, and whether what timers are due for is late; runs by itself every two seconds. */
  readonly tick = (): Promise<void> => this.#loop.tick()

  /** How long the oldest due row waits unclaimed, ms. */
  readonly lateMs = (): number => this.#faults.lateMs

  close(): Promise<void> {
    this.#closed = true
    return this.#loop.close()
  }

  async #look(): Promise<void> {
    const { database, dueClock } = this.#deps
    await this.#faults.lookForLate()
    while (!this.#closed) {
      const claim = await claimCheck(database, dueClock)
      if (!claim) return
      await this.#check(claim)
    }
  }

  async #check(claim: CheckClaim): Promise<void> {
    const { database, plant } = this.#deps
    const project = plant.projects.get(claim.projectId)
    const time = await timeOfProject(database.general, { id: claim.projectId })
    const timers = await timersWhere(database.general, { projectIds: [claim.projectId], enabled: true })
    const orphans = await orphansOf(this.#deps, timers)
    const conflicts = project ? await this.#conflictsOf(project, timers, orphans, time, claim.now) : new Map()
    const lost: WithoutOwner[] = timers.filter(({ timerId }) => orphans.has(timerId))
    if (project) lost.push(...(await scenesAndLinkagesWithoutOwner(this.#deps, project.id)))
    const orphanOwners = [...new Set(lost.map(({ ownerId }) => ownerId ?? 'gone'))].sort()
    if (this.#closed) return
    const nextAt = nightAfter(time.timeZone, claim.now)
    if (!(await finishCheck(database, claim, { conflicts, orphanOwners, nextAt }))) return
    if (project) await this.#faults.orphaned(project, lost, claim.orphanOwners, orphanOwners)
  }

  /** What each timer has against it, by key. Gives way to whatever else is to be done, group by group. */
  async #conflictsOf(
    project: PlantProject,
    timers: readonly StoredTimer[],
    orphans: ReadonlySet<number>,
    time: ProjectTime,
    now: number,
  ): Promise<ReadonlyMap<number, readonly ConflictKey[]>> {
    const { database, plant } = this.#deps
    const breath = breathing()
    const planned: PlannedTimer[] = []
    const next: { timer: StoredTimer; next: { timeZone: string; due: ReturnType<typeof nextDue> } }[] = []
    for (const timer of timers) {
      const due = occurrences(timer.schedule, time, now + 1, now + horizonOf(timer.schedule))
      next.push({ timer, next: { timeZone: time.timeZone, due: due[0] ?? nextDue(timer.schedule, time, now) } })
      const known = timer.lineIds.flatMap((id) => {
        const line = plant.lines.get(id)
        return line?.device.gateway.project.id === project.id ? line : []
      })
      planned.push({
        ...{ timerId: timer.timerId, name: timer.name, lines: known.map(lineKey) },
        due: due.filter(({ skip }) => skip === null),
        sceneActions: sceneActionsOf(plant, timer.scene),
        hasOwner: !orphans.has(timer.timerId),
        broken: timer.lineIds.length === known.length ? [] : ['gone'],
      })
      await breath()
    }
    await mendDue(database, next, now)
    const found: Conflict[] = [...queueConflicts(planned, minStaggerMs)]
    const linkages = await liveLinkages(this.#deps, project)
    const horizons = new Map(timers.map(({ timerId, schedule }) => [timerId, horizonOf(schedule)]))
    for (const group of groupsByLine(planned)) {
      await breath()
      const to = now + Math.min(...group.map(({ timerId }) => horizons.get(timerId) ?? 14 * dayMs))
      const lines = new Set(group.flatMap((timer) => timer.lines))
      found.push(...conflictsOnLines(group, conflictFacts(this.#deps, project, lines, to, linkages)))
    }
    return byTimer(found)
  }
}

/** Both sides of a conflict have it. */
function byTimer(found: readonly Conflict[]): ReadonlyMap<number, readonly ConflictKey[]> {
  const keys = new Map<number, Set<ConflictKey>>()
  const add = (timerId: number, key: ConflictKey) => keys.set(timerId, (keys.get(timerId) ?? new Set()).add(key))
  for (const { key, timerId, with: side } of found) {
    add(timerId, key)
    if (side?.kind === 'timer') add(side.id, key)
  }
  return new Map([...keys].map(([timerId, own]) => [timerId, [...own].sort()]))
}

function nightAfter(timeZone: string, now: number): number {
  const zone = civilZone(timeZone)
  for (let day = zone.dayAt(now); ; day++) {
    const night = zone.resolve(day, nightSecond)
    if (night && night.at > now) return night.at
  }
}

/** Answers at once until this has gone on for a while; then whatever else waits is done first. */
function breathing(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < sliceMs) return
    await new Promise<void>((resolve) => setImmediate(resolve))
    since = performance.now()
  }
}

import type { List, queryTimers, Request, Timer } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import { dayMs } from '@linewarden/equipment'
import { permits } from '@linewarden/rules/account'
import { nextRuns } from '@linewarden/rules/automation'
import type { Actor } from '../../access/actor.ts'
import type { PlantProject } from '../../plant/plant.ts'
import { lastExecutions } from '../../store/automation/execution-list.ts'
import type { StoredTimer } from '../../store/automation/timer.ts'
import { conflictsOfTimers, timersWhere } from '../../store/automation/timer.ts'
import { missedRuns, ownersOfTimers, pageOfTimers, timerIdsBy } from '../../store/automation/timer-page.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import type { AutomationDeps } from './deps.ts'
import { placeFilter } from './place-filter.ts'
import { timesOfProjects } from './project-time.ts'
import type { Ahead } from './timer-ahead.ts'
import { foreseenOf } from './timer-ahead.ts'
import { orphansOf } from './timer-owners.ts'
import { timerRecord } from './timer-record.ts'

/** So long a missed run is named in the list. */
export const missedMs = 7 * dayMs

/** Timers as far as somebody sees them. */
export class TimerList {
  readonly #deps: AutomationDeps

  constructor(deps: AutomationDeps) {
    this.#deps = deps
  }

  async query(actor: Actor, project: PlantProject | null, body: Request<typeof queryTimers>['body']): Promise<List<Timer>> {
    const { database, plant, clock } = this.#deps
    const { Page = 1, Size = 10 } = body
    const filter = {
      ...placeFilter(actor, plant, project, body),
      ...{ name: body.Text, enabled: body.Enabled, inConflict: body.Conflict },
      missed: body.Missed === undefined ? undefined : { since: clock() - missedMs, any: body.Missed },
    }
    const ids = await withRowSecurity(database, actor.scope, (db) => timerIdsBy(db, filter))
    const orphans = body.Orphan === undefined ? null : await orphansOf(this.#deps, await ownersOfTimers(database.general, ids))
    const found = orphans ? ids.filter((id) => orphans.has(id) === body.Orphan) : ids
    const onPage = await pageOfTimers(database.general, found, { order: body.Sort ?? 'Next', page: Page, size: Size })
    const byId = new Map((await this.#whole(onPage)).map((timer) => [timer.timerId, timer]))
    const page = onPage.flatMap((id) => byId.get(id) ?? [])
    return { items: await this.#records(actor, page, orphans ?? (await orphansOf(this.#deps, page))), total: found.length }
  }

  async get(actor: Actor, timerId: number): Promise<Timer> {
    return this.record(actor, await this.seen(actor, timerId))
  }

  /** A timer whole, for whoever sees the project or a line of it. */
  async seen(actor: Actor, timerId: number): Promise<StoredTimer> {
    const { database } = this.#deps
    const [timer] = await withRowSecurity(database, actor.scope, ({ general }) => timersWhere(general, { timerIds: [timerId] }))
    if (!timer) throw new Refusal('timer not exists')
    // Under row security only the lines are there that are seen; what acts on others is another thing.
    const [whole = timer] = await timersWhere(database.general, { timerIds: [timerId] })
    return whole
  }

  /** A timer that the actor may change: they may switch lines, and see every one of its own. */
  async toChange(actor: Actor, timerId: number): Promise<{ timer: StoredTimer; project: PlantProject }> {
    const { plant } = this.#deps
    const timer = await this.seen(actor, timerId)
    refuseUnlessSwitching(actor)
    const project = plant.projects.get(timer.projectId)
    if (!project) throw new Refusal('timer not exists')
    // A timer of a project that lines were moved out of is not for whoever has those lines now.
    if (!actor.seesPart(project.id)) throw new Refusal('timer not exists')
    const isWhole = timer.lineIds.every((id) => {
      const line = plant.lines.get(id)
      // A line that is gone, or in another project, is never operated by it and keeps nobody from mending it.
      return line?.device.gateway.project.id !== project.id || actor.seesGateway(line.device.gateway)
    })
    if (!isWhole) throw new Refusal('timer lines unseen')
    return { timer, project }
  }

  async record(actor: Actor, timer: StoredTimer): Promise<Timer> {
    const [made] = await this.#records(actor, [timer], await orphansOf(this.#deps, [timer]))
    if (!made) throw new Refusal('timer not exists')
    return made
  }

  /** With all their lines: under row security those that are not seen are left out. */
  #whole(timerIds: readonly number[]): Promise<readonly StoredTimer[]> {
    return timersWhere(this.#deps.database.general, { timerIds })
  }

  async #records(actor: Actor, timers: readonly StoredTimer[], orphans: ReadonlySet<number>): Promise<Timer[]> {
    const { database, plant, clock } = this.#deps
    const ids = timers.map(({ timerId }) => timerId)
    const now = clock()
    const [{ last, missed }, conflicts, times] = await Promise.all([
      withRowSecurity(database, actor.scope, async ({ general }) => ({
        last: await lastExecutions(general, 'timer', ids),
        missed: await missedRuns(general, ids, now - missedMs),
      })),
      conflictsOfTimers(database.general, ids),
      timesOfProjects(database.general, [...new Set(timers.map(({ projectId }) => projectId))]),
    ])
    const ahead = timers.flatMap((timer): Ahead[] => {
      const time = times.get(timer.projectId)
      const next = timer.enabled && time ? nextRuns(timer.schedule, time, now, 1)[0] : undefined
      return next ? [{ timer, due: next, isNext: true }] : []
    })
    const found = await foreseenOf(this.#deps, actor, ahead, times)
    const foreseen = new Map(ahead.map(({ timer }, index) => [timer.timerId, found[index] ?? []]))
    const made: Timer[] = []
    for (const timer of timers) {
      const time = times.get(timer.projectId)
      if (!time || !plant.projects.has(timer.projectId)) continue
      const known = {
        isOrphan: orphans.has(timer.timerId),
        last: last.get(timer.timerId),
        conflicts: conflicts.get(timer.timerId) ?? [],
        missed: missed.get(timer.timerId) ?? 0,
        foreseen: foreseen.get(timer.timerId) ?? [],
      }
      made.push(timerRecord({ plant, actor, now }, timer, time, known))
    }
    return made
  }
}

/** Whoever may not switch a line may not have it switched either. */
export function refuseUnlessSwitching(actor: Actor): void {
  if (!permits('lineSwitch', actor)) throw new Refusal('timer needs switching')
}

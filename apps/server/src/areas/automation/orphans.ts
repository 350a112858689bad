import type { Reply, Request, takeOrphanedTimers } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import type { PlantProject } from '../../plant/plant.ts'
import { timersWhere } from '../../store/automation/timer.ts'
import type { AutomationDeps } from './deps.ts'
import type { TimerChanges } from './timer-changes.ts'
import type { TimerList } from './timer-list.ts'
import { refuseUnlessSwitching } from './timer-list.ts'
import { orphansOf } from './timer-owners.ts'

/** An administrator takes over all timers of a project that nobody answers for; each as if it were the only one. */
export const takeOrphans =
  (deps: AutomationDeps, list: TimerList, changes: TimerChanges) =>
  async (
    actor: Actor,
    project: PlantProject,
    { Grant }: Request<typeof takeOrphanedTimers>['body'],
  ): Promise<Reply<typeof takeOrphanedTimers>> => {
    const { database, control } = deps
    if (!actor.administrator) throw new Refusal('orphans need administrator')
    refuseUnlessSwitching(actor)
    await control.redeemGrant(actor, Grant ?? null, `automation:timer:orphans:${project.id}`)
    const timers = await timersWhere(database.general, { projectIds: [project.id] })
    const orphans = await orphansOf(deps, timers)
    let taken = 0
    for (const { timerId } of timers) {
      if (!orphans.has(timerId)) continue
      try {
        await changes.own(actor, await list.toChange(actor, timerId))
        taken++
      } catch (error) {
        // What somebody saves meanwhile has an owner again; what is seen in part stays as it is.
        if (!(error instanceof Refusal)) throw error
      }
    }
    return { Taken: taken, Left: orphans.size - taken }
  }

import type { AutomationRun } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import type { StoredLinkage } from '../../store/automation/linkage.ts'
import { createCalendars } from './calendar.ts'
import type { AutomationDeps } from './deps.ts'
import { TimerDispatcher } from './dispatcher.ts'
import { createExecutions } from './executions.ts'
import { lateMeasured } from './late-measured.ts'
import { createLinkageAccess } from './linkage-access.ts'
import { createLinkageChanges } from './linkage-changes.ts'
import { LinkageEngine } from './linkage-engine.ts'
import { createLinkageLog } from './linkage-log.ts'
import { refuseOfUpstreamLine } from './linkage-loops.ts'
import { createLinkageOwners } from './linkage-owners.ts'
import { createLinkagePermits } from './linkage-permits.ts'
import { createLinkageRecords } from './linkage-records.ts'
import { createLinkageRuns } from './linkage-runs.ts'
import { createLinkageSimulation } from './linkage-simulation.ts'
import { createLinkages } from './linkages.ts'
import { createTimerLog } from './log.ts'
import { takeOrphans } from './orphans.ts'
import { createOverrides } from './overrides.ts'
import { createSceneAccess } from './scene-access.ts'
import { createSceneChanges } from './scene-changes.ts'
import { createSceneLive } from './scene-live.ts'
import { createSceneLog } from './scene-log.ts'
import { createSceneOrphans } from './scene-orphans.ts'
import { createSceneRuns } from './scene-runs.ts'
import { createScenes } from './scenes.ts'
import { TimerChanges } from './timer-changes.ts'
import { TimerChecks } from './timer-checks.ts'
import { createTimerDay } from './timer-day.ts'
import { TimerList } from './timer-list.ts'
import { createTimerLive } from './timer-live.ts'
import { createTimerPlans } from './timer-plans.ts'
import { createTimerPreview } from './timer-preview.ts'
import { createTimersAbout } from './timers-about.ts'

export type Automation = ReturnType<typeof createAutomation>

/** Timers, scenes and linkages: what operates lines by itself, or several at one press. */
export function createAutomation(deps: AutomationDeps) {
  const sceneLive = createSceneLive(deps)
  const timerLive = createTimerLive(deps)
  const dispatcher = new TimerDispatcher(deps, sceneLive.changed, timerLive.changed)
  const timers = new TimerList(deps)
  const timerChanges = new TimerChanges(deps, timers)
  const checks = new TimerChecks(deps)
  const executions = createExecutions(deps, dispatcher)
  const access = createSceneAccess(deps)
  const overrides = createOverrides(deps)
  const sceneChanges = createSceneChanges(deps, access)
  const sceneRuns = createSceneRuns(deps, access, sceneChanges, sceneLive)
  const linkageAccess = createLinkageAccess(deps)
  const linkageEngine = new LinkageEngine(deps, (...run) => dispatcher.carryLinkage(...run))
  const viewOf = (linkage: StoredLinkage) => linkageEngine.viewOf(linkage)
  const linkageRecords = createLinkageRecords(deps, linkageAccess, viewOf)
  deps.control.upstreamLines.checkedBy((change, among) => refuseOfUpstreamLine(deps.plant, change, among))
  const linkagePermits = createLinkagePermits(deps, linkageAccess, access, viewOf)
  return {
    timers,
    timerChanges,
    takeOrphans: takeOrphans(deps, timers, timerChanges),
    /** Looks at timers as a whole: conflicts, owners, what is late. */
    checks,
    timerLog: createTimerLog(deps, timers),
    timerPlans: { ...createTimerPlans(deps, timers), ...createTimerDay(deps), preview: createTimerPreview(deps, timers) },
    timersAbout: createTimersAbout(deps),
    calendars: createCalendars(deps),
    overrides,
    executions,
    scenes: createScenes(deps, access, overrides.of),
    sceneChanges,
    sceneOrphans: createSceneOrphans(deps, access),
    sceneRuns,
    sceneLog: createSceneLog(deps),
    linkages: createLinkages(deps, linkageAccess, linkageRecords, viewOf),
    linkageChanges: createLinkageChanges(deps, linkageAccess, linkageRecords, (linkageId) => linkageEngine.changed(linkageId)),
    linkageOwners: createLinkageOwners(deps, linkageAccess, linkageRecords, (linkageId) => linkageEngine.changed(linkageId)),
    linkageRuns: createLinkageRuns(deps, linkageAccess, linkagePermits, viewOf, (linkage, fired) =>
      linkageEngine.acted(linkage, fired),
    ),
    linkagePermit: linkagePermits.permit,
    linkageEngine,
    linkageLog: createLinkageLog(deps),
    linkageSimulation: createLinkageSimulation(deps),
    /** Each kind of run is stopped by what carries it out. */
    async stop(actor: Actor, executionId: string): Promise<AutomationRun> {
      const { Source } = await executions.get(actor, executionId)
      if (Source !== 'scene') return executions.stop(actor, executionId)
      await sceneRuns.stop(actor, { RunID: executionId })
      return executions.get(actor, executionId)
    },
    metrics: [lateMeasured(checks.lateMs)],
    /** Looks for what is due; runs by itself every second. */
    tick: dispatcher.tick,
    async close(): Promise<void> {
      await checks.close()
      await linkageEngine.close()
      await sceneRuns.close()
      await dispatcher.close()
      timerLive.close()
    },
  }
}

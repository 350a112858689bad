import * as Type from 'typebox'
import { area, callsIn } from '../../core/area.ts'
import * as calendars from './calendars.ts'
import * as linkageLogs from './linkage-log.ts'
import * as linkages from './linkages.ts'
import * as names from './names.ts'
import * as overrides from './overrides.ts'
import { pages } from './pages.ts'
import * as running from './run-linkage.ts'
import * as runs from './runs.ts'
import * as sceneOwners from './scene-owners.ts'
import * as scenes from './scenes.ts'
import * as simulation from './simulate-linkage.ts'
import * as plans from './timer-plans.ts'
import * as timers from './timers.ts'

export * from './calendars.ts'
export * from './linkage-log.ts'
export * from './linkages.ts'
export * from './overrides.ts'
export * from './run-linkage.ts'
export * from './runs.ts'
export * from './scene-owners.ts'
export * from './scenes.ts'
export * from './simulate-linkage.ts'
export * from './timer-plans.ts'
export * from './timers.ts'

export const automationArea = area({
  name: 'automation',
  pages,
  calls: callsIn(runs, timers, plans, calendars, overrides, scenes, sceneOwners, linkages, linkageLogs, running, simulation),
  names,
  live: {
    /** A run of a scene went on, or began: what shows it is to be asked for again. */
    sceneRun: { RunID: Type.String(), SceneID: Type.Integer() },
    /** Runs of these timers began, went on or ended. */
    timerRun: { TimerIDs: Type.Array(Type.Integer()) },
    /** A linkage fired, was halted or changed, or a condition of it came to be another. */
    linkage: { LinkageID: Type.Integer() },
  },
})

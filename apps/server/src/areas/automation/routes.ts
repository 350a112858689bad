import {
  deleteScene,
  deleteTimer,
  getAutomationRun,
  getCalendar,
  getScene,
  getTimer,
  insertScene,
  insertTimer,
  lineOverride,
  logTimers,
  overrideLine,
  previewTimer,
  queryScenes,
  querySwitch,
  queryTimers,
  releaseLine,
  sceneLog,
  scenePermit,
  skipTimer,
  stopAutomationRun,
  stopScene,
  switchScene,
  switchTimer,
  takeTimer,
  updateCalendar,
  updateScene,
  updateTimer,
  whyNotTimer,
} from '@linewarden/contract'
import type { Serve } from '../../http/context.ts'
import type { Automation } from './service.ts'

export function automationRoutes(
  serve: Serve,
  {
    timers,
    timerChanges,
    timerLog,
    calendars,
    executions,
    overrides,
    scenes,
    sceneChanges,
    sceneRuns,
    sceneLog: log,
    stop,
  }: Automation,
): void {
  serve(queryTimers, ({ actor, project, body }) => timers.query(actor, project, body))
  serve(getTimer, ({ actor, params }) => timers.get(actor, params.TimerID))
  serve(insertTimer, ({ actor, project, body }) => timerChanges.insert(actor, project, body))
  serve(updateTimer, ({ actor, body }) => timerChanges.update(actor, body))
  serve(deleteTimer, ({ actor, body }) => timerChanges.remove(actor, body))
  serve(switchTimer, ({ actor, body }) => timerChanges.turn(actor, body))
  serve(skipTimer, ({ actor, body }) => timerChanges.skip(actor, body))
  serve(takeTimer, ({ actor, body }) => timerChanges.take(actor, body))
  serve(previewTimer, ({ actor, project, body }) => timerChanges.preview(actor, project, body))
  serve(logTimers, ({ actor, project, body }) => timerLog.log(actor, project, body))
  serve(whyNotTimer, ({ actor, params, query }) => timerLog.whyNot(actor, params.TimerID, query.At))
  serve(getCalendar, ({ actor, project, query }) => calendars.get(actor, project, query.Year))
  serve(updateCalendar, ({ actor, project, body }) => calendars.update(actor, project, body))
  serve(lineOverride, ({ line }) => overrides.of(line))
  serve(overrideLine, ({ actor, line, body }) => overrides.set(actor, line, body))
  serve(releaseLine, ({ actor, line }) => overrides.release(actor, line))
  serve(getAutomationRun, ({ actor, params }) => executions.get(actor, params.RunID))
  serve(stopAutomationRun, ({ actor, params }) => stop(actor, params.RunID))
  serve(queryScenes, ({ actor, project, body }) => scenes.query(actor, project, body))
  serve(getScene, ({ actor, params }) => scenes.get(actor, params.SceneID))
  serve(scenePermit, ({ actor, params }) => scenes.permit(actor, params.SceneID))
  serve(insertScene, ({ actor, project, body }) => sceneChanges.insert(actor, project, body))
  serve(updateScene, ({ actor, body }) => sceneChanges.update(actor, body))
  serve(deleteScene, ({ actor, body }) => sceneChanges.remove(actor, body))
  serve(switchScene, ({ actor, body }) => sceneRuns.switch(actor, body))
  serve(stopScene, ({ actor, body }) => sceneRuns.stop(actor, body))
  serve(querySwitch, ({ actor, line }) => scenes.containing(actor, line))
  serve(sceneLog, ({ actor, project, body }) => log(actor, project, body))
}

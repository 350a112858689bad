import {
  dayOfTimers,
  deleteLinkage,
  deleteScene,
  deleteTimer,
  getAutomationRun,
  getCalendar,
  getLinkage,
  getScene,
  getTimer,
  importCalendar,
  insertLinkage,
  insertScene,
  insertTimer,
  lateTimers,
  lineOverride,
  linkageLog,
  linkagePermit,
  logTimers,
  overrideLine,
  previewTimer,
  queryLinkages,
  queryOverrides,
  queryScenes,
  querySwitch,
  queryTimers,
  releaseLine,
  runLinkage,
  sceneLog,
  scenePermit,
  scenesAbout,
  simulateLinkage,
  skipTimer,
  stopAutomationRun,
  stopScene,
  switchLinkage,
  switchScene,
  switchTimer,
  takeLinkage,
  takeOrphanedLinkages,
  takeOrphanedScenes,
  takeOrphanedTimers,
  takeTimer,
  timerPlan,
  timersAbout,
  updateCalendar,
  updateLinkage,
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
    takeOrphans,
    timerLog,
    timerPlans,
    timersAbout: about,
    calendars,
    executions,
    overrides,
    scenes,
    sceneChanges,
    sceneRuns,
    sceneOrphans,
    sceneLog: log,
    linkages,
    linkageChanges,
    linkageRuns,
    linkagePermit: permitOfLinkage,
    linkageOwners,
    linkageLog: linkagesLog,
    linkageSimulation,
    stop,
  }: Automation,
): void {
  serve(queryTimers, ({ actor, project, body }) => timers.query(actor, project, body))
  serve(timerPlan, ({ actor, params }) => timerPlans.plan(actor, params.TimerID))
  serve(dayOfTimers, ({ actor, project, query }) => timerPlans.day(actor, project, query))
  serve(timersAbout, ({ actor, project, body }) => about.about(actor, project, body))
  serve(lateTimers, ({ actor }) => about.late(actor))
  serve(getTimer, ({ actor, params }) => timers.get(actor, params.TimerID))
  serve(insertTimer, ({ actor, project, body }) => timerChanges.insert(actor, project, body))
  serve(updateTimer, ({ actor, body }) => timerChanges.update(actor, body))
  serve(deleteTimer, ({ actor, body }) => timerChanges.remove(actor, body))
  serve(switchTimer, ({ actor, body }) => timerChanges.turn(actor, body))
  serve(skipTimer, ({ actor, body }) => timerChanges.skip(actor, body))
  serve(takeTimer, ({ actor, body }) => timerChanges.take(actor, body))
  serve(takeOrphanedTimers, ({ actor, project, body }) => takeOrphans(actor, project, body))
  serve(previewTimer, ({ actor, project, body }) => timerPlans.preview(actor, project, body))
  serve(logTimers, ({ actor, project, body }) => timerLog.log(actor, project, body))
  serve(whyNotTimer, ({ actor, params, query }) => timerLog.whyNot(actor, params.TimerID, query.At))
  serve(getCalendar, ({ actor, project, query }) => calendars.get(actor, project, query))
  serve(updateCalendar, ({ actor, project, body }) => calendars.update(actor, project, body))
  serve(importCalendar, ({ actor, project, body }) => calendars.import(actor, project, body))
  serve(lineOverride, ({ line }) => overrides.of(line))
  serve(queryOverrides, ({ actor, project, body }) => overrides.query(actor, project, body))
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
  serve(scenesAbout, ({ actor, project, body }) => sceneOrphans.about(actor, project, body))
  serve(takeOrphanedScenes, ({ actor, project, body }) => sceneOrphans.takeOver(actor, project, body))
  serve(stopScene, ({ actor, body }) => sceneRuns.stop(actor, body))
  serve(querySwitch, ({ actor, line }) => scenes.containing(actor, line))
  serve(queryLinkages, ({ actor, project, body }) => linkages.query(actor, project, body))
  serve(getLinkage, ({ actor, params }) => linkages.get(actor, params.LinkageID))
  serve(insertLinkage, ({ actor, project, body }) => linkageChanges.insert(actor, project, body))
  serve(updateLinkage, ({ actor, body }) => linkageChanges.update(actor, body))
  serve(deleteLinkage, ({ actor, body }) => linkageChanges.remove(actor, body))
  serve(switchLinkage, ({ actor, body }) => linkageChanges.switch(actor, body))
  serve(linkagePermit, ({ actor, params }) => permitOfLinkage(actor, params.LinkageID))
  serve(runLinkage, ({ actor, body }) => linkageRuns.run(actor, body))
  serve(takeLinkage, ({ actor, body }) => linkageOwners.take(actor, body))
  serve(takeOrphanedLinkages, ({ actor, project, body }) => linkageOwners.takeOrphans(actor, project, body))
  serve(simulateLinkage, ({ actor, project, body, gone }) => linkageSimulation.simulate(actor, project, body, gone))
  serve(linkageLog, ({ actor, project, body }) => linkagesLog(actor, project, body))
  serve(sceneLog, ({ actor, project, body }) => log(actor, project, body))
}

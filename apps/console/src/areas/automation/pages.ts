import { paths } from '../../paths.ts'
import type { ConsolePages } from '../console-area.ts'

/** Timers, scenes and linkages: each page comes with its own texts. */
export const automationPages: ConsolePages = {
  [paths.linkageLog]: async () => (await import('./linkages/linkage-log-page.tsx')).LinkageLogPage,
  [paths.linkages]: async () => (await import('./linkages/linkage-list-page.tsx')).LinkageListPage,
  [paths.timers]: async () => (await import('./timers-page.tsx')).TimersPage,
  [paths.timerLog]: async () => (await import('./log/timer-log-page.tsx')).TimerLogPage,
  [paths.sceneLog]: async () => (await import('./log/scene-log-page.tsx')).SceneLogPage,
  [paths.scenes]: async () => (await import('./scenes/scenes-page.tsx')).ScenesPage,
}

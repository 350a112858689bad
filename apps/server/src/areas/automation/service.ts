import { createCalendars } from './calendar.ts'
import type { AutomationDeps } from './deps.ts'
import { TimerDispatcher } from './dispatcher.ts'
import { createExecutions } from './executions.ts'
import { createTimerLog } from './log.ts'
import { createOverrides } from './overrides.ts'
import { TimerChanges } from './timer-changes.ts'
import { TimerList } from './timer-list.ts'

export type Automation = ReturnType<typeof createAutomation>

/** Timers, scenes and linkages: what operates lines by itself, or several at one press. */
export function createAutomation(deps: AutomationDeps) {
  const dispatcher = new TimerDispatcher(deps)
  const timers = new TimerList(deps)
  return {
    timers,
    timerChanges: new TimerChanges(deps, timers),
    timerLog: createTimerLog(deps, timers),
    calendars: createCalendars(deps),
    overrides: createOverrides(deps),
    executions: createExecutions(deps, dispatcher),
    /** Looks for what is due; runs by itself every second. */
    tick: dispatcher.tick,
    close: () => dispatcher.close(),
  }
}

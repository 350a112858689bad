/**
 * What some calls show and others change. A caller that keeps answers asks again for whatever shows what a call touches, so that nobody
 * keeps lists of who shows what.
 */
export type Resource =
  /** One's own account. */
  | 'account'
  | 'secondFactor'
  | 'sessions'
  /** API keys. */
  | 'keys'
  | 'branding'
  | 'users'
  | 'roles'
  /** Groups, projects, gateways, devices and lines: their names, places and owners. */
  | 'site'
  /** One gateway by itself: it is not asked for again once it is deleted. */
  | 'gateway'
  /** One line by itself, with its limits. */
  | 'lines'
  | 'tags'
  | 'inspections'
  /** What was found after a trip. */
  | 'tripCauses'
  /** Orders to equipment, as a list; the newest of one line come live, step by step. */
  | 'commandHistory'
  /** Group operations. */
  | 'groupOperations'
  | 'selfTests'
  | 'selfTestPlans'
  | 'quietHours'
  | 'reclosures'
  /** The upstream line of each line. */
  | 'upstreamLines'
  | 'settings'
  | 'templates'
  | 'events'
  /** Views of the alarm list that one keeps. */
  | 'alarmViews'
  /** Keys by which a detector answers without an account. */
  | 'tokens'
  | 'firmware'
  | 'pushes'
  | 'warningRules'
  /** Timers, their runs and their calendar. */
  | 'timers'
  | 'budgets'
  /** Carbon factors of a project. */
  | 'carbon'
  /** Runs of timers, scenes and linkages. */
  | 'automationRuns'
  | 'scenes'
  | 'linkages'
  /** What the rationalisation sheet says of alarms. */
  | 'rationales'
  /** How alarms of lines are evaluated. */
  | 'tunings'
  | 'workOrders'
  | 'hazards'
  /** Rules that make orders of alarms. */
  | 'orderRules'
  /** What one is notified of about orders, until one opens them. */
  | 'orderNotices'
  /** Health checks and what they found. */
  | 'healthChecks'
  | 'inspectionPlans'
  | 'inspectionRounds'
  /** Codes on labels of equipment and places. */
  | 'inspectionLabels'
  /** What the utility bills of a project. */
  | 'supplies'
  /** Meters of lines: multipliers, replacements. */
  | 'meters'
  /** Energy that somebody entered over quarters. */
  | 'energyFixes'
  /** Meters that are made of lines and of each other. */
  | 'virtualMeters'
  /** Tariffs and their versions. */
  | 'tariffs'
  /** Statements of what the utility bills. */
  | 'statements'
  /** Reports that go out by themselves, and their runs. */
  | 'reportSchedules'
  /** Sources, buses and ties of a project. */
  | 'topology'
  /** Links by which walls open, and the browsers that did. */
  | 'screens'

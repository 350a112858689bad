import type { ConsolePages } from '../console-area.ts'

/** Timers, scenes and linkages: each page comes with its own texts. */
export const automationPages: ConsolePages = {}

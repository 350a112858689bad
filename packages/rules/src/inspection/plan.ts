export const cycleUnits = ['day', 'week', 'month', 'year'] as const
export type CycleUnit = (typeof cycleUnits)[number]

/** From its own dates, or from when a round was finished. */
export const countedFrom = ['plan', 'completion'] as const
export type CountedFrom = (typeof countedFrom)[number]

/** So many stops a round has. */
export const maxStops = 500
/** So many items of their own a plan adds. */
export const maxOwnItems = 60
export const maxAssignees = 20
/** A cycle is no longer than ten years, and a window never reaches the next due date. */
export const cycleMost: Readonly<Record<CycleUnit, number>> = { day: 3_650, week: 520, month: 120, year: 10 }
export const windowDaysMost = 180

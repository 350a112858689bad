import { emptyClock } from './clock.ts'
import type { OrderState } from './order.ts'

export const minute = 60_000
export const hour = 60 * minute
export const day = 24 * hour

/** Monday 2026-11-16, 09:00 in Shanghai. */
export const t0 = Date.UTC(2026, 10, 16, 1)

/** An order that was just written: a founder, nobody in charge yet. */
export const newOrder = (more: Partial<OrderState> = {}): OrderState => ({
  ...{ status: 'undispatched', priority: 'medium', founder: 'founder', personInCharge: null, helpers: [], processor: null },
  ...{ closer: null, closedFrom: null, closedAt: null, acceptedAt: null, returns: 0, reopened: 0 },
  clock: emptyClock('medium', t0),
  ...more,
})

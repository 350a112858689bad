import type { OrderStatus } from './order.ts'

export const hazardStates = ['open', 'ordered', 'verifying', 'gone', 'accepted'] as const
export type HazardState = (typeof hazardStates)[number]

export const hazardSources = ['alarm', 'finding', 'selfTest', 'patrol', 'exam', 'person'] as const
export type HazardSource = (typeof hazardSources)[number]

/** The state of the hazard whose order this is. What is closed without being mended is open again; it is gone only once that is proved. */
export function hazardAfter(status: OrderStatus, isVerified: boolean): HazardState {
  if (status === 'closed') return 'open'
  if (status === 'processed') return 'verifying'
  if (status === 'accepted') return isVerified ? 'gone' : 'verifying'
  return 'ordered'
}

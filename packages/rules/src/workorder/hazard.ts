import type { HazardState } from '../hazard/hazard.ts'
import type { OrderStatus } from './order.ts'

/** The state of the hazard whose order this is. What is closed without being mended is open again; it is gone only once that is proved. */
export function hazardAfter(status: OrderStatus, isVerified: boolean): HazardState {
  if (status === 'closed') return 'open'
  if (status === 'processed') return 'verifying'
  if (status === 'accepted') return isVerified ? 'gone' : 'verifying'
  return 'ordered'
}

import type { Priority } from '@linewarden/equipment'
import type { OrderClock } from './clock.ts'

/** As the specification names them (section 4). */
export const orderStatuses = ['undispatched', 'dispatched', 'processed', 'closed', 'accepted'] as const
export type OrderStatus = (typeof orderStatuses)[number]

/** Of these a place and key has one at most. */
export const openOrderStatuses = ['undispatched', 'dispatched', 'processed'] as const satisfies readonly OrderStatus[]

export const orderTypes = ['repair', 'inspection'] as const
export type OrderType = (typeof orderTypes)[number]

export const pauseReasons = ['access', 'parts', 'outage', 'customer'] as const
export type PauseReason = (typeof pauseReasons)[number]

export const closeReasons = ['falseAlarm', 'duplicate', 'cancelled', 'notFound'] as const
export type CloseReason = (typeof closeReasons)[number]

/** A work order as far as its transitions decide by it. People are known by the ids of their accounts. */
export interface OrderState {
  readonly status: OrderStatus
  readonly priority: Priority
  /** Null: that account is gone. */
  readonly founder: string | null
  readonly personInCharge: string | null
  readonly helpers: readonly string[]
  /** Who processed it last. */
  readonly processor: string | null
  readonly closer: string | null
  /** Where it comes back to when it is reopened. */
  readonly closedFrom: 'undispatched' | 'dispatched' | null
  /** Unix ms. */
  readonly closedAt: number | null
  readonly acceptedAt: number | null
  readonly clock: OrderClock
  readonly returns: number
  readonly reopened: number
}

/** Who acts. */
export interface OrderActor {
  readonly accountId: string
  readonly administrator: boolean
}

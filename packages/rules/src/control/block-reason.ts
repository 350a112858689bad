/**
 * Reasons that can come to stand between an order and its sending, the gravest first, each with the outcome of an order that it keeps from
 * leaving. They are looked at again as the last thing before the message leaves.
 */
export const blocksAtSending = {
  tripOrdered: 'trip_ordered',
  tripCause: 'tripped',
  localLock: 'local_lock',
  tags: 'tagged',
  inspection: 'inspection',
  online: 'offline',
  reachable: 'offline',
  clock: 'clock_unsynchronised',
  fresh: 'values_old',
  position: 'position_changed',
  closed: 'position_changed',
  selfTest: 'self_test_open',
  quietHours: 'quiet_hours',
  sounding: 'not_sounding',
} as const

/** Reasons that cannot come to stand after the order was authorised, and why. */
export const settledByAuthorising = {
  permission: 'an order keeps the rights of the moment in which it was authorised',
  notShared: 'an order keeps the rights of the moment in which it was authorised',
  gap: 'counts from the sending of this very order; any other operation shows as a position or a trip',
  pending: 'the database authorises no second order of a line; only a trip may follow, and that is tripOrdered',
} as const

/** Why something is not done to equipment: the one word for it, from the close permit to the last look before the message leaves. */
export type BlockReason = keyof typeof blocksAtSending | keyof typeof settledByAuthorising

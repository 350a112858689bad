/** The life of whatever is ordered of equipment, an action or a setting: the same states, the same deadlines, the same idea of proof. */

/**
 * `acknowledged` is the gateway's word only. `verified`: the equipment reported the position. `unknown`: silence past the deadline;
 * later telemetry resolves it. `expired`: it was never sent. `failed`: the equipment reported another position or the gateway reported so.
 */
export const commandStates = [
  'authorised',
  'sent',
  'acknowledged',
  'verified',
  'refused',
  'expired',
  'unknown',
  'failed',
] as const
export type CommandState = (typeof commandStates)[number]

/** An order's life so far; times in Unix ms. */
export interface Life {
  readonly state: CommandState
  /** Why it was refused or failed. */
  readonly outcome: string | null
  readonly issuedAt: number
  readonly deadline: number
  readonly sentAt: number | null
  readonly acknowledgedAt: number | null
  readonly verifiedAt: number | null
  readonly endedAt: number | null
}

/** What can happen to any order. What proves it is its own. */
export type LifeFact =
  | { readonly kind: 'sent'; readonly at: number }
  /** It will never be sent. */
  | { readonly kind: 'notSent'; readonly at: number; readonly reason: string }
  | { readonly kind: 'result'; readonly status: 'accepted' | 'refused'; readonly reason: string | null; readonly at: number }
  | { readonly kind: 'tick'; readonly at: number }
  /** The server was away: what it had not marked as sent was never sent. */
  | { readonly kind: 'restart'; readonly at: number }

/** When something was measured, by the device's clock, and when we received it. */
export interface Reported {
  readonly deviceAt: number
  readonly at: number
}

/** How long after the deadline the proof may still come before the outcome is unknown. */
export const verifyGraceMs = 5_000

/** Still waiting; blocks every other order for the same line but a trip. */
export const underWayStates = ['authorised', 'sent', 'acknowledged'] as const
/** A later fact can still change it. */
export const openStates = [...underWayStates, 'unknown'] as const

export const isUnderWay = (state: CommandState): boolean => underWayStates.some((each) => each === state)
/** No later fact can change it. */
export const isFinal = (state: CommandState): boolean => !openStates.some((each) => each === state)

/** Whether two lives of one order have come equally far; the times of each follow from its state. */
export const isSameLife = (one: Life, other: Life): boolean =>
  one.state === other.state &&
  one.outcome === other.outcome &&
  (one.sentAt === null) === (other.sentAt === null) &&
  (one.acknowledgedAt === null) === (other.acknowledgedAt === null)

/** What a fact makes of an order that is not final; the same object when nothing changes. An acknowledgement never ends it. */
export function foldLife<L extends Life>(life: L, fact: LifeFact): L {
  switch (fact.kind) {
    case 'sent':
      return life.state === 'authorised' ? { ...life, state: 'sent', sentAt: fact.at } : life
    case 'notSent':
      return life.state === 'authorised' ? ended(life, 'expired', fact.reason, fact.at) : life
    case 'result':
      return onResult(life, fact)
    case 'tick':
      return onTick(life, fact.at)
    case 'restart':
      if (life.state === 'authorised') return ended(life, 'expired', 'server_restarted', fact.at)
      return isUnderWay(life.state) ? { ...life, state: 'unknown', outcome: 'server_restarted' } : life
  }
}

function onResult<L extends Life>(life: L, fact: LifeFact & { kind: 'result' }): L {
  if (life.sentAt === null) return life
  // A seen id means that an earlier copy was taken: that acknowledges the order, and is no refusal of it.
  if (fact.status === 'refused' && fact.reason !== 'seen_id') return ended(life, 'refused', fact.reason, fact.at)
  return life.state === 'sent' ? { ...life, state: 'acknowledged', acknowledgedAt: fact.at } : life
}

function onTick<L extends Life>(life: L, at: number): L {
  if (life.state === 'unknown') return life
  if (life.state === 'authorised') return at > life.deadline ? ended(life, 'expired', 'deadline_passed', at) : life
  return at > life.deadline + verifyGraceMs ? { ...life, state: 'unknown', outcome: 'no_answer' } : life
}

/** Only what was measured and received after the sending can be about the order. `slackMs`: how far the device's clock may be behind. */
export const isNewReport = ({ sentAt }: Life, { deviceAt, at }: Reported, slackMs: number): boolean =>
  sentAt !== null && at >= sentAt && deviceAt >= sentAt - slackMs

/**
 * Whether a contrary report says that nothing happened. Measured before the deadline the equipment may still have been on its way, however
 * late the report came.
 */
export const reportsNotDone = ({ state, deadline }: Life, { deviceAt }: Reported): boolean =>
  state === 'unknown' && deviceAt > deadline

export const verified = <L extends Life>(life: L, outcome: string | null, at: number): L => ({
  ...ended(life, 'verified', outcome, at),
  verifiedAt: at,
})

export const ended = <L extends Life>(life: L, state: CommandState, outcome: string | null, endedAt: number): L => ({
  ...life,
  state,
  outcome,
  endedAt,
})

/** An online round is walked by the server; one on site by people with a phone. */
export const roundKinds = ['online', 'onSite'] as const
export type RoundKind = (typeof roundKinds)[number]

export const roundStates = ['planned', 'started', 'finished', 'approved', 'returned', 'lapsed', 'abandoned'] as const
export type RoundState = (typeof roundStates)[number]

/** What happens to a round. A returned one is started again. */
export const roundActs = ['start', 'finish', 'approve', 'return', 'abandon', 'lapse', 'breakOff'] as const
export type RoundAct = (typeof roundActs)[number]

/** What people do to one; it lapses and breaks off by itself. */
export const personRoundActs = ['start', 'finish', 'approve', 'return', 'abandon'] as const satisfies readonly RoundAct[]
export type PersonRoundAct = (typeof personRoundActs)[number]

const transitions: Readonly<Record<RoundAct, { readonly from: readonly RoundState[]; readonly to: RoundState }>> = {
  start: { from: ['planned', 'returned'], to: 'started' },
  finish: { from: ['started'], to: 'finished' },
  approve: { from: ['finished'], to: 'approved' },
  return: { from: ['finished'], to: 'returned' },
  abandon: { from: ['started', 'returned'], to: 'abandoned' },
  lapse: { from: ['planned'], to: 'lapsed' },
  breakOff: { from: ['planned', 'started'], to: 'abandoned' },
}

/** Why the server ends one by itself: no line is left, more than it walks at once, or it broke down on the way. */
export const roundBreaks = ['empty', 'tooLarge', 'failed'] as const
export type RoundBreak = (typeof roundBreaks)[number]

/** The state after an act; null: in this state it cannot happen. */
export const roundAfter = (state: RoundState, act: RoundAct): RoundState | null =>
  transitions[act].from.includes(state) ? transitions[act].to : null

/** What can happen to a round in a state. */
export const actsOfRound = (state: RoundState): readonly RoundAct[] => roundActs.filter((act) => roundAfter(state, act) !== null)

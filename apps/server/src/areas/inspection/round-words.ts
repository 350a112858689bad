import { Refusal } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import type { RoundState } from '@linewarden/rules/inspection'

const states: Readonly<Record<RoundState, Text>> = {
  planned: { zh: '待巡检', en: 'planned' },
  started: { zh: '巡检中', en: 'under way' },
  finished: { zh: '已完成', en: 'finished' },
  approved: { zh: '已审核', en: 'approved' },
  returned: { zh: '退回', en: 'returned' },
  lapsed: { zh: '已过期', en: 'lapsed' },
  abandoned: { zh: '已中止', en: 'abandoned' },
}

/** What a person reads who wants something of a round that its state does not let happen. */
export const stateRefusal = (state: RoundState): Refusal =>
  state === 'lapsed' ? new Refusal('round lapsed') : new Refusal('round state', { status: state, state: states[state] })

import { maxRoundLines, Refusal } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import type { RoundBreak, RoundState } from '@linewarden/rules/inspection'

const states: Readonly<Record<RoundState, Text>> = {
  planned: { zh: '待巡检', en: 'planned' },
  started: { zh: '巡检中', en: 'under way' },
  finished: { zh: '已完成', en: 'finished' },
  approved: { zh: '已审核', en: 'approved' },
  returned: { zh: '退回', en: 'returned' },
  lapsed: { zh: '已过期', en: 'lapsed' },
  abandoned: { zh: '已中止', en: 'abandoned' },
}

/** Why a round ended by itself, and what to do. */
export const breakWords: Readonly<Record<RoundBreak, Text>> = {
  empty: {
    zh: '巡检点已没有线路，未巡检；请修改巡检计划',
    en: 'No line is left at its stops, so it was not walked. Change its plan',
  },
  tooLarge: {
    zh: `巡检点超过 ${maxRoundLines} 条线路，未巡检；请分成几个巡检计划`,
    en: `There are more than ${maxRoundLines} lines at its stops, so it was not walked. Make several plans of it`,
  },
  failed: {
    zh: '巡检途中出错，没有结果；请重新开始一次巡检',
    en: 'It broke off on the way without a result. Start another round',
  },
}

/** What a person reads who wants something of a round that its state does not let happen. */
export const stateRefusal = (state: RoundState): Refusal =>
  state === 'lapsed' ? new Refusal('round lapsed') : new Refusal('round state', { status: state, state: states[state] })

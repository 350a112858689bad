import { priorityWords } from '@linewarden/equipment'

/** The words of an order's states, acts and reasons. */
export const orderWordsZh = {
  statuses: {
    undispatched: '未派发',
    dispatched: '已派发未处理',
    processed: '已派发已处理',
    accepted: '已验收',
    closed: '已关闭',
  },
  types: { repair: '设备维修', inspection: '设备巡检' },
  priorities: priorityWords.zh,
  targets: {
    critical: '30 分钟接单，4 小时处理，全天计时',
    high: '2 小时接单，24 小时处理，全天计时',
    medium: '8 小时接单，3 个工作日处理，工作时间计时',
    low: '3 个工作日接单，7 个工作日处理，工作时间计时',
  },
  views: { mine: '我的', undispatched: '未派发', overdue: '超时', toAccept: '待验收', watching: '观察中' },
  whys: {
    ...{ access: '无法进入', parts: '待料', outage: '待停电', customer: '客户原因' },
    ...{ falseAlarm: '误报', duplicate: '重复', cancelled: '取消', notFound: '未复现' },
  },
  proofs: {
    running: '验证中 {{have}}/{{need}} h',
    verified: '已验证',
    contradicted: '值又回来了',
    noData: '无法验证：没有数据',
    none: '由验收人判断',
  },
  missing: {
    ...{ cause: '跳闸原因未登记', closed: '合闸不足 24 h', return: '报警未恢复', data: '数据不足' },
    load: '负荷未到当时 70%',
    ...{ selfTest: '待自检合格', exam: '待再次体检', patrol: '待再次巡检' },
  },
  hazards: { open: '待处理', ordered: '处理中', verifying: '待验证', gone: '已消除', accepted: '带病运行' },
  acts: {
    ...{ dispatch: '派发', take: '接单', decline: '退单', pause: '暂停', resume: '恢复计时' },
    ...{ process: '处理完成', return: '退回', accept: '验收', close: '关闭', reopen: '重新打开' },
  },
  press: {
    ...{ dispatch: '派发…', take: '接单', decline: '退单…', pause: '暂停…', resume: '恢复计时…' },
    ...{ process: '处理完成…', return: '退回…', accept: '验收…', close: '关闭…', reopen: '重新打开…' },
  },
  explains: {
    dispatch: '负责人收到后接单，时限从派发起算。',
    decline: '工单回到未派发，由建单人另派。',
    pause: '暂停期间不计时。',
    resume: '现在起继续计时。',
    process: '填写后开始验证；验证通过后由建单人或管理员验收。',
    return: '工单回到负责人，时限继续走。',
    accept: '验收后 7 天内值若又回来，工单自动重新打开。',
    unverified: '尚未验证通过。仅管理员可写明理由后验收，理由记入经过。',
    close: '不再处理的工单。30 天内可重新打开。',
    reopen: '工单回到关闭前的状态，重新计时。',
  },
  roles: {
    ...{ founder: '建单人', administrator: '管理员', personInCharge: '负责人', helper: '协助人', closer: '关闭人' },
  },
  steps: {
    ...{ insert: '建单', update: '修改', join: '并入新报警', comment: '评论', arrive: '到场', remind: '提醒', dispatch: '派发' },
    ...{ take: '接单', decline: '退单', pause: '暂停', resume: '恢复计时', process: '处理完成', return: '退回' },
    ...{ accept: '验收', close: '关闭', reopen: '重新打开', contradict: '值又回来，自动退回' },
  },
} as const

type Words<T> = { readonly [K in keyof T]: T[K] extends string ? string : Words<T[K]> }

export const orderWordsEn: Words<typeof orderWordsZh> = {
  statuses: {
    undispatched: 'Not distributed',
    dispatched: 'Dispatched, not processed',
    processed: 'Dispatched and processed',
    accepted: 'Accepted',
    closed: 'Closed',
  },
  types: { repair: 'Device repair', inspection: 'Device inspection' },
  priorities: priorityWords.en,
  targets: {
    critical: 'Taken in 30 min, processed in 4 h, round the clock',
    high: 'Taken in 2 h, processed in 24 h, round the clock',
    medium: 'Taken in 8 h, processed in 3 days, working time',
    low: 'Taken in 3 days, processed in 7 days, working time',
  },
  views: { mine: 'Mine', undispatched: 'Not distributed', overdue: 'Overdue', toAccept: 'To accept', watching: 'Watching' },
  whys: {
    ...{ access: 'No access', parts: 'Waiting for parts', outage: 'Waiting for an outage', customer: 'Customer' },
    ...{ falseAlarm: 'False alarm', duplicate: 'Duplicate', cancelled: 'Cancelled', notFound: 'Not reproduced' },
  },
  proofs: {
    running: 'Verifying {{have}}/{{need}} h',
    verified: 'Verified',
    contradicted: 'The value is back',
    noData: 'Cannot be verified: no data',
    none: 'For whoever accepts it to check',
  },
  missing: {
    cause: 'Cause of the trip not recorded',
    closed: 'Not closed for 24 h yet',
    return: 'The alarm is still there',
    data: 'Too little data',
    load: 'Load below 70% of then',
    selfTest: 'Waits for a self-test that passes',
    exam: 'Waits for the next health check',
    patrol: 'Waits for the next patrol',
  },
  hazards: { open: 'Open', ordered: 'Being dealt with', verifying: 'Being verified', gone: 'Gone', accepted: 'Accepted risk' },
  acts: {
    ...{ dispatch: 'Dispatch', take: 'Take', decline: 'Decline', pause: 'Put on hold', resume: 'Resume' },
    ...{ process: 'Report as done', return: 'Return', accept: 'Accept', close: 'Close order', reopen: 'Reopen' },
  },
  press: {
    ...{ dispatch: 'Dispatch…', take: 'Take', decline: 'Decline…', pause: 'Put on hold…', resume: 'Resume…' },
    ...{ process: 'Report as done…', return: 'Return…', accept: 'Accept…', close: 'Close order…', reopen: 'Reopen…' },
  },
  explains: {
    dispatch: 'Whoever gets it takes it; the clock runs from dispatch on.',
    decline: 'The order goes back, and its founder dispatches it to somebody else.',
    pause: 'The clock stops meanwhile.',
    resume: 'The clock goes on from now.',
    process: 'From then on it is verified; once that has passed, the founder or an administrator accepts it.',
    return: 'The order goes back to whoever had it; the clock goes on.',
    accept: 'Should the value come back within 7 days, the order reopens by itself.',
    unverified: 'It is not verified yet. Only an administrator accepts it so, with a reason that stays in its history.',
    close: 'For an order that is not dealt with. It can be reopened for 30 days.',
    reopen: 'The order is again what it was, and its clock starts anew.',
  },
  roles: {
    ...{ founder: 'founder', administrator: 'administrator', personInCharge: 'person in charge', helper: 'helper' },
    closer: 'who closed it',
  },
  steps: {
    ...{ insert: 'Created', update: 'Edited', join: 'Alarm joined', comment: 'Comment' },
    ...{ arrive: 'On site', remind: 'Reminder', dispatch: 'Dispatched', take: 'Taken' },
    ...{ decline: 'Declined', pause: 'Put on hold', resume: 'Resumed', process: 'Reported as done', return: 'Returned' },
    ...{ accept: 'Accepted', close: 'Closed', reopen: 'Reopened', contradict: 'Back by itself: the value is back' },
  },
}

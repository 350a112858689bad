import type { WorkOrder } from '@linewarden/contract'
import { Refusal, textOf } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import type { ActRefusal, OrderRole, OrderStatus, PersonAct, Verification } from '@linewarden/rules/workorder'
import { orderProblems } from '@linewarden/rules/workorder'

const statuses: Readonly<Record<OrderStatus, Text>> = {
  undispatched: { zh: '未派发', en: 'not distributed' },
  dispatched: { zh: '已派发未处理', en: 'dispatched and not processed' },
  processed: { zh: '已派发已处理', en: 'dispatched and processed' },
  closed: { zh: '已关闭', en: 'closed' },
  accepted: { zh: '已验收', en: 'accepted' },
}
const acts: Readonly<Record<PersonAct, Text>> = {
  dispatch: { zh: '派发', en: 'dispatch' },
  take: { zh: '接单', en: 'take' },
  decline: { zh: '退单', en: 'decline' },
  pause: { zh: '暂停', en: 'pause' },
  resume: { zh: '恢复', en: 'resume' },
  process: { zh: '处理', en: 'process' },
  return: { zh: '退回', en: 'return' },
  accept: { zh: '验收', en: 'accept' },
  close: { zh: '关闭', en: 'close' },
  reopen: { zh: '重新打开', en: 'reopen' },
}
const roles: Readonly<Record<OrderRole, Text>> = {
  founder: { zh: '建单人', en: 'the founder' },
  administrator: { zh: '管理员', en: 'an administrator' },
  personInCharge: { zh: '负责人', en: 'the person in charge' },
  helper: { zh: '协助人', en: 'a helper' },
  closer: { zh: '关闭人', en: 'whoever closed it' },
}

const joined = (texts: readonly Text[], last: string): Text => ({
  zh: texts.map(({ zh }) => zh).join('、'),
  en: texts
    .map(({ en }) => en)
    .join(', ')
    .replace(/, ([^,]*)$/, ` ${last} $1`),
})
const nothing: Text = { zh: '无', en: 'nothing' }

/** What a person reads whose act is refused. */
export function refusalOf(refusal: ActRefusal): Refusal {
  switch (refusal.key) {
    case 'order state': {
      const can =
        refusal.allowed.length === 0
          ? nothing
          : joined(
              refusal.allowed.map((act) => acts[act]),
              'or',
            )
      return new Refusal('order state', {
        status: refusal.status,
        allowed: refusal.allowed,
        state: statuses[refusal.status],
        can,
      })
    }
    case 'order not yours':
      return new Refusal('order not yours', {
        who: joined(
          refusal.who.map((role) => roles[role]),
          'or',
        ),
      })
    case 'order too late':
      return new Refusal('order too late', { days: refusal.days })
    default:
      return new Refusal(refusal.key)
  }
}

/** Throws `order wrong` with everything that is wrong with what somebody wrote; `personInCharge` null: nobody was chosen. */
export function refuseWrong(
  { Description, ValidDays, ReminderDays }: Pick<WorkOrder, 'Description' | 'ValidDays' | 'ReminderDays'>,
  personInCharge: string | null,
): void {
  const form = { description: Description, personInCharge, validDays: ValidDays, reminderDays: ReminderDays }
  const problems = orderProblems(form)
  if (problems.length === 0) return
  throw new Refusal(
    'order wrong',
    { count: problems.length },
    problems.map(({ key, field, ...detail }) => ({ Path: `body.${field}`, Text: textOf(key, detail) })),
  )
}

/** Why an order is not proved. */
export function unproved(verification: Verification): Text {
  if (verification.state === 'contradicted') return { zh: '值又回来了', en: 'the value is back' }
  if (verification.state === 'noData') return { zh: '数据不足，无法验证', en: 'too little was reported to know' }
  if (verification.state !== 'running') return { zh: '', en: '' }
  const { missing, haveMs, needMs } = verification
  if (missing === 'cause') return { zh: '跳闸原因未登记', en: 'the cause of the trip is not recorded' }
  if (missing === 'closed') return { zh: '线路合闸不足 24 小时', en: 'the line is not closed for 24 h' }
  if (missing === 'return') return { zh: '报警仍未恢复', en: 'the alarm is still there' }
  if (missing === 'load') return { zh: '负荷尚未达到当时的 70%', en: 'the line has not carried as much as then' }
  if (missing === 'selfTest') return { zh: '须有一次合格的漏电自检', en: 'a self-test has to pass' }
  if (missing === 'exam') return { zh: '须再次体检且不再扣分', en: 'the next health check has to find it gone' }
  if (missing === 'patrol') return { zh: '须再次巡检正常', en: 'the next patrol has to find it in order' }
  const hours = Math.ceil((needMs - haveMs) / 3_600_000)
  return { zh: `还差 ${hours} 小时`, en: `${hours} h are missing` }
}

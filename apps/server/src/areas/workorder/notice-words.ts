import type { Text } from '@linewarden/equipment'
import type { NoticeWhy } from '@linewarden/rules/workorder'
import { cutText } from '../../lib/storable-text.ts'

const words: Readonly<Record<NoticeWhy, Text>> = {
  dispatched: { zh: '已派发给您', en: 'is yours' },
  reassigned: { zh: '已改派他人', en: 'was given to somebody else' },
  returned: { zh: '已退回，请继续处理', en: 'came back to you' },
  notTaken: { zh: '提醒：尚未接单', en: 'reminder: not taken yet' },
  notProcessed: { zh: '提醒：尚未处理', en: 'reminder: not processed yet' },
  notAccepted: { zh: '提醒：等待验收', en: 'reminder: waits for acceptance' },
  overdue: { zh: '已超时', en: 'is overdue' },
  processed: { zh: '已处理，待验收', en: 'was processed' },
  declined: { zh: '已退单，请另派', en: 'was declined' },
  verified: { zh: '已验证，可以验收', en: 'is verified' },
  contradicted: { zh: '值又回来了，已退回', en: 'is back: the value returned' },
  reopened: { zh: '已重新打开', en: 'was reopened' },
}

const maxTitle = 80

interface Named {
  readonly number: string
  readonly title: string
  readonly description: string
  readonly label_zh: string | null
  readonly label_en: string | null
}

/** What a notice of an order says: 工单 202610-00031 已派发给您：照明 漏电缓升. Where it is stands beside it. */
export function noticeLabel(why: NoticeWhy, { number, title, description, label_zh, label_en }: Named, line: string): Text {
  const called = (label: string | null) =>
    [line, cutText(title || label || description, maxTitle)].filter((part) => part !== '').join(' ')
  const { zh, en } = words[why]
  return { zh: `工单 ${number} ${zh}：${called(label_zh)}`, en: `Work order ${number} ${en}: ${called(label_en)}` }
}

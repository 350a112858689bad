import { CallError } from '@linewarden/client'
import type { MessageKey } from '@linewarden/contract'
import { beforeAll, expect, test } from 'vitest'
import { startTestTexts } from '../../dev/test-texts.ts'

beforeAll(startTestTexts)

const why = (zh: string) => ({ What: { zh: '条件', en: 'condition' }, Why: { zh, en: zh } })

/** What a person reads of a refusal that came with these reasons. */
async function textOf(Message: MessageKey, text: string, blocks?: readonly object[]) {
  // Loaded late: it asks the browser as it is loaded.
  const { problemOf } = await import('./problem-of.ts')
  const Text = { zh: text, en: text }
  const failure = { Code: 0, Message, Text, Data: null, ...(blocks && { Detail: { blocks } }) } as const
  return problemOf(new CallError({ kind: 'refusal', status: 409, failure }))
}

test('a refused close says every reason there is', async () => {
  const blocks = [why('已挂牌'), { What: { zh: '条件', en: 'condition' }, Why: null }, why('正在巡检')]
  expect(await textOf('close not permitted', '当前不允许合闸', blocks)).toBe('当前不允许合闸：已挂牌；正在巡检')
})

test('another refusal, which has its reasons in its message, says them once', async () => {
  expect(await textOf('self-test not permitted', '不允许自检：已挂牌', [why('已挂牌')])).toBe('不允许自检：已挂牌')
})

test('a refused close without reasons is just refused', async () => {
  expect(await textOf('close not permitted', '当前不允许合闸')).toBe('当前不允许合闸')
})

import { beforeAll, expect, test } from 'vitest'
import { startTestTexts } from '../../dev/test-texts.ts'
import { whyNot } from './why-not.ts'

beforeAll(startTestTexts)

const text = (zh: string) => ({ zh, en: zh })
const condition = (zh: string, Met: boolean, why: string | null = null) => ({
  Key: zh,
  Met,
  What: text(zh),
  Why: why === null ? null : text(why),
  Clears: null,
  Until: null,
})
const permitted = { MayClose: true, Done: false, Conditions: [condition('网关在线', true)] }
const asked = { may: true, action: '合闸', done: '已合闸，无需操作' }

test('nothing is said of what is permitted', () => {
  expect(whyNot(permitted, asked)).toBeNull()
})

test.each([
  ['who has no right', permitted, { ...asked, may: false }, '没有分合闸权限'],
  ['while the server has not answered', null, asked, '正在向服务器确认合闸的条件；未确认前不能操作。'],
  ['what is so already', { ...permitted, Done: true }, asked, '已合闸，无需操作'],
  [
    'each condition that is not met, and no other',
    {
      ...permitted,
      MayClose: false,
      Conditions: [condition('网关在线', true), condition('无挂牌', false, '张三挂牌'), condition('就地未锁', false)],
    },
    asked,
    '张三挂牌；就地未锁',
  ],
])('%s is told why', (_, permit, by, reason) => {
  expect(whyNot(permit, by)).toBe(reason)
})

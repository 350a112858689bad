import { familyOf } from '@linewarden/equipment'
import { beforeAll, expect, test } from 'vitest'
import { startTestTexts } from '../../dev/test-texts.ts'
import type { LineRef } from '../../plant/equipment.ts'
import type { Operation } from './operation-words.ts'
import { operationWords } from './operation-words.ts'

beforeAll(startTestTexts)

const wordsOf = (family: string, action: Operation) => {
  const line = { LineName: '电梯' } as LineRef['line']
  return operationWords({ line, family: familyOf(family) }, action)
}

test.each([
  ['breaker3p', 'trip', '分闸 电梯', '断路器将断开，电梯 及其下游全部停电。', '分闸停电'],
  ['breaker3p', 'close', '合闸送电 电梯', '断路器将闭合，电梯 及其下游立即带电。请确认现场无人作业。', '合闸送电'],
  ['powerController', 'trip', '断电 电梯', '电梯 将断电，其后的用电设备全部停电。', '断电'],
  ['powerController', 'close', '通电 电梯', '电梯 将立即带电。请确认现场无人作业。', '通电'],
] as const)('the dialog of a %s says what a %s does to it, in the words of its family', (family, action, title, what, act) => {
  expect(wordsOf(family, action)).toMatchObject({ title, what, act })
})

test('each operation says for how long it is valid, and whether it is tried again', () => {
  const notes = (['trip', 'close', 'silence', 'selfTest'] as const).map((action) => wordsOf('breaker3p', action).note)
  expect(notes).toEqual([
    '30 秒内有效，网关暂时不可达时会重试。',
    '5 秒内有效，过期作废，不会延迟执行，也不会自动重试。',
    '5 秒内有效，过期作废，不会自动重试。',
    '5 秒内有效，过期作废，不会自动重试。',
  ])
})

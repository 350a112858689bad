import { beforeAll, expect, test } from 'vitest'
import { startTestTexts } from '../../dev/test-texts.ts'
import { stepWord } from './command-words.ts'

beforeAll(startTestTexts)

test.each([
  ['trip', 'acknowledged', '网关已确认，等待位置'],
  ['close', 'verified', '位置已核实'],
  ['trip', 'unknown', '结果未知，等待位置上报'],
  ['silence', 'acknowledged', '网关已确认，等待设备上报'],
  ['selfTest', 'verified', '设备上报已证实'],
  ['silence', 'unknown', '结果未知，等待设备上报'],
  ['selfTest', 'authorised', '已授权，等待下发'],
  ['silence', 'failed', '未执行'],
] as const)('a %s that is %s is called %s: only a switch waits for a position', (Action, State, word) => {
  expect(stepWord({ Action, State })).toBe(word)
})

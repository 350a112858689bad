import { expect, test } from 'vitest'
import { delayOf, isWrongDelay, reclosingFault } from './reclosing-form.ts'

const kept = [{ met: true }, { met: true }]
const broken = [{ met: true }, { met: false }]

test.each([
  ['on, with what keeps the policy, is saved', true, [20, 60], kept, null],
  ['on, with what breaks the policy, is not', true, [20, 60], broken, 'policyBad'],
  ['off may be saved whatever the policy says of it', false, [20, 60], broken, null],
  ['on, with a delay that cannot be read, is not saved', true, [20, Number.NaN], kept, 'delayWrong'],
  ['off with a delay that cannot be read is not saved', false, [0], kept, 'delayWrong'],
] as const)('automatic re-closing that is %s', (_, enabled, delays, rules, fault) => {
  expect(reclosingFault(enabled, delays, rules)).toBe(fault)
})

test.each([
  ['1', false],
  [' 3600 ', false],
  ['0', true],
  ['3601', true],
  ['1.5', true],
  ['-5', true],
  ['1e3', true],
  ['', true],
])('a delay of "%s" is wrong: %s', (text, wrong) => expect(isWrongDelay(delayOf(text))).toBe(wrong))

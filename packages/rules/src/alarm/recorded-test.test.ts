import type { StateAlarm } from '@linewarden/equipment'
import { expect, test } from 'vitest'
import { asRecorded, asTested } from './recorded-test.ts'

const failing = { state: 'selfTest', values: ['failed'], undecided: ['running'] } as unknown as StateAlarm
const another = { state: 'sounder', values: ['sounding'] } as unknown as StateAlarm

test.each([
  ['what it reports, where none is on record', failing, 'passed', null, 'passed'],
  ['what it reports, where the last one passed', failing, 'failed', 'passed', 'failed'],
  ['failed, while the last one on record failed', failing, 'passed', 'failed', 'failed'],
  ['undecided while one runs', failing, 'running', 'failed', 'running'],
  ['what it reports, of any other state', another, 'silent', 'failed', 'silent'],
] as const)('a reported state counts as %s', (_, alarm, value, recorded, counts) => {
  expect(asRecorded(alarm, value, recorded)).toBe(counts)
})

test.each([
  ['failed, when one was recorded as failed', failing, 'passed', 'failed', 'failed'],
  ['failed, while the next one runs already', failing, 'running', 'failed', 'failed'],
  ['neither, when it passed while the next one runs', failing, 'running', 'passed', ''],
  ['neither, when nothing was ever reported', failing, undefined, 'passed', ''],
  ['sound, when it says so since the last one passed', failing, 'passed', 'passed', 'passed'],
  ['nothing, of any other state', another, 'sounding', 'failed', null],
] as const)('once a self-test was recorded, the state of one counts as %s', (_, alarm, reported, recorded, counts) => {
  expect(asTested(alarm, reported, recorded)).toBe(counts)
})

import { expect, test } from 'vitest'
import type { SupervisedTest } from './supervision.ts'
import { endsSupervision, stillClosed } from './supervision.ts'

test.each([
  ['the line is told closed', { state: 'position', value: 'closed', first: false }, false],
  ['the line is told open', { state: 'position', value: 'open', first: false }, true],
  ['its position is told to be unknown', { state: 'position', value: 'unknown', first: false }, true],
  ['a birth tells it closed', { state: 'position', value: 'closed', first: true }, true],
  ['something else is told', { state: 'trip.cause', value: 'leakage', first: true }, false],
] as const)('supervision when %s', (_, report, ends) => expect(endsSupervision(report)).toBe(ends))

const at = 1_800_000_000_000
/** It reported its trip time, and after its deadline the line, which was never out of sight, tells values. */
const supervised: SupervisedTest = {
  measuredAt: at - 20,
  deadline: at - 10,
  position: 'closed',
  positionValid: true,
  liveAt: at,
  receivedAt: at + 1,
}

test('values of a line of which nothing else was reported prove that it is still closed', () => {
  expect(stillClosed(supervised)).toEqual({ kind: 'position', value: 'closed', measuredAt: at - 20, deviceAt: at, at: at + 1 })
})

test.each<[string, Partial<SupervisedTest>]>([
  ['the line is open', { position: 'open' }],
  ['its position was never told', { position: null }],
  ['something may have been missed', { positionValid: false }],
  ['no trip time was told', { measuredAt: null }],
  ['an opening may still be on its way', { liveAt: at - 10 }],
  ['no live value was ever told', { liveAt: null }],
  ['nor received', { receivedAt: null }],
])('values prove nothing when %s', (_, difference) => expect(stillClosed({ ...supervised, ...difference })).toBeNull())

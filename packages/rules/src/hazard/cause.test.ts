import { expect, test } from 'vitest'
import { causeOf } from './cause.ts'

test.each([
  ['trip.short', 'shortCircuit'],
  ['residual.alarm', 'leakage'],
  ['contact', 'heat'],
  ['gateway.offline', 'link'],
  ['an alarm that nobody knows', 'other'],
])('%s points to %s', (key, cause) => expect(causeOf(key)).toBe(cause))

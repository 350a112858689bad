import { familyOf } from '@linewarden/equipment'
import { expect, test } from 'vitest'
import { linkageSource, raisedBy } from './linkage-source.ts'

test.each([
  ['smoke', 'state', 'smoke.alarm', { isDanger: true, barsCloses: true }],
  ['breaker3p', 'point', 'current.a', { isDanger: false, barsCloses: false }],
  ['breaker3p', 'state', 'position', { isDanger: false, barsCloses: false }],
  // What a linkage raises may tell of a fire: nothing is closed after it, and no limit is waived for it.
  ['breaker3p', 'alarm', raisedBy(7), { isDanger: false, barsCloses: true }],
] as const)('of %s the %s %s', (family, kind, key, expected) => {
  const known = familyOf(family)
  expect(known && linkageSource(known, kind, key)).toMatchObject(expected)
})

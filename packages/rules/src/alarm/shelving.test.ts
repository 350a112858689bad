import { families } from '@linewarden/equipment'
import { expect, test } from 'vitest'
import { dueStep, isShelved, isSilent } from './lifecycle.ts'
import { dangerKeys, isDanger, maxShelvings, refusalToShelve } from './shelving.ts'

const now = 1_000_000
const healthy = { key: 'current.alarm', priority: 'high', state: 'active', shelvedUntil: null, shelvings: 0 } as const

test.each([
  ['an open alarm', {}, false, null],
  ['one that has returned', { state: 'returned' }, false, null],
  ['one that is over', { state: 'normal' }, false, 'over'],
  ['a journal entry', { state: null }, false, 'over'],
  ['smoke', { key: 'smoke.alarm', priority: 'critical' }, true, 'danger'],
  ['a critical one', { priority: 'critical' }, false, 'administrators'],
  ['a critical one, by an administrator', { priority: 'critical' }, true, null],
  ['one that is shelved', { shelvedUntil: now + 1 }, true, 'alreadyShelved'],
  ['one whose shelf is over', { shelvedUntil: now }, true, null],
  ['one shelved twice today', { shelvings: maxShelvings - 1 }, true, null],
  ['one shelved three times today', { shelvings: maxShelvings }, true, 'tooOften'],
] as const)('of %s', (_, different, byAdministrator, refusal) =>
  expect(refusalToShelve({ ...healthy, ...different }, byAdministrator, now)).toBe(refusal),
)

test('whatever endangers people or latches in any family is a danger, and nothing else is', () => {
  const alarms = families.flatMap((family) => family.alarms)
  for (const { key, danger, latching } of alarms) if (danger || latching) expect([key, isDanger(key)]).toEqual([key, true])
  expect([...dangerKeys()].toSorted()).toEqual(['arc', 'fire.residual', 'fire.temperature', 'gas.high', 'gas.low', 'smoke.alarm'])
})

test.each([
  [null, false],
  [now, false],
  [now + 1, true],
])('shelved until %s, it is silent now: %s', (until, silent) => {
  expect(isShelved(until, now)).toBe(silent)
  expect(isSilent({ shelvedUntil: until, suppressed: null }, now)).toBe(silent)
  expect(isSilent({ shelvedUntil: until, suppressed: 'tag' }, now)).toBe(true)
})

const acknowledged = { state: 'acknowledged', shelvedUntil: null, acknowledgedUntil: now, suppressed: null } as const

test.each([
  ['an acknowledgement that runs out', {}, { act: 'expire', at: now }],
  ['one that holds', { acknowledgedUntil: now + 1 }, null],
  ['one that never runs out', { acknowledgedUntil: null }, null],
  ['one on the shelf', { shelvedUntil: now + 1 }, null],
  ['a shelf that ended before it', { shelvedUntil: now - 5 }, { act: 'shelfEnd', at: now - 5 }],
  ['what nobody acknowledged', { state: 'active' }, null],
] as const)('what time does to %s', (_, different, due) => expect(dueStep({ ...acknowledged, ...different }, now)).toEqual(due))

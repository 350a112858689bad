import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Rights } from './permits.ts'
import { mayCall, mayWrite, permits } from './permits.ts'

/** A role that may look and switch lines, and nothing else. */
const operator: Rights = {
  platform: false,
  administrator: false,
  privileges: ['devmon', 'devmon.realtime'],
  buttons: ['lineSwitch'],
  shared: false,
}
const nobody: Rights = { ...operator, privileges: [], buttons: [] }
const administrator: Rights = { ...nobody, administrator: true }
const administering = ['system.log', 'system.users', 'system.roles', 'system.city', 'hazard.workorder']
const operating = ['lineSwitch', 'tagLines', 'manageTiming', 'manageScene', 'gatewayEnable']

test('whoever is signed in may make the calls of a session', () => {
  expect(permits('session', nobody)).toBe(true)
})

test('a call that several pages read with is for whoever may open one of them, and for nobody else', () => {
  const call = { permission: 'devmon.realtime', alsoFor: ['devmon.ledger'] }
  const only = (...privileges: string[]): Rights => ({ ...nobody, privileges })
  const asked = [only('devmon.realtime'), only('devmon.ledger'), administrator, only('devmon', 'devmon.hisdata'), nobody]
  expect(asked.map((rights) => mayCall(call, rights))).toEqual([true, true, true, false, false])
  expect(mayCall({ permission: 'platform' }, administrator)).toBe(false)
})

describe('a role', () => {
  test.each(['devmon', 'devmon.realtime', 'lineSwitch'])('may what it lists: %s', (permission) => {
    expect(permits(permission, operator)).toBe(true)
  })

  test.each(['devmon.hisdata', 'system.users', 'manageTiming', 'gatewayEnable', 'platform', 'nonsense', ''])(
    'may nothing else: %s',
    (permission) => {
      expect(permits(permission, operator)).toBe(false)
    },
  )

  test('with a page has not thereby the pages under it', () => {
    expect(permits('devmon.realtime', { ...operator, privileges: ['devmon'] })).toBe(false)
  })

  test('does not operate because a page happens to have the name of a button', () => {
    expect(permits('lineSwitch', { ...nobody, privileges: ['lineSwitch'] })).toBe(false)
  })

  test('does not open a page because a button happens to have its name', () => {
    expect(permits('devmon.realtime', { ...nobody, buttons: ['devmon.realtime'] })).toBe(false)
  })
})

describe('an administrator', () => {
  test.each(['devmon.hisdata', 'system.users', ...operating])('may %s', (permission) => {
    expect(permits(permission, administrator)).toBe(true)
  })

  test('does not thereby run the installation', () => {
    expect(permits('platform', administrator)).toBe(false)
    expect(permits('platform', { ...nobody, platform: true })).toBe(true)
  })
})

describe('a shared account', () => {
  test.each([...operating, ...administering])('never may %s, whatever its role', (permission) => {
    const everything: Rights = { platform: true, administrator: true, privileges: [permission], buttons: operating, shared: true }
    expect(permits(permission, everything)).toBe(false)
  })

  test('still reads', () => {
    expect(permits('devmon.realtime', { ...operator, shared: true })).toBe(true)
  })
})

describe('a shared account changes nothing', () => {
  const call = { method: 'PUT', permission: 'system.project', scope: { kind: 'project' } }
  const shared = { shared: true }

  test.each([
    ['a change is refused', call, false],
    ['a list by POST is read', { ...call, method: 'POST', reads: true as const }, true],
    ['what is fetched is read', { ...call, method: 'GET' }, true],
    ['its own session is its own', { ...call, permission: 'session', scope: { kind: 'own' } }, true],
    ["somebody's event is not", { ...call, permission: 'session', scope: { kind: 'event' } }, false],
  ])('%s', (_, each, expected) => expect(mayWrite(each, shared)).toBe(expected))

  test('others are asked for their permission only', () => expect(mayWrite(call, { shared: false })).toBe(true))
})

const anyPermission = fc.oneof(fc.constantFrom('platform', 'devmon', 'devmon.realtime', ...operating), fc.string())
const anyRights: fc.Arbitrary<Rights> = fc.record({
  platform: fc.boolean(),
  administrator: fc.boolean(),
  privileges: fc.array(anyPermission, { maxLength: 4 }),
  buttons: fc.array(anyPermission, { maxLength: 4 }),
  shared: fc.boolean(),
})

test('who is nothing and has been granted nothing is denied', () => {
  fc.assert(
    fc.property(anyPermission, anyRights, (permission, rights) => {
      fc.pre(permission !== 'session' && !rights.administrator && !rights.platform)
      fc.pre(!rights.privileges.includes(permission) && !rights.buttons.includes(permission))
      expect(permits(permission, rights)).toBe(false)
    }),
    { numRuns: 1_000 },
  )
})

test('sharing an account never gives a right', () => {
  fc.assert(
    fc.property(anyPermission, anyRights, (permission, rights) => {
      if (permits(permission, { ...rights, shared: true })) expect(permits(permission, { ...rights, shared: false })).toBe(true)
    }),
    { numRuns: 1_000 },
  )
})

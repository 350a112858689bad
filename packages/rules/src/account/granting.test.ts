import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isAdministratorAccount, isMobileAccount, mayGive } from './granting.ts'

const key = fc.constantFrom('system.users', 'system.roles', 'devmon.realtime', 'hazard.patrol')
const button = fc.constantFrom('lineSwitch', 'manageScene')
const allowed = fc.record({ privileges: fc.uniqueArray(key), buttons: fc.uniqueArray(button) })

test('what one has one may give, what one has not nobody gets from one', () => {
  fc.assert(
    fc.property(allowed, allowed, (own, wanted) => {
      const giver = { ...own, administrator: false, shared: false }
      const within =
        wanted.privileges.every((each) => own.privileges.includes(each)) &&
        wanted.buttons.every((each) => own.buttons.includes(each))
      expect(mayGive(giver, wanted)).toBe(within)
    }),
  )
})

test('an administrator may give everything, a shared account nothing', () => {
  fc.assert(
    fc.property(allowed, allowed, (own, wanted) => {
      expect(mayGive({ ...own, administrator: true, shared: false }, wanted)).toBe(true)
      expect(mayGive({ ...own, administrator: true, shared: true }, wanted)).toBe(false)
    }),
  )
})

test.each(['13800000000', '19912345678'])('%s may be a sub-account', (name) => expect(isMobileAccount(name)).toBe(true))

test.each(['', '12800000000', '1380000000', '138000000000', '23800000000', '1380000000a', ' 13800000000'])(
  '%j may be no sub-account',
  (name) => expect(isMobileAccount(name)).toBe(false),
)

test('an administrator may also have a name', () => {
  expect(['admin', 'east.site', '13800000000'].every(isAdministratorAccount)).toBe(true)
  expect(['', 'ab', '1admin', 'ad min', 'admin~1', '王工'].some(isAdministratorAccount)).toBe(false)
})

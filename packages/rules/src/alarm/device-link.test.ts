import { expect, test } from 'vitest'
import type { DeviceLife } from './link.ts'
import { awayOf, promisedPeriodMs, silenceOf } from './link.ts'

test.each([
  [{ own: null, gateway: 10_000, promised: true }, 10_000],
  [{ own: null, gateway: 10_000, promised: false }, null],
  [{ own: 0, gateway: 10_000, promised: true }, null],
  [{ own: 86_400_000, gateway: 10_000, promised: true }, 86_400_000],
  [{ own: 5_000, gateway: 10_000, promised: false }, 5_000],
])('of %j the promise is %s', (periods, promised) => expect(promisedPeriodMs(periods)).toBe(promised))

const now = 1_000_000
const life: DeviceLife = {
  reportedAt: now - 30_001,
  gatewaySince: 0,
  link: 'online',
  periods: { own: null, gateway: 10_000, promised: true },
  unborn: false,
}
const justBack = now - 30_000

test.each<[string, Partial<DeviceLife>, string | null, string | null]>([
  ['silent', {}, 'stale', 'stale'],
  ['not silent yet', { reportedAt: now - 30_000 }, null, null],
  ['silent and known to be', { link: 'stale' }, null, 'stale'],
  ['silent behind a gateway that is just back', { gatewaySince: justBack }, 'stale', null],
  ['dead and silent', { link: 'offline' }, null, 'offline'],
  ['silent without a promise', { periods: { own: 0, gateway: 10_000, promised: true } }, null, null],
  ['not brought along', { unborn: true, reportedAt: now }, 'offline', 'offline'],
  ['not brought along, without a promise', { unborn: true, periods: { ...life.periods, promised: false } }, 'offline', 'offline'],
  ['not brought along yet', { unborn: true, reportedAt: now, gatewaySince: justBack }, null, null],
])('a device that is %s', (_, changed, link, event) => expect(silenceOf({ ...life, ...changed }, now)).toEqual({ link, event }))

test.each([
  ['both online', 'online', 'online', null],
  ['a device died behind a gateway that lives', 'online', 'offline', 'device'],
  ['a device fell silent', 'online', 'stale', 'device'],
  ['a device was never heard: it is still being set up', 'online', 'never', null],
  ['the gateway is away, and takes the device along', 'offline', 'offline', 'gateway'],
  ['the gateway is silent', 'stale', 'online', 'gateway'],
  ['neither was ever heard', 'never', 'never', null],
] as const)('what is away: %s', (_, gateway, device, away) => expect(awayOf(gateway, device)).toBe(away))

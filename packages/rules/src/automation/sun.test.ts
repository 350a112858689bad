import { expect, test } from 'vitest'
import { sunTime } from './sun.ts'

const noonOf = (date: string, offset: string) => Date.parse(`${date}T12:00:00${offset}`)

// From an ephemeris (VSOP87, refraction at the horizon), to the second.
test.each([
  ['Shanghai', 31.2304, 121.4737, '2026-06-21', '+08:00', '04:50:26', '19:01:15'],
  ['Shanghai', 31.2304, 121.4737, '2026-11-24', '+08:00', '06:28:43', '16:52:22'],
  ['Ürümqi, by the clock of Beijing', 43.8256, 87.6168, '2026-06-21', '+08:00', '06:27:20', '21:55:14'],
  ['London', 51.5074, -0.1278, '2026-03-20', '+00:00', '06:03:23', '18:13:30'],
  ['Sydney', -33.8688, 151.2093, '2026-12-22', '+11:00', '05:41:06', '20:05:55'],
  ['Quito', -0.1807, -78.4678, '2026-09-23', '-05:00', '06:02:56', '18:09:24'],
  ['Helsinki', 60.1699, 24.9384, '2026-06-21', '+03:00', '03:54:05', '22:49:59'],
  ['Luleå', 64.9, 22.15, '2026-12-21', '+01:00', '09:39:52', '13:18:58'],
] as const)(
  'in %s (%d, %d) on %s the sun rises and sets within a minute',
  (_place, latitude, longitude, date, offset, rise, set) => {
    const away = (which: 'rise' | 'set', time: string) =>
      Math.abs((sunTime(which, { latitude, longitude }, noonOf(date, offset)) ?? 0) - Date.parse(`${date}T${time}${offset}`))
    expect(away('rise', rise)).toBeLessThanOrEqual(60_000)
    expect(away('set', set)).toBeLessThanOrEqual(60_000)
  },
)

test('beyond the polar circle there are days without', () => {
  const tromso = { latitude: 69.65, longitude: 18.96 }
  expect(sunTime('rise', tromso, noonOf('2026-12-21', '+01:00'))).toBeNull()
  expect(sunTime('set', tromso, noonOf('2026-06-21', '+02:00'))).toBeNull()
  expect(sunTime('rise', tromso, noonOf('2026-03-20', '+01:00'))).not.toBeNull()
})

test('the sun rises before noon of the sky and sets after it, as far from one as from the other', () => {
  for (let day = 0; day < 366; day += 7)
    for (const longitude of [-179, -75, 0, 121.5, 179]) {
      const noon = Date.parse('2026-01-01T12:00Z') + day * 86_400_000 - longitude * 240_000
      const [rise, set] = (['rise', 'set'] as const).map(
        (which) => sunTime(which, { latitude: 40, longitude }, noon) ?? Number.NaN,
      )
      expect(set! - rise!).toBeGreaterThan(9 * 3_600_000)
      expect(set! - rise!).toBeLessThan(15.2 * 3_600_000)
      // The equation of time is never more than 17 minutes.
      expect(Math.abs((rise! + set!) / 2 - noon)).toBeLessThan(17.5 * 60_000)
    }
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isImei } from './imei.ts'
import { isCurrency, isTimeZone } from './locale.ts'

describe('an IMEI', () => {
  test.each(['490154203237518', '356938035643809', '353879234252633'])('%s is one', (imei) => expect(isImei(imei)).toBe(true))

  test.each(['490154203237519', '49015420323751', '4901542032375180', '49015420323751a', '', ' 490154203237518'])(
    '%j is none',
    (text) => expect(isImei(text)).toBe(false),
  )

  test('with one digit wrong is none, and exactly one check digit fits', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9]{14}$/), fc.nat(13), fc.integer({ min: 1, max: 9 }), (body, at, by) => {
        const fitting = [...'0123456789'].filter((digit) => isImei(body + digit))
        expect(fitting).toHaveLength(1)
        const imei = body + fitting[0]
        const wrong = imei.slice(0, at) + ((Number(imei[at]) + by) % 10) + imei.slice(at + 1)
        expect(isImei(wrong)).toBe(false)
      }),
    )
  })
})

test.each(['Asia/Shanghai', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'UTC'])('%s is a time zone', (name) =>
  expect(isTimeZone(name)).toBe(true),
)

test.each(['+08:00', 'Beijing', '', 'Asia/Nowhere', '../etc/passwd'])('%j is no time zone', (name) =>
  expect(isTimeZone(name)).toBe(false),
)

test('currencies are those of ISO 4217', () => {
  expect(['CNY', 'EUR', 'USD'].every(isCurrency)).toBe(true)
  expect(['RMB', 'XYZ', '', 'cny'].some(isCurrency)).toBe(false)
})

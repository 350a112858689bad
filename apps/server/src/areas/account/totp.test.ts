import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newRecoveryCode } from './recovery-code.ts'
import { base32, codeAt, newTotpKey, stepOf, stepTaken, totpUri } from './totp.ts'

const rfcKey = Buffer.from('12345678901234567890')

// RFC 6238, appendix B, SHA-1; its codes have eight digits, of which an app shows the last six.
test.each([
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
])('at second %i the code is that of the RFC', (seconds, code) => {
  expect(codeAt(rfcKey, stepOf(seconds * 1_000))).toBe(code.slice(2))
})

// RFC 4648, section 10, without its padding.
test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('%j in base 32 is %j', (text, expected) => expect(base32(Buffer.from(text))).toBe(expected))

test('a code counts in its half minute and the next, and never twice', () => {
  fc.assert(
    fc.property(fc.integer({ min: 3, max: 4e9 }), fc.integer({ min: -3, max: 3 }), (step, away) => {
      const now = step * 30_000 + 12_000
      const code = codeAt(rfcKey, step + away)
      const taken = stepTaken(rfcKey, code, 0, now)
      expect(taken !== null).toBe(away === 0 || away === -1)
      if (taken !== null) expect(stepTaken(rfcKey, code, taken, now)).toBeNull()
    }),
  )
})

test.each(['', '12345', '1234567', 'abcdef', '      '])('%j is no code', (code) => {
  expect(stepTaken(rfcKey, code, 0, 59_000)).toBeNull()
})

test('keys and recovery codes are never the same, and fit what the calls take', () => {
  const codes = Array.from({ length: 200 }, newRecoveryCode)
  expect(new Set(codes).size).toBe(200)
  for (const code of codes) expect(code).toMatch(/^([A-Z2-7]{4}-){5}[A-Z2-7]{4}$/)
  expect(newTotpKey()).toHaveLength(20)
})

test('the address of the QR code names issuer and account, whatever they are called', () => {
  const uri = new URL(totpUri(rfcKey, '示例 & Co', 'a b'))
  expect(uri.searchParams.get('issuer')).toBe('示例 & Co')
  expect(uri.searchParams.get('secret')).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  expect(decodeURIComponent(uri.pathname)).toContain('a b')
})

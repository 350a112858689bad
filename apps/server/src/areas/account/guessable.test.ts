import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isGuessable } from './guessable.ts'
import { md5 } from './passwords.ts'
import { isMd5OfShort } from './short-md5.ts'

const now = Date.UTC(2026, 5, 1)
const own = ['Wang Gong', '13900000002', 'ACME 电气']

test.each([
  ...['', 'q', '7', '~', 'ab', ' 1', 'A9$'],
  ...['password', 'Password1', 'P@ssw0rd', 'PASSWORD', 'p@$$word', '123456789', 'Dragon'],
  ...['admin123', 'Admin@123', 'linewarden', 'L1newarden', 'Linewarden2026', 'operator888'],
  ...['13900000002', 'ACME 电气', 'acme电气123', 'WangGong!', 'wang gong2025'],
])('%j is refused', async (password) => {
  expect(await isGuessable(md5(password), own, now)).toBe(true)
})

test.each(['abcd7x', 'Duty-7391', 'Linewarden2011', '机房第三把钥匙', 'correct horse battery'])(
  '%j is taken',
  async (password) => {
    expect(await isGuessable(md5(password), own, now)).toBe(false)
  },
)

test('every text of one to three printable characters is known by its MD5, and no longer one', async () => {
  const printable = fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code))
  const short = fc.array(printable, { minLength: 1, maxLength: 3 }).map((chars) => chars.join(''))
  await fc.assert(
    fc.asyncProperty(short, printable, async (text, more) => {
      expect(await isMd5OfShort(md5(text))).toBe(true)
      if (text.length === 3) expect(await isMd5OfShort(md5(text + more))).toBe(false)
    }),
    { numRuns: 500 },
  )
})

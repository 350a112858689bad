import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { md5Hex } from './password.ts'

test('a password travels as the MD5 of its UTF-8 bytes', () => {
  expect(md5Hex('admin123')).toBe('0192023a7bbd73250516f069df18b500')
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (password) => {
      expect(md5Hex(password)).toBe(createHash('md5').update(password, 'utf8').digest('hex'))
    }),
  )
})

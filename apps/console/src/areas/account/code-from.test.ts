import { expect, test } from 'vitest'
import { codeFrom } from './code-from.ts'

test.each([
  ['123456', '123456'],
  [' 123 456 ', '123456'],
  ['abcd-efgh-2345', 'ABCD-EFGH-2345'],
  ['ABCDEFGH2345', 'ABCD-EFGH-2345'],
  ['abcd efgh ijkl mnop qrst 2345', 'ABCD-EFGH-IJKL-MNOP-QRST-2345'],
])('%j is read as %j', (typed, code) => expect(codeFrom(typed)).toBe(code))

test.each(['', '12345', '1234567', 'abcdef', 'ABCD-EFGH-0189', 'ABCD-EFGH-IJKL-MNOP'])('%j is no code', (typed) =>
  expect(codeFrom(typed)).toBeNull(),
)

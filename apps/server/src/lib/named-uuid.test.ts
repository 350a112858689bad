import { expect, test } from 'vitest'
import { namedUuid } from './named-uuid.ts'

test('an id is of its words alone, in their order, and says that it is of version 5', () => {
  expect(namedUuid('timer', 1, 2)).toBe(namedUuid('timer', 1, 2))
  expect(namedUuid('timer', 1, 2)).not.toBe(namedUuid('timer', 2, 1))
  expect(namedUuid('timer', 1, 2)).not.toBe(namedUuid('timer', 12))
  expect(namedUuid('timer', 1, 2)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

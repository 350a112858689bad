import { expect, test } from 'vitest'
import { unreadOf } from './unread.ts'

const listed = (...notices: readonly (readonly [EventID: string, OrderID: number])[]) =>
  notices.map(([EventID, OrderID]) => ({ EventID, OrderID }))

test('of an order that has no notice nothing is unread, unless it may be among those that are not listed', () => {
  expect(unreadOf({ items: listed(['9', 2]), total: 1 }, 1)).toBeNull()
  expect(unreadOf({ items: listed(['9', 2]), total: 51 }, 1)).toBe('unlisted')
})

test('each notice that comes is told from those before, also where more are unread than are listed', () => {
  const total = 51
  const [none, first, second] = [listed(['9', 2]), listed(['10', 1], ['9', 2]), listed(['11', 1], ['9', 2])]
  const unread = [none, first, none, second].map((items) => unreadOf({ items, total }, 1))
  expect(unread).toEqual(['unlisted', '10', 'unlisted', '11'])
})

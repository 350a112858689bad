import { hourMs } from '@linewarden/equipment'
import { expect, test } from 'vitest'
import type { OpenOrder } from './open-orders.ts'
import { OpenOrders } from './open-orders.ts'

interface Placed extends OpenOrder {
  readonly place: string
}

const order = (commandId: string, more: Partial<Placed> = {}): Placed => ({
  commandId,
  place: 'line 1',
  state: 'authorised',
  outcome: null,
  issuedAt: 0,
  deadline: 5_000,
  sentAt: null,
  acknowledgedAt: null,
  verifiedAt: null,
  endedAt: null,
  ...more,
})

let now = 0
const orders = (...kept: readonly Placed[]) => {
  now = 0
  const made = new OpenOrders<Placed>(
    ({ place }) => place,
    () => now,
  )
  for (const each of kept) made.keep(each)
  return made
}

test('an order is found by its id and by its place as its newest step has left it', () => {
  const open = orders(order('a'), order('b'), order('c', { place: 'line 2' }))
  const sent = order('a', { state: 'sent' })
  open.move(sent)
  expect(open.byId('a')).toBe(sent)
  expect(open.at('line 1').map(({ commandId, state }) => [commandId, state])).toEqual([
    ['a', 'sent'],
    ['b', 'authorised'],
  ])
  expect([...open.all()].map(({ commandId }) => commandId)).toEqual(['a', 'b', 'c'])
})

test('an order that is over is not open any more, and its neighbour still is', () => {
  const open = orders(order('a'), order('b'))
  open.move(order('a', { state: 'verified' }))
  expect([open.byId('a'), open.size]).toEqual([undefined, 1])
  expect(open.at('line 1').map(({ commandId }) => commandId)).toEqual(['b'])
  open.move(order('b', { state: 'verified' }))
  expect(open.at('line 1')).toEqual([])
})

test('an order that is over is known to have been begun until an hour after its deadline', () => {
  const open = orders(order('a'))
  open.move(order('a', { state: 'verified' }))
  now = 5_000 + hourMs - 1
  open.keep(order('b', { deadline: now + 5_000 }))
  expect(open.wasBegun(order('a'))).toBe(true)
  now += 1
  open.keep(order('c', { deadline: now + 5_000 }))
  expect([open.wasBegun(order('a')), open.wasBegun(order('b')), open.wasBegun(order('d'))]).toEqual([false, true, false])
})

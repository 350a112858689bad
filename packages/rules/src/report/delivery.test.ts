import { expect, test } from 'vitest'
import { afterAttempt } from './delivery.ts'

test.each([
  ['accepted', { code: 250, isHandedOver: true }, { state: 'sent' }],
  ['put off before the message', { code: 451, isHandedOver: false }, { state: 'later', inMs: 60_000 }],
  ['put off after the message', { code: 452, isHandedOver: true }, { state: 'later', inMs: 60_000 }],
  ['refused', { code: 550, isHandedOver: false }, { state: 'refused' }],
  ['refused after the message', { code: 554, isHandedOver: true }, { state: 'refused' }],
  ['not reached', { code: null, isHandedOver: false }, { state: 'later', inMs: 60_000 }],
  ['lost after the message was asked for', { code: null, isHandedOver: true }, { state: 'unknown' }],
  ['answered with what is no answer', { code: 250, isHandedOver: false }, { state: 'refused' }],
] as const)('%s', (_, attempt, after) => expect(afterAttempt(attempt, 1)).toEqual(after))

test('what is put off is tried after 1, 5, 15, 60 and 240 minutes and a day, and then no more', () => {
  const waits = [1, 2, 3, 4, 5, 6, 7].map((tries) => afterAttempt({ code: 421, isHandedOver: false }, tries))
  expect(waits.map((each) => (each.state === 'later' ? each.inMs / 60_000 : each.state))).toEqual([
    1,
    5,
    15,
    60,
    240,
    1440,
    'refused',
  ])
})

import { expect, test } from 'vitest'
import { orderStatuses } from './order.ts'
import { takeBackRefusal } from './photo.ts'

const photo = { senderId: 'wang', sentAt: 1_000 }
const sender = { accountId: 'wang', administrator: false }
const other = { accountId: 'li', administrator: false }
const administrator = { accountId: 'boss', administrator: true }
const open = { status: 'dispatched' } as const

test('whoever sent a photo, or an administrator, takes it back, and nobody else', () => {
  const answers = [sender, administrator, other].map((actor) => takeBackRefusal(open, null, photo, actor))
  expect(answers).toEqual([null, null, 'photo not yours'])
})

test('the photo of an account that is gone is taken back by administrators alone', () => {
  const answers = [sender, administrator].map((actor) => takeBackRefusal(open, null, { ...photo, senderId: null }, actor))
  expect(answers).toEqual(['photo not yours', null])
})

test('what was there when the order was reported as done stays, what came after a return does not have to', () => {
  const answers = [999, 1_000, 1_001].map((reportedAt) => takeBackRefusal(open, reportedAt, photo, sender))
  expect(answers).toEqual([null, 'photo stays', 'photo stays'])
})

test('only an order that is still to be done gives photos back', () => {
  const giving = orderStatuses.filter((status) => takeBackRefusal({ status }, null, photo, administrator) === null)
  expect(giving).toEqual(['undispatched', 'dispatched'])
})

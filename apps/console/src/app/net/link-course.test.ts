import { expect, test } from 'vitest'
import { turnOf } from './link-course.ts'

const never = { link: 'connecting', everOpen: false } as const
const open = { link: 'open', everOpen: true } as const
const lost = { link: 'closed', everOpen: true } as const

test('nothing was missed before the link opened for the first time', () => {
  expect(turnOf(never, 'open')).toEqual({ state: open, hasMissed: false })
})

test('something may have been missed when the link opens again', () => {
  expect(turnOf(lost, 'open')).toEqual({ state: open, hasMissed: true })
})

test('a link that closes has missed nothing yet, and stays one that was open', () => {
  expect(turnOf(open, 'closed')).toEqual({ state: lost, hasMissed: false })
})

test('a new attempt after a loss is still no link', () => expect(turnOf(lost, 'connecting')).toBeNull())

test('a link that never opened stays one', () => {
  expect(turnOf(never, 'closed')).toEqual({ state: { link: 'closed', everOpen: false }, hasMissed: false })
})

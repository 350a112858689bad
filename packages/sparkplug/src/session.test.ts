import { expect, test } from 'vitest'
import { EdgeSession } from './session.ts'

const born = () => {
  const session = new EdgeSession()
  session.birth(0, 7)
  session.deviceBorn('D1')
  return session
}

test('nothing is taken before the birth', () => {
  expect(new EdgeSession().next(1, false)).toBe('not_born')
})

test('a birth must start the sequence at 0', () => {
  const session = new EdgeSession()
  expect(session.birth(3, 7)).toBe('seq_gap')
  expect(session.born).toBe(false)
})

test('the sequence goes on by one and wraps after 255', () => {
  const session = born()
  for (let i = 1; i <= 600; i++) expect(session.next(i % 256, false)).toBe('ok')
})

test('a gap is seen', () => {
  expect(born().next(2, false)).toBe('seq_gap')
})

test('a redelivered message is a duplicate, the same number without the flag is a gap', () => {
  const session = born()
  session.next(1, false)
  expect(session.next(1, true)).toBe('duplicate')
  expect(session.next(1, false)).toBe('seq_gap')
})

test('an old death does not end a newer session', () => {
  const session = born()
  expect(session.death(6)).toBe(false)
  expect(session.born).toBe(true)
  expect(session.death(7)).toBe(true)
  expect(session.born).toBe(false)
})

test('a new birth forgets the devices of the session before', () => {
  const session = born()
  expect(session.knows('D1')).toBe(true)
  session.birth(0, 8)
  expect(session.knows('D1')).toBe(false)
})

test('a dead device is not known', () => {
  const session = born()
  session.deviceDied('D1')
  expect(session.knows('D1')).toBe(false)
})

test('a rebirth is asked for at most once in five seconds', () => {
  const session = born()
  expect(session.askRebirth(1_000)).toBe(true)
  expect(session.askRebirth(5_999)).toBe(false)
  expect(session.askRebirth(6_000)).toBe(true)
})

test('a redelivered message with the next number is in order and moves on; with any other number something was lost', () => {
  const session = born()
  expect(session.next(1, true)).toBe('ok')
  expect(session.next(2, false)).toBe('ok')
  expect(session.next(9, true)).toBe('seq_gap')
})

import { expect, test } from 'vitest'
import { notifyEach } from './notify-each.ts'

test('a listener that throws is reported and keeps nothing from the others', () => {
  const broken = new Error('broken')
  const notified: string[] = []
  const reported: unknown[] = []
  const listeners = [
    () => notified.push('first'),
    () => {
      throw broken
    },
    () => notified.push('last'),
  ]
  notifyEach(
    listeners,
    (listener) => listener(),
    (error) => reported.push(error),
  )
  expect(notified).toEqual(['first', 'last'])
  expect(reported).toEqual([broken])
})

import type { EventRecord } from '@linewarden/contract'
import { expect, test } from 'vitest'
import { forgetNotified, notifyEvent, onEvent } from './notified-events.ts'

const event = (EventID: string, Announced: number) => ({ EventID, Announced, Raises: 1 }) as EventRecord

test('what socket and poll both bring is new once, and once more with each announcement', () => {
  forgetNotified()
  const received: [string, boolean][] = []
  const stop = onEvent(({ EventID, Announced }, isNew) => received.push([`${EventID}/${Announced}`, isNew]))
  notifyEvent(event('1', 1), true)
  notifyEvent(event('1', 1), true)
  // It changed, as when somebody puts it on the shelf: that is no announcement.
  notifyEvent(event('1', 1), false)
  notifyEvent(event('1', 2), true)
  notifyEvent(event('1', 2), true)
  // What was seen to change is known: the poll that comes after it brings nothing new.
  notifyEvent(event('2', 1), false)
  notifyEvent(event('2', 1), true)
  stop()
  expect(received).toEqual([
    ['1/1', true],
    ['1/1', false],
    ['1/1', false],
    ['1/2', true],
    ['1/2', false],
    ['2/1', false],
    ['2/1', false],
  ])
})

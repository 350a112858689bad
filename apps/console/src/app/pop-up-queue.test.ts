import type { EventRecord } from '@linewarden/contract'
import { expect, test } from 'vitest'
import { mostPopUps, noPopUps, withEvent, withoutPopUp } from './pop-up-queue.ts'

const event = (EventID: string, more: Partial<EventRecord> = {}): EventRecord => ({
  EventID,
  Kind: 'alarm',
  Priority: 'high',
  Key: 'k',
  Label: { zh: '', en: '' },
  Point: null,
  Value: null,
  Limit: null,
  Unit: '',
  State: 'active',
  HouseID: 1,
  DeviceID: 1,
  LineID: 1,
  ControllerID: 'D',
  LineNo: 1,
  Where: '',
  RaisedAt: 1,
  LastRaisedAt: 1,
  Raises: 1,
  AddTime: 1,
  AcknowledgedAt: null,
  AcknowledgedBy: null,
  ReturnedAt: null,
  Historical: false,
  ...more,
})

const popUpsAfter = (open: readonly EventRecord[], told: EventRecord, isNew: boolean) =>
  withEvent({ open, pushedOut: 0 }, told, isNew).open

test('a ninth pop-up closes the oldest', () => {
  let open: readonly EventRecord[] = []
  for (let i = 1; i <= mostPopUps + 1; i++) open = popUpsAfter(open, event(String(i)), true)
  expect(open).toHaveLength(mostPopUps)
  expect(open[0]?.EventID).toBe('9')
  expect(open.some(({ EventID }) => EventID === '1')).toBe(false)
})

test('a back-filled event opens none', () => expect(popUpsAfter([], event('1', { Historical: true }), true)).toEqual([]))
test('a journal entry opens none', () => expect(popUpsAfter([], event('1', { Kind: 'journal' }), true)).toEqual([]))
test('a change of an event that is not open opens none', () => expect(popUpsAfter([], event('1'), false)).toEqual([]))

test('a returned alarm changes its own pop-up and stays where it is', () => {
  const open = [event('2'), event('1')]
  expect(popUpsAfter(open, event('1', { State: 'returned' }), false).map(({ State }) => State)).toEqual(['active', 'returned'])
})

test('the same event told twice stands once', () => expect(popUpsAfter([event('1')], event('1'), true)).toHaveLength(1))

test('what was closed to make room is said until the last pop-up is closed', () => {
  let state = noPopUps
  for (let i = 1; i <= mostPopUps + 2; i++) state = withEvent(state, event(String(i)), true)
  expect(state.pushedOut).toBe(2)
  state = withEvent(state, event('9', { State: 'returned' }), false)
  for (let i = 3; i <= mostPopUps + 1; i++) {
    state = withoutPopUp(state, String(i))
    expect(state.pushedOut).toBe(2)
  }
  expect(withoutPopUp(state, String(mostPopUps + 2))).toEqual(noPopUps)
})

import type { EventRecord } from '@linewarden/contract'
import { families } from '@linewarden/equipment'
import { isDanger } from '@linewarden/rules/alarm'
import { expect, test } from 'vitest'
import type { Unacknowledged } from './pop-up-queue.ts'
import { cleared, maxPopUps, nothingKnown, popUpsOf, withEvent, withList, withoutPopUp } from './pop-up-queue.ts'

const event = (EventID: string, more: Partial<EventRecord> = {}): EventRecord => ({
  EventID,
  Kind: 'alarm',
  Priority: 'high',
  Key: `k${EventID}`,
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
  Where: { HouseName: null, GatewayName: null, LineName: null },
  RaisedAt: 1,
  LastRaisedAt: 1,
  Raises: 1,
  AddTime: 1,
  AcknowledgedAt: null,
  AcknowledgedBy: null,
  ReturnedAt: null,
  AcknowledgedUntil: null,
  Shelved: null,
  Suppressed: null,
  IncidentID: null,
  Role: null,
  Announced: 1,
  SeriesID: '1',
  Occurrences: 1,
  IsNewest: true,
  Chatter: null,
  Fleeting: false,
  Evidence: 'none',
  Historical: false,
  ...more,
})
const residual = (EventID: string, step: 'notice' | 'warning' | 'alarm', more: Partial<EventRecord> = {}) =>
  event(EventID, {
    Key: `residual.${step}`,
    Point: 'residual',
    Kind: step === 'alarm' ? 'alarm' : 'warning',
    Priority: ({ notice: 'low', warning: 'medium', alarm: 'high' } as const)[step],
    ...more,
  })
const acknowledged = (of: EventRecord): EventRecord => ({
  ...of,
  State: 'acknowledged',
  AcknowledgedAt: 2,
  AcknowledgedBy: 'anna',
})

const none = new Set<string>()
const loaded = (events: readonly EventRecord[] = [], total = events.length, known = nothingKnown) =>
  withList(known, events, total, none)
const notified = (known: Unacknowledged, ...events: readonly EventRecord[]) =>
  events.reduce((before, each) => withEvent(before, each, true).known, known)
const changed = (known: Unacknowledged, of: EventRecord) => withEvent(known, of, false).known
/** Numbers of the events in each pop-up, the gravest first. */
const shown = (known: Unacknowledged) => popUpsOf(known).shown.map(({ events }) => events.map(({ EventID }) => EventID).join())
const [first, second, third] = [event('1'), event('2'), event('3')]

test('what nobody has acknowledged comes up with the page, the newest first, without a sound', () => {
  const known = loaded([third, second, first])
  expect(shown(known)).toEqual(['3', '2', '1'])
  expect(known.total).toBe(3)
})

test('of many the eight newest are shown, and how many more there are', () => {
  const many = Array.from({ length: 12 }, (_, i) => event(String(i + 1)))
  expect(shown(loaded(many))).toEqual(['12', '11', '10', '9', '8', '7', '6', '5'])
  expect(popUpsOf(loaded(many)).more).toBe(12 - maxPopUps)
  expect(popUpsOf(loaded(many, 1_000)).more).toBe(1_000 - maxPopUps)
})

test('a back-filled event and an entry of the journal open none', () => {
  expect(shown(notified(loaded(), event('1', { Historical: true }), event('2', { Kind: 'journal', State: null })))).toEqual([])
  expect(shown(loaded([event('1', { Historical: true })]))).toEqual([])
})

test('a closed pop-up is put away here and still counted; the next load brings it back', () => {
  const known = loaded([second, first])
  const [pop] = popUpsOf(known).shown
  if (!pop) throw new Error('nothing popped up')
  const without = withoutPopUp(known, pop)
  expect([shown(without), without.total]).toEqual([['1'], 2])
  expect(shown(loaded([second, first], 2, without))).toEqual(['1'])
  expect(shown(loaded([second, first]))).toEqual(['2', '1'])
})

test('all are put away by one press, those that were never here included, and what comes afterwards is not', () => {
  const known = cleared(loaded([third, second], 900))
  expect([shown(known), popUpsOf(known).more, known.total]).toEqual([[], 0, 900])
  const after = notified(loaded([third, second, first], 900, known), event('4'))
  expect([shown(after), popUpsOf(after).more]).toEqual([['4'], 0])
})

test('what somebody acknowledged leaves by itself', () => {
  const known = changed(loaded([second, first]), acknowledged(first))
  expect([shown(known), known.total]).toEqual([['2'], 1])
})

test.each<[string, Partial<EventRecord>]>([
  ['put on the shelf', { Shelved: { Until: 9, By: 'anna', Reason: '检修' } }],
  ['taken out of service', { Suppressed: 'tag' }],
])('an alarm that is %s leaves the screen, and is back when it calls again', (_, silent) => {
  const known = changed(loaded([second, first]), event('1', silent))
  expect([shown(known), known.total]).toEqual([['2'], 1])
  const again = notified(known, event('1', { Announced: 2 }))
  expect([shown(again), again.total]).toEqual([['2', '1'], 2])
})

test('a returned alarm stays where it is until it is acknowledged', () => {
  expect(shown(changed(loaded([second, first]), event('1', { State: 'returned' })))).toEqual(['2', '1'])
})

test('events of one ramp are one pop-up that grows, and each graver step is announced', () => {
  const steps = [residual('1', 'notice'), residual('2', 'warning'), residual('3', 'alarm')]
  let known = loaded()
  for (const step of steps) {
    const after = withEvent(known, step, true)
    expect(after.announced).toBe(true)
    known = after.known
  }
  expect(shown(known)).toEqual(['3,2,1'])
})

test('a warning that comes after its alarm is not announced and opens nothing of its own', () => {
  const alarm = loaded([residual('1', 'alarm')])
  const after = withEvent(alarm, residual('2', 'warning'), true)
  expect([after.announced, shown(after.known)]).toEqual([false, ['1,2']])
  const [pop] = popUpsOf(alarm).shown
  if (!pop) throw new Error('nothing popped up')
  expect(shown(notified(withoutPopUp(alarm, pop), residual('2', 'warning')))).toEqual([])
})

test('a graver step brings a pop-up that was put away up again', () => {
  const known = cleared(loaded([residual('1', 'warning')]))
  expect(shown(notified(known, residual('2', 'alarm')))).toEqual(['2'])
})

test('an alarm that is announced again comes up again, as the newest', () => {
  const known = cleared(loaded([second, first]))
  expect(shown(changed(known, event('1', { Raises: 2 })))).toEqual([])
  const again = notified(known, event('1', { Raises: 3 }))
  expect(shown(again)).toEqual(['1'])
  expect(shown(notified(loaded([second, first]), event('1', { Raises: 3 })))).toEqual(['1', '2'])
})

test('a change that comes before the first answer does not hide its alarm', () => {
  expect(shown(loaded([first], 1, changed(nothingKnown, first)))).toEqual(['1'])
})

test('what was told while the server was answering is newer than its answer', () => {
  const asked = loaded([first])
  const meanwhile = changed(notified(asked, second), acknowledged(first))
  expect(shown(withList(meanwhile, [first], 1, new Set(['1', '2'])))).toEqual(['2'])
})

test('a work order is nothing to acknowledge: it stays until it is closed', () => {
  const order = event('5', { Kind: 'order', State: null, Key: 'order.dispatched' })
  const known = loaded([first], 1, notified(loaded([first]), order))
  expect([shown(known), known.total]).toEqual([['5', '1'], 1])
  const [pop] = popUpsOf(known).shown
  if (!pop) throw new Error('nothing popped up')
  expect(shown(withoutPopUp(known, pop))).toEqual(['1'])
  expect(shown(changed(withoutPopUp(known, pop), order))).toEqual(['1'])
  expect(shown(cleared(known))).toEqual([])
})

test('an order that was opened, here or on another screen, pops up no more, and the count of alarms stays', () => {
  const order = event('5', { Kind: 'order', State: null, Key: 'order.dispatched' })
  const known = loaded([first], 1, notified(loaded([first]), order))
  const opened = changed(known, { ...order, AcknowledgedAt: 2 })
  expect([shown(opened), opened.total]).toEqual([['1'], 1])
})

test('of a flood the newest are kept, and the count says how many there are', () => {
  let known = loaded()
  for (let i = 1; i <= 1_000; i++) known = notified(known, event(String(i)))
  expect(known.events.size).toBeLessThanOrEqual(200)
  expect(known.total).toBe(1_000)
  expect(popUpsOf(known).more).toBe(1_000 - maxPopUps)
  expect(shown(known)[0]).toBe('1000')
})

test('while alarms flood only critical and high ones pop up, the others are counted', () => {
  const known = loaded([event('3'), event('2', { Priority: 'medium' }), event('1', { Priority: 'critical' })])
  expect(popUpsOf(known, true)).toMatchObject({ shown: [{ head: { EventID: '3' } }, { head: { EventID: '1' } }], more: 1 })
  expect(popUpsOf(known, false)).toMatchObject({ more: 0 })
})

test('fire, gas and arc pop up in any flood: each is critical', () => {
  const dangers = families.flatMap(({ alarms }) => alarms).filter(({ key }) => isDanger(key))
  expect(dangers.filter(({ priority }) => priority !== 'critical')).toEqual([])
})

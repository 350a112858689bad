import type { EventGroup, EventRecord } from '@linewarden/contract'
import { expect, test } from 'vitest'
import { eventsIn, rowsOf } from './rows.ts'

const event = (EventID: string, children = 0) =>
  ({
    EventID,
    Incident: children > 0 ? { IncidentID: '1', Kind: 'gateway', Children: children, Priority: 'high' } : null,
  }) as EventRecord
const group = (Key: string) => ({ Key, HouseID: null, DeviceID: null }) as EventGroup
const shown = (rows: ReturnType<typeof rowsOf>) =>
  rows.map((row) =>
    row.kind === 'rest' ? `rest ${row.count}` : row.kind === 'group' ? row.id : `${row.isChild ? '> ' : ''}${row.event.EventID}`,
  )

test('a root that is folded stands for its children, and unfolded they stand below it', () => {
  const heads = [event('9', 3), event('8')]
  expect(shown(rowsOf(heads, new Map()))).toEqual(['9', '8'])
  const all = { events: [event('7'), event('6'), event('5')], total: 3 }
  expect(shown(rowsOf(heads, new Map([['9', all]])))).toEqual(['9', '> 7', '> 6', '> 5', '8'])
})

test('what is on its way, and what is more than is here, has a row of its own', () => {
  expect(shown(rowsOf([group('gas')], new Map([['group gas', null]])))).toEqual(['group gas', 'rest null'])
  const some = { events: [event('7')], total: 120 }
  expect(shown(rowsOf([group('gas'), group('arc')], new Map([['group gas', some]])))).toEqual([
    'group gas',
    '> 7',
    'rest 119',
    'group arc',
  ])
})

test('an event that stands in two places is one event', () => {
  const rows = rowsOf([event('9', 1), event('7')], new Map([['9', { events: [event('7')], total: 1 }]]))
  expect(eventsIn(rows).map(({ EventID }) => EventID)).toEqual(['9', '7'])
})

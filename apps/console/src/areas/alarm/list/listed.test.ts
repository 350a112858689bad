import type { EventRecord } from '@linewarden/contract'
import { expect, test } from 'vitest'
import { withChanged } from './listed.ts'

const event = (EventID: string, more: Partial<EventRecord> = {}) => ({ EventID, State: 'active', ...more }) as EventRecord
const incident = { IncidentID: '7', Kind: 'gateway', Children: 12, Priority: 'high', Mark: '3' } as const

test('what becomes of a listed event is shown in its place, and others stay as they are', () => {
  const page = { items: [event('1'), event('2')] }
  const after = withChanged(page, new Map([['2', event('2', { State: 'acknowledged' })]]))
  expect(after.items.map(({ State }) => State)).toEqual(['active', 'acknowledged'])
  expect(after.items[0]).toBe(page.items[0])
  expect(withChanged(page, new Map([['3', event('3')]]))).toBe(page)
})

test('a root keeps what is folded under it, of which what comes live says nothing', () => {
  const page = { items: [event('1', { Incident: incident })] }
  const changed = (more: Partial<EventRecord>) => withChanged(page, new Map([['1', event('1', more)]])).items[0]
  expect(changed({ State: 'acknowledged' })).toMatchObject({ State: 'acknowledged', Incident: incident })
  expect(changed({ Incident: null })?.Incident).toBeNull()
})

import type { Page } from '@playwright/test'
import type { RaisedEvent } from '../../kit/raised-events.ts'
import { raiseEvents } from '../../kit/raised-events.ts'
import { enter } from '../sign-in.ts'
import type { test } from '../stack.ts'

// The alarm list with five alarms of the small plan, of which four are open.
export type Stack = Parameters<Parameters<typeof test>[2]>[0]['stack']

const minuteMs = 60_000
export const called = (zh: string, en: string) => ({ zh, en })
const alarms = (now: number): readonly RaisedEvent[] => [
  { key: 'voltage.over', label: called('过电压', 'Overvoltage'), state: 'returned', raises: 3, raisedAt: now - 40 * minuteMs },
  {
    key: 'trip.short',
    lineNo: 2,
    priority: 'critical',
    label: called('短路脱扣', 'Tripped on short circuit'),
    raisedAt: now - 9 * minuteMs,
  },
  {
    key: 'smoke.alarm',
    controllerId: 'A-Y1',
    lineNo: null,
    priority: 'critical',
    label: called('烟雾报警', 'Smoke'),
    raisedAt: now - minuteMs,
  },
  {
    key: 'current.high',
    controllerId: 'B-T1',
    kind: 'warning',
    priority: 'low',
    label: called('电流偏高', 'Current high'),
    raisedAt: now - 80 * minuteMs,
  },
  { key: 'voltage.over', label: called('过电压', 'Overvoltage'), state: 'normal', raisedAt: now - 300 * minuteMs },
]

export async function begin(stack: Stack, given = alarms(Date.now())): Promise<string[]> {
  const db = await stack.server.database.connect()
  await db.query('delete from event; delete from event_shelf; delete from incident')
  await db.end()
  return raiseEvents(stack, given)
}
export const table = (page: Page) => page.getByRole('table', { name: /^(报警列表|Alarms)$/ })
export const rows = (page: Page) =>
  table(page)
    .getByRole('row')
    .filter({ has: page.getByRole('checkbox', { name: /^(选择 |Select (?!all))/ }) })
export const row = (page: Page, name: string) => rows(page).filter({ hasText: name })
export const open = (page: Page, stack: Stack, query = '') => enter(page, stack, `${stack.url}/hazard/alarmList${query}`)

import { priorities } from '@linewarden/equipment'
import { alarmStates, eventKinds, openAlarmStates, unacknowledgedStates } from '@linewarden/rules/alarm'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestDatabase } from '../core/test-database.ts'
import { testDatabase } from '../core/test-database.ts'

/** What the database holds about alarms is what the rule says, word for word. */
let made: TestDatabase
beforeAll(async () => {
  made = await testDatabase()
})
afterAll(() => made?.drop())

/** The words in a predicate, in order. */
const words = (predicate: string | undefined) => [...(predicate ?? '').matchAll(/'(\w+)'::text/g)].map(([, word]) => word)

async function indexWords(name: string) {
  const { rows } = await sql<{ predicate: string }>`
    select pg_get_expr(indpred, indrelid) as predicate from pg_index where indexrelid = ${name}::regclass`.execute(
    made.database.general,
  )
  return words(rows[0]?.predicate)
}

async function checkWords(name: string) {
  const { rows } = await sql<{ text: string }>`
    select pg_get_constraintdef(oid) as text from pg_constraint where conname = ${name}`.execute(made.database.general)
  return words(rows[0]?.text)
}

test('one alarm has one event for as long as the rule calls it open', async () => {
  expect(await indexWords('event_open_once')).toEqual(openAlarmStates)
})

test('the lists find what nobody has acknowledged by the states of the rule', async () => {
  expect(await indexWords('event_unacknowledged')).toEqual(unacknowledgedStates)
  expect(await indexWords('event_needs_somebody')).toEqual(openAlarmStates)
})

test('what still needs somebody in each order is that of the rule', async () => {
  for (const order of ['priority', 'raised', 'raises'])
    expect(await indexWords(`event_open_by_${order}`)).toEqual(openAlarmStates)
})

test('what a tag keeps out of service is open by the states of the rule', async () => {
  expect(await indexWords('event_suppressed')).toEqual(['tag', ...openAlarmStates])
})

test('kinds, priorities and states are those of the rule', async () => {
  expect(await checkWords('event_kind_check')).toEqual([...eventKinds])
  expect(await checkWords('event_priority_check')).toEqual([...priorities])
  expect(await checkWords('event_state_check')).toEqual([...alarmStates])
})

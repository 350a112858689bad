import { aboutNothing } from '@linewarden/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestDatabase } from '../core/test-database.ts'
import { testDatabase } from '../core/test-database.ts'
import { quietHoursOfAll, saveQuietHours } from './detection.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
  const client = await db.database.connect()
  await client.query(`insert into project (city_id, name, time_zone) select city_id, 'p', 'UTC' from city limit 1`)
  await client.query(`insert into project (city_id, name, time_zone) select city_id, 'q', 'UTC' from city limit 1`)
  await client.end()
})
afterAll(() => db?.drop())

test('quiet hours are read after a restart as they were saved, each with the version that the next editor must have seen', async () => {
  const [first, second] = [
    { days: 127, fromMinute: 60, toMinute: 120 },
    { days: 1, fromMinute: 0, toMinute: 0 },
  ]
  const audit = {
    at: 0,
    actor: 'a',
    address: '',
    action: 'quietHours.set',
    subject: aboutNothing,
    target: 'p',
    outcome: 'done',
  } as const
  const save = (windows: readonly (typeof first)[], version: number) =>
    saveQuietHours(db.database, 1, { windows, version }, audit)
  expect(await save([first, second], 1)).toEqual({ windows: [first, second], version: 2 })
  expect(await save([], 1)).toBeNull()
  expect(await save([second, first], 2)).toEqual({ windows: [second, first], version: 3 })
  expect(await quietHoursOfAll(db.database)).toEqual(
    new Map([
      [1, { windows: [second, first], version: 3 }],
      [2, { windows: [], version: 1 }],
    ]),
  )
  // Who was too late has changed nothing, and nothing of it stands in the log.
  const entries = await db.database.general.selectFrom('audit').select('action').where('action', '=', 'quietHours.set').execute()
  expect(entries).toHaveLength(2)
})

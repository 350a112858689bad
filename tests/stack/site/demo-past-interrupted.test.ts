import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { demoPlan } from '@linewarden/simulator'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDemoFleet } from '../../../scripts/demo/demo-fleet.ts'
import type { Stack } from '../../kit/stack.ts'
import { startStack } from '../../kit/stack.ts'

// The first start of the demo is ended while its past is written: when hours, and some of what happened, are there already.
const plan = demoPlan()
  .slice(0, 1)
  .map((project) => ({ ...project, gateways: project.gateways.slice(0, 1) }))

let stack: Stack
let client: pg.Client
let running: Awaited<ReturnType<typeof startDemoFleet>> | null = null

const start = async () => {
  running = await startDemoFleet(stack.server, () => {}, { quiet: true, plan })
}
const stop = async () => {
  await running?.quiesce()
  await running?.close()
  running = null
}
const countOf = async (what: string): Promise<number> =>
  Number((await client.query(`select count(*) from ${what}`)).rows[0]?.count ?? 0)

beforeAll(async () => {
  stack = await startStack({ plan: [] })
  client = await stack.server.database.connect()
})
afterAll(async () => {
  await stop()
  await client?.end()
  await stack?.close()
})

test('a past whose writing was interrupted is begun again at the next start, whole, and nothing is there twice', {
  timeout: 180_000,
}, async () => {
  await client.query(`
    create function ended() returns trigger language plpgsql as $$
      begin if (select count(*) from self_test) >= 3 then raise exception 'ended here'; end if; return new; end $$;
    create trigger ended before insert on self_test for each row execute function ended()`)
  await expect(start()).rejects.toThrow('ended here')
  const partial = [await countOf('reading_hour'), await countOf('event'), await countOf('self_test')]
  expect(partial.every((count) => count > 0)).toBe(true)
  expect(await countOf('project where simulated_since is not null')).toBe(0)
  await client.query('drop trigger ended on self_test; drop function ended')

  await start()
  expect(await countOf('project where simulated_since is not null')).toBe(1)
  expect(await countOf('self_test')).toBeGreaterThan(3)
  const twice = async (columns: string, table: string) =>
    countOf(`(select from ${table} group by ${columns} having count(*) > 1) as twice`)
  expect(await twice('line_id, key, raised_at', "event where kind <> 'journal'")).toBe(0)
  // What happened at one moment of the first writing is some seconds off in the second: none of it is left.
  expect(await twice("line_id, action, date_trunc('minute', issued_at)", "command where action = 'selfTest'")).toBe(0)
  expect(await countOf('(select from reading_hour group by line_id, hour having count(*) > 1) as twice')).toBe(0)
  const days = await countOf('(select distinct day from line_day_due union select distinct day from line_day) as days')
  expect(days).toBeGreaterThan(35)
  await stop()

  // It is whole: a later start writes nothing.
  const whole = [await countOf('self_test'), await countOf('command'), await countOf('reading_hour')]
  await start()
  expect([await countOf('self_test'), await countOf('command'), await countOf('reading_hour')]).toEqual(whole)
  await stop()

  // A mark that stayed behind, or came with a data folder, takes nothing from gateways that have reported since.
  writeFileSync(join(stack.server.dataDir, 'demo-past-unfinished'), '')
  await start()
  expect([await countOf('self_test'), await countOf('command'), await countOf('reading_hour')]).toEqual(whole)
})

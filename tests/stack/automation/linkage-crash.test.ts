import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { LinkageHouse } from '../../kit/linkage-house.ts'
import { above, does, startLinkageHouse } from '../../kit/linkage-house.ts'
import { linkageServers } from '../../kit/linkage-servers.ts'

// A server that evaluates a linkage ends without a last word, at a moment at which something has risen. Another one goes on from what is stored.
let house: LinkageHouse
let servers: ReturnType<typeof linkageServers>
let own = 0
beforeAll(async () => {
  house = await startLinkageHouse()
  // Only the servers of these tests evaluate linkages.
  await house.engine().close()
  servers = linkageServers(house)
})
afterAll(() => house?.stack.close())
beforeEach(async () => {
  await house.currentOf(3, 1)
  own = (await house.made('崩溃', { Conditions: [above(3)], Actions: [does('trip', 1)] })).LinkageID
})
afterEach(async () => {
  await servers.close()
  await house.gone(own)
})

const current = ['A-T1', 3] as const
async function started() {
  const server = servers.serve()
  await server.engine.changed(own)
  return server
}
const runs = async () => (await house.logOf(own)).length
async function query(statement: string): Promise<void> {
  const client = await house.stack.server.database.connect()
  await client.query(statement).finally(() => client.end())
}

test('what a server has come to know is stored at the next look: what rises after a crash is known to have risen', async () => {
  const first = await started()
  await first.reads(...current)
  await first.engine.tick()
  await servers.crash(first)
  await house.currentOf(3, 60)
  const second = await started()
  await second.reads(...current)
  expect(second.carried).toEqual(['trip'])
})

test('a rise whose run could not be stored has not risen for the next server, whatever was stored meanwhile', async () => {
  const first = await started()
  await first.reads(...current)
  await first.engine.tick()
  await query(`
    create or replace function refused() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
    create trigger refused before insert on automation_run execute function refused()`)
  await house.currentOf(3, 60)
  const reads = first.reads(...current)
  await first.engine.write()
  await first.engine.close()
  await reads
  await query('drop trigger refused on automation_run')
  expect(await runs()).toBe(0)
  const second = await started()
  await second.reads(...current)
  expect([first.carried, second.carried]).toEqual([[], ['trip']])
})

test('a rise whose run is stored has risen for the next server, also after a crash', async () => {
  const first = await started()
  await first.reads(...current)
  await house.currentOf(3, 60)
  await first.reads(...current)
  await servers.crash(first)
  const second = await started()
  await second.reads(...current)
  expect([first.carried, second.carried, await runs()]).toEqual([['trip'], [], 1])
})

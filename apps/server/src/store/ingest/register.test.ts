import { familyOf } from '@linewarden/equipment'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testLines } from '../../areas/control/test-lines.ts'
import type { DeviceBirth } from './device-birth.ts'
import { registerDevices } from './register.ts'

let house: Awaited<ReturnType<typeof testLines>>
beforeAll(async () => {
  house = await testLines()
})
afterAll(() => house?.drop())

const birth = (wireId: string) =>
  ({
    wireId,
    name: wireId,
    family: familyOf('breaker3p'),
    model: '3P',
    firmware: null,
    reportingPeriodMs: null,
    lines: [1, 2].map((lineNo) => ({ lineNo, name: null, ratedCurrentA: 63 })),
  }) as unknown as DeviceBirth
const devices = async () =>
  (await house.database.general.selectFrom('device').select('controller_id').where('controller_id', 'like', 'W-%').execute()).map(
    ({ controller_id }) => controller_id,
  )

test('a device is registered with all of its lines or not at all, and one of a gateway that is gone is not', async () => {
  const { gateway } = house.line(1).device
  const [client, looker] = [await house.database.connect(), await house.database.connect()]
  await looker.query(
    `create function refuse() returns trigger language plpgsql as $$ begin if new.line_no = 2 then raise 'no'; end if; return new; end $$;
     create trigger refuse before insert on line for each row execute function refuse()`,
  )
  await expect(registerDevices(client, [{ gateway, birth: birth('W-1') }])).rejects.toThrow('no')
  expect(await devices()).toEqual([])
  await looker.query('drop trigger refuse on line')
  const [made] = await registerDevices(client, [{ gateway, birth: birth('W-1') }])
  expect(made?.lines.map(({ lineNo }) => lineNo)).toEqual([1, 2])
  expect(await devices()).toEqual(['W-1'])
  await looker.query('update gateway set removed_at = now() where gateway_id = $1', [gateway.id])
  expect(await registerDevices(client, [{ gateway, birth: birth('W-2') }])).toEqual([null])
  // Nothing is left open: what the connection does next is its own.
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const seen = await looker.query('select state from pg_stat_activity where pid = $1', [rows[0]?.pid])
  expect(seen.rows).toEqual([{ state: 'idle' }])
  expect(await devices()).toEqual(['W-1'])
  for (const each of [client, looker]) await each.end()
})

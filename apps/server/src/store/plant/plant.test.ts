import { aboutNothing } from '@linewarden/contract'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '../core/test-database.ts'
import { enrolGateway, findOrCreateGroup, findOrCreateProject } from '../site/site.ts'
import { loadPlant } from './plant.ts'

test('everything stands in the order in which it was made, whatever was written to it since', async () => {
  const { database, drop } = await testDatabase()
  try {
    const cityId = await findOrCreateGroup(database, 'Group')
    for (const name of ['A', 'B', 'C']) {
      const projectId = await findOrCreateProject(database, { cityId, name, timeZone: 'UTC', standard: 'GB' })
      const audit = {
        at: 0,
        actor: 'system',
        address: '',
        action: 'gateway.enrol',
        subject: aboutNothing,
        target: name,
        outcome: 'done',
      } as const
      await enrolGateway(database, { projectId, number: name, name, reportingPeriodMs: 10_000 }, 'x', audit)
    }
    const made = sql`insert into device (gateway_id, controller_id, name, family, model)
      select gateway_id, number || no, number || no, 'breaker3p', '' from gateway, generate_series(1, 3) no order by 1, 2`
    await made.execute(database.general)
    await sql`insert into line (device_id, line_no, name) select device_id, no, '' from device, generate_series(1, 3) no order by 1, 2`.execute(
      database.general,
    )
    const order = async () => {
      const { projects, gateways, devices, lines } = await loadPlant(database)
      return [projects, gateways, devices, lines].map((each) => [...each.keys()])
    }
    const before = await order()
    for (const table of ['project', 'gateway', 'device', 'line'])
      await sql`update ${sql.table(table)} set name = name || '' where ${sql.ref(`${table}_id`)} in (1, 2, 4)`.execute(
        database.general,
      )
    expect(await order()).toEqual(before)
    expect(before.map((ids) => ids.length)).toEqual([3, 3, 9, 27])
  } finally {
    await drop()
  }
})

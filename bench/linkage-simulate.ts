import type { Request } from '@linewarden/contract'
import { simulateLinkage } from '@linewarden/contract'
import { dayOf, makePartition } from '../apps/server/src/store/ingest/partitions.ts'
import { signedIn } from '../tests/kit/stack.ts'
import { rawCopyRate } from './calibrate.ts'
import { field } from './field.ts'
import { ownerName, password, seedOrganisation } from './lists-seed.ts'

const [days, points, times] = [30, 5, 5]
/** Of one project, whose linkage it is. */
const ownLines = `select line_id, project_id, controller_id, line_no from line join device using (device_id) join gateway using (gateway_id)
  where project_id = (select min(project_id) from gateway) order by line_id limit ${points}`

/** What it takes to replay 30 days of a linkage with five conditions, each a point of another line. `--period`: seconds between samples. */
export async function simulated({ period = 10 }: Record<string, number>) {
  const target = await field([], 18_260, {
    seed: async (server) => {
      await seedOrganisation(server, { owners: 1, projects: 10, gateways: 10, lines: 100, users: 2 })
      const client = await server.database.connect()
      for (let day = dayOf(Date.now()) - days - 1; day <= dayOf(Date.now()); day++) await makePartition(client, day)
      // A load that moves through the day and passes its limit a few times a day.
      await client.query(
        `insert into reading (line_id, at, received_at, quality, v0, v9)
         select line_id, at, at, 0, 30, 20 + 15 * sin(extract(epoch from at) / 3600 + line_id) + 3 * random()
         from (${ownLines}) as own,
           generate_series(date_trunc('second', now()) - interval '${days} days', now(), interval '${period} seconds') as at`,
      )
      await client.query('update gateway set reporting_period_ms = $1', [period * 1_000])
      await client.query('vacuum analyze')
      await client.end()
    },
  })
  const database = await target.database()
  try {
    const rawCopyRowsPerSecond = await rawCopyRate(database, 3)
    const client = await signedIn(target.url, { userName: ownerName(0), password })
    const { rows } = await database.query<{ project_id: number; controller_id: string; line_no: number }>(ownLines)
    const place = (row: (typeof rows)[number] | undefined) => ({
      ...{ ControllerID: row?.controller_id ?? '', LineNo: row?.line_no ?? 0 },
    })
    const body: Request<typeof simulateLinkage>['body'] = {
      ...{ HouseID: rows[0]?.project_id ?? 0, Name: 'bench', Enabled: true, Mode: 'shadow', Match: 'any', ActiveHours: [] },
      ...{ CooldownS: 60, MaxPerHour: 20, MaxPerDay: 100, MayClose: false },
      Conditions: rows.map((row) => ({
        ...{ Kind: 'point', ...place(row), Key: 'power.total', Op: '>', Value: 34, Release: 2, ForS: 60 },
      })),
      Actions: [{ Kind: 'trip', ...place(rows[0]), DelayS: 0 }],
    }
    const simulateS: number[] = []
    let simulatedFirings = 0
    for (let nth = 0; nth < times; nth++) {
      const began = performance.now()
      const { Counts } = await client.call(simulateLinkage, { body })
      simulateS.push(Math.round(performance.now() - began) / 1_000)
      simulatedFirings = Counts.reduce((sum, { Count }) => sum + Count, 0)
    }
    return {
      simulateMaxS: simulatedFirings > 0 ? Math.max(...simulateS) : Number.NaN,
      ...{ simulateS, simulatedFirings, samples: Math.round((days * 86_400 * points) / period) },
      simulateRawCopyRowsPerSecond: rawCopyRowsPerSecond,
    }
  } finally {
    await database.end()
    await target.close()
  }
}

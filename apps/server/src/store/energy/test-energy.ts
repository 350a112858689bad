import { dayMs, hourMs, MEASURE_SLOTS, minuteMs } from '@linewarden/equipment'
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { TestDatabase } from '../core/test-database.ts'
import { testDatabase } from '../core/test-database.ts'
import { bringInHours } from '../history/bring-in.ts'
import { rollUpDue } from '../history/rollup.ts'
import { makeDueQuarters, makeNewQuarters } from './due.ts'
import { makeDueProfiles } from './make-profiles.ts'
import { readProfile, readQuarters } from './read.ts'

/** Midnight in Shanghai, of 15 January 2026. */
export const midnight = Date.UTC(2026, 0, 14, 16)
export const day = Date.UTC(2026, 0, 15) / dayMs
export const project = { kind: 'p', id: 1 } as const
/** Two lines of the first gateway and one of the second. */
export const [main, sub, other] = [1, 2, 3]

export type Sample = readonly [atMs: number, kwh: number]

/** A register that rises by 0.6 kWh an hour, read each minute of `[from, to]`. */
export const steady = (from: number, to: number, start = 100): Sample[] =>
  Array.from({ length: (to - from) / minuteMs + 1 }, (_, index) => [from + index * minuteMs, start + index / 100])

/** A project in Shanghai with two gateways and three lines, without a past before each test of the file that asks for it. */
export function energyHouse() {
  let db: TestDatabase
  let client: pg.Client

  beforeAll(async () => {
    db = await testDatabase()
    client = await db.database.connect()
    await client.query(`
      insert into city (name) values ('c');
      insert into project (city_id, name, time_zone) values (1, 'p', 'Asia/Shanghai');
      insert into gateway (project_id, number, name, secret_hash, reporting_period_ms) values (1, 'G', 'G', '', 60000), (1, 'H', 'H', '', 60000);
      insert into device (gateway_id, controller_id, name, family, model) values (1, 'C', 'C', 'breaker3p', '3P'), (2, 'D', 'D', 'breaker3p', '3P');
      insert into line (device_id, line_no, name) values (1, 1, 'main'), (1, 2, 'sub'), (2, 1, 'other')`)
  })
  afterAll(async () => {
    await client.end()
    await db.drop()
  })
  beforeEach(() =>
    client.query(`truncate reading, reading_hour, rollup_due, energy_quarter, energy_line, energy_due, energy_profile, energy_profile_due, energy_month, energy_month_due, feed_span, line_day_due, rollup_day_due;
      update line set fed_by = null; update gateway set removed_at = null, project_id = 1;
      truncate energy_profile_due, energy_month_due`),
  )

  return {
    get database() {
      return db.database
    },
    get client() {
      return client
    },

    async report(lineId: number, samples: readonly Sample[]): Promise<void> {
      await client.query(
        `insert into reading (line_id, at, received_at, quality, v0, counter) select $1, at, at, 0, 1, counter
         from unnest($2::timestamptz[], $3::float8[]) as own (at, counter) on conflict do nothing`,
        [lineId, samples.map(([at]) => new Date(at)), samples.map(([, kwh]) => kwh)],
      )
      await client.query(
        'insert into rollup_due (hour) select distinct date_trunc($1, at) from unnest($2::timestamptz[]) as own (at)',
        ['hour', samples.map(([at]) => new Date(at))],
      )
    },

    /** Hours of a line that were counted elsewhere, kWh; NaN: without a counter. */
    async bring(lineId: number, firstHour: number, used: readonly number[]) {
      const floats = (size: number) => new Float32Array(used.length * size).fill(Number.NaN)
      const [min, mean, max, square] = [floats(MEASURE_SLOTS), floats(MEASURE_SLOTS), floats(MEASURE_SLOTS), floats(3)]
      await bringInHours(client, [
        {
          ...{ lineId, timeZone: 'Asia/Shanghai', firstHour: firstHour / hourMs, reports: new Int32Array(used.length).fill(60) },
          ...{ min, mean, max, square, used: Float64Array.from(used) },
        },
      ])
      await this.dueAgain(lineId, firstHour, firstHour + used.length * hourMs)
    },

    dueAgain: (lineId: number, from: number, to: number) =>
      client.query('insert into energy_due values ($1, $2, $3)', [lineId, new Date(from), new Date(to)]),

    /** What the server does by itself every five minutes. */
    async work(now: number): Promise<void> {
      await rollUpDue(client, new Date(now))
      await makeNewQuarters(client, now)
      await makeDueQuarters(client, now)
      await makeDueProfiles(client, now)
    },

    whOf: async (lineId: number, from: number, to: number) => (await readQuarters(db.database, lineId, from, to)).wh,
    howOf: async (lineId: number, from: number, to: number) => [...(await readQuarters(db.database, lineId, from, to)).how],

    /** The days of a project or a gateway from `first` days after {@link day} on, without their quarters. */
    daysOf: (scope: Parameters<typeof readProfile>[1], first: number, end: number) =>
      readProfile(db.database, scope, { first: day + first, end: day + end }, []),
  }
}

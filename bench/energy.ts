import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dayMs, minuteMs } from '@linewarden/equipment'
import { dateText } from '@linewarden/rules/automation'
import { quarterMs, quarterOf } from '@linewarden/rules/energy'
import { compose } from '@linewarden/server/compose'
import { readConfig } from '@linewarden/server/config'
import { loadPlant } from '@linewarden/server/plant'
import type pg from 'pg'
import { pino } from 'pino'
import type { Actor } from '../apps/server/src/access/actor.ts'
import type { Loads } from '../apps/server/src/areas/energy/load.ts'
import { createLoads } from '../apps/server/src/areas/energy/load.ts'
import { supplyDays } from '../apps/server/src/areas/energy/make-supply-days.ts'
import type { AskedScope } from '../apps/server/src/areas/energy/scope.ts'
import { createEnergy } from '../apps/server/src/areas/energy/service.ts'
import { makeNewQuarters } from '../apps/server/src/store/energy/due.ts'
import { makeDueMonths } from '../apps/server/src/store/energy/make-months.ts'
import { makeDueProfiles } from '../apps/server/src/store/energy/make-profiles.ts'
import { percentile, thousandQuestions } from './calibrate.ts'
import { fedProjectOf, flowsAsked, seedFed } from './energy-flow.ts'
import { statementCosts } from './energy-statements.ts'
import { seedSupplies, yearCosts } from './energy-supply.ts'
import { report } from './report.ts'

const targets = {
  quarterSeconds: 10,
  askedP95Ms: 50,
  flowP95Ms: 50,
  supplyYearP95Ms: 50,
  loadP95Ms: 60,
  draftMs: 1_000,
  verifyMs: 200,
}
const linesOfGateway = 20
const linesOfProject = 2_000
const years = 5

type LoadAsked = Parameters<Loads['list']>[1]

/** Who runs the installation. */
const everybody = {
  sees: () => true,
  seesGateway: () => true,
  scope: { all: true, projectIds: [], gatewayIds: [], tenant: null, administrator: true, accountId: null },
} as unknown as Actor

/**
 * How long it takes to make a quarter of so many lines that report each minute, with the day of every project and gateway, and to answer what
 * the page asks of a project, a gateway and a line of five years. The calibrator is a thousand empty questions.
 */
export async function energy({ lines = 20_000, rounds = 20 }: Record<string, number>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'lw-bench-'))
  const config = readConfig({ LINEWARDEN_PORT: '0', LINEWARDEN_MQTT_PORT: '0', LINEWARDEN_DATA: dataDir, LINEWARDEN_LOG: 'warn' })
  const server = await compose(config, { log: pino({ level: 'warn' }), clock: Date.now, env: {} })
  const { database } = server
  const client = await database.connect()
  try {
    await plantOf(client, lines)
    const fedProject = await fedProjectOf(client)
    const now = quarterOf(Date.now()) + 3 * minuteMs
    await seedMinutes(client, now)
    await seedYears(client, now)
    await seedFed(client, fedProject, now)
    await makeDueMonths(client, now)
    await client.query('vacuum analyze')
    const plant = await loadPlant(database)
    const thousandQuestionsMs = await thousandQuestions(client)
    const began = performance.now()
    await makeNewQuarters(client, now)
    const quartersAt = performance.now()
    const made = await madeTo(client, quarterOf(now))
    const days = await makeDueProfiles(client, now)
    const seconds = (performance.now() - began) / 1_000
    const service = createEnergy({ database, plant, clock: () => now })
    const asked: number[] = []
    const slowest = new Map<string, number>()
    const line = [...plant.lines.values()][0]
    if (!line) throw new Error('the bench has a line')
    const { gateway } = line.device
    const scopes = [{ HouseID: gateway.project.id }, { DeviceID: gateway.id }, { LineID: line.id }]
    for (let round = 0; round < rounds; round++)
      for (const scope of scopes)
        for (const question of questionsOf(now, round)) {
          const from = performance.now()
          await service.read(everybody, { ...scope, ...question })
          asked.push(performance.now() - from)
          const name = `${Object.keys(scope)[0]} ${question.Unit}`
          slowest.set(name, Math.max(slowest.get(name) ?? 0, Math.round(asked.at(-1) ?? 0)))
        }
    const askedP95Ms = Math.round(percentile(asked, 0.95))
    const lineIds = [...gateway.devices.values()].flatMap(({ lines: own }) => [...own.values()].map(({ id }) => id))
    const supplies = await seedSupplies(client, gateway.project.id, lineIds, now)
    await client.query('vacuum analyze energy_quarter')
    const flows = await flowsAsked({ database, plant, clock: () => now }, everybody, fedProject, rounds)
    const costOf = (SupplyID: number) => service.read(everybody, { SupplyID, ...yearByBand(now) })
    const supplyYearUnmadeMs = await yearCosts(costOf, supplies)
    const makesFrom = performance.now()
    const { look, make } = supplyDays(database)
    await look(client, now)
    const supplyDaysMade = await make(client, now)
    const supplyDaysSeconds = Number(((performance.now() - makesFrom) / 1_000).toFixed(2))
    await client.query('vacuum analyze energy_supply')
    const supplyYearMs = await yearCosts(costOf, supplies)
    const statements = await statementCosts({ database, plant, clock: () => now }, everybody, gateway.project, supplies)
    const load = await askLoads(createLoads({ database, plant, clock: () => now }), scopes, now, rounds)
    report('energy', {
      ...{ lines: plant.lines.size, made, days, seconds: Number(seconds.toFixed(2)) },
      quarterSeconds: Number(((quartersAt - began) / 1_000).toFixed(2)),
      ...{
        asked: asked.length,
        askedP50Ms: Math.round(percentile(asked, 0.5)),
        askedP95Ms,
        ...{ supplyYearMs, supplyYearUnmadeMs, supplyDaysMade, supplyDaysSeconds, statements },
        ...flows,
        slowest: Object.fromEntries(slowest),
        ...load,
        thousandQuestionsMs,
        targets,
      },
      verdict:
        made >= lines &&
        seconds <= targets.quarterSeconds &&
        askedP95Ms <= targets.askedP95Ms &&
        flows.flowP95Ms <= targets.flowP95Ms &&
        Object.values(supplyYearMs).every(({ p95 }) => p95 <= targets.supplyYearP95Ms) &&
        Object.values(statements).every((each) => each.draftP95Ms <= targets.draftMs && each.verifyP95Ms <= targets.verifyMs) &&
        load.loadP95Ms <= targets.loadP95Ms,
    })
  } finally {
    await client.end()
    await server.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** The last 365 days by the month: with parts of two months. */
function yearByBand(now: number) {
  const day = Math.floor(now / dayMs)
  return { Unit: 'month', From: dateText(day - 365), To: dateText(day), By: 'band' } as const
}

/** The load of a year by each of its views, another year each time. */
async function askLoads(loads: Loads, scopes: readonly AskedScope[], now: number, rounds: number) {
  const asked: number[] = []
  const slowest = new Map<string, number>()
  for (let round = 0; round < rounds; round++)
    for (const scope of scopes)
      for (const Kind of ['profile', 'max', 'duration', 'heat'] as const) {
        const year = new Date(now).getUTCFullYear() - 1 - (round % (years - 1))
        const from = performance.now()
        await loads.list(everybody, { ...scope, Kind, From: `${year}-01-01`, To: `${year + 1}-01-01` } as LoadAsked)
        asked.push(performance.now() - from)
        const name = `${Object.keys(scope)[0]} ${Kind}`
        slowest.set(name, Math.max(slowest.get(name) ?? 0, Math.round(asked.at(-1) ?? 0)))
      }
  return {
    loadP50Ms: Math.round(percentile(asked, 0.5)),
    loadP95Ms: Math.round(percentile(asked, 0.95)),
    loadSlowest: Object.fromEntries(slowest),
  }
}

/** Lines whose quarters are made up to then: some of them by the server's own job, whose turn may come meanwhile. */
async function madeTo(client: pg.Client, boundary: number): Promise<number> {
  const { rows } = await client.query<{ made: number }>('select count(*)::int as made from energy_line where made_to >= $1', [
    new Date(boundary),
  ])
  return rows[0]?.made ?? 0
}

/** Each unit with what it is compared with, another period each time. */
function questionsOf(now: number, round: number) {
  const day = Math.floor(now / dayMs) - round
  const year = new Date(now).getUTCFullYear()
  return [
    { Unit: 'hour', From: dateText(day), To: dateText(day + 1), Compare: 'previous' },
    { Unit: 'day', From: dateText(day - 30), To: dateText(day + 1), Compare: 'yearAgo' },
    {
      Unit: 'month',
      From: `${year - (round % (years - 1))}-01-01`,
      To: `${year - (round % (years - 1)) + 1}-01-01`,
      Compare: 'yearAgo',
    },
    { Unit: 'year', From: `${year - years}-01-01`, To: `${year + 1}-01-01` },
  ] as const
}

async function plantOf(client: pg.Client, lines: number): Promise<void> {
  await client.query(
    `with p as (insert into project (city_id, name, time_zone, standard)
         select city_id, 'bench ' || n, 'Asia/Shanghai', 'GB' from (select min(city_id) as city_id from city) c, generate_series(1, $1::int) n
         returning project_id),
       g as (insert into gateway (project_id, number, name, secret_hash, reporting_period_ms)
         select project_id, 'B' || project_id || '-' || n, 'B' || n, 'x', 60000 from p, generate_series(1, $2::int) n returning gateway_id, number),
       d as (insert into device (gateway_id, controller_id, name, family, model)
         select gateway_id, 'D' || number, '', 'breaker3p', '3PN' from g returning device_id)
     insert into line (device_id, line_no, name, rated_current_a) select device_id, n, 'line ' || n, 63 from d, generate_series(1, $3::int) n`,
    [Math.ceil(lines / linesOfProject), Math.min(linesOfProject, lines) / linesOfGateway, linesOfGateway],
  )
}

/** A reading a minute of the last 40 minutes, of which all but the last quarter is made. */
async function seedMinutes(client: pg.Client, now: number): Promise<void> {
  await client.query(
    `insert into reading (line_id, at, received_at, quality, v0, counter)
     select line_id, at, at, 0, 10, 1000 + extract(epoch from at - $1::timestamptz) / 1200
     from line, generate_series($1::timestamptz - interval '40 minutes', $1::timestamptz, interval '1 minute') as at`,
    [new Date(now)],
  )
  await client.query(
    "insert into energy_line (line_id, since, made_to) select line_id, $1::timestamptz - interval '5 years', $2 from line",
    [new Date(now), new Date(quarterOf(now) - quarterMs)],
  )
}

/** Five years of one line, and of every project and gateway. */
async function seedYears(client: pg.Client, now: number): Promise<void> {
  const first = dateText(Math.floor(now / dayMs) - years * 366)
  const last = dateText(Math.floor(now / dayMs) - 1)
  await client.query(
    `insert into energy_quarter (line_id, day, wh, how)
     select (select min(line_id) from line), day::date, array_fill(750, array[96]), decode(repeat('00', 96), 'hex')
     from generate_series($1::date, $2::date, interval '1 day') as day`,
    [first, last],
  )
  for (const [kind, table, id] of [
    ['p', 'project', 'project_id'],
    ['g', 'gateway', 'gateway_id'],
  ] as const)
    await client.query(
      `insert into energy_profile (kind, id, day, project_id, gateway_id, wh, lines, fed, used, spread_used, estimated_used, entered_used, lacking, unknown)
       select $1::"char", ${id}, day::date, project_id, ${kind === 'g' ? id : 'null'}, array_fill(15000::float8, array[96]), 20, false, 1440000, 0, 0, 0, 0, 0
       from (select * from ${table} order by ${id} limit 200) as own, generate_series($2::date, $3::date, interval '1 day') as day on conflict do nothing`,
      [kind, first, last],
    )
  await client.query(
    "insert into energy_month_due select distinct project_id, date_trunc('month', day)::date from energy_profile where kind = 'p'",
  )
}

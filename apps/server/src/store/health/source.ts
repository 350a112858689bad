import type { WarningLevel } from '@linewarden/rules/warning'
import { isTripKey } from '@linewarden/rules/workorder'
import type pg from 'pg'
import { bytesToFloats } from '../warning/floats.ts'

/** The local days of a project that a check looks at, both ends included, and when they begin and end, Unix ms. */
export interface HealthDays {
  readonly fromDay: number
  readonly toDay: number
  readonly begins: number
  readonly ends: number
}

/** What the database has of a line in these days; null is not known. */
export interface LineSource {
  readonly days: LineDays | null
  /** Hourly means of the residual current; NaN is not known. */
  readonly residualMa: Float32Array
  readonly hottestC: number | null
  readonly look: { readonly isEvaluated: boolean; readonly wear: number; readonly openings: number } | null
  readonly findings: readonly { readonly key: string; readonly level: WarningLevel }[]
  readonly trips: number
  readonly supplyFaults: number
  readonly arcAlarms: number
  readonly overdueOrders: number
  readonly ordered: ReadonlyMap<string, number>
  readonly plan: { readonly enabled: boolean; readonly everyDays: number } | null
}

interface LineDays {
  readonly days: number
  readonly onlineS: number
  readonly knownMin: number
  readonly outsideMin: number
  readonly unbalance2Min: number
  readonly unbalance4Min: number
  /** Of each day that has one: what the line carried but for its highest hours. */
  readonly i95A: readonly number[]
}

const nothing: LineSource = {
  ...{
    days: null,
    residualMa: new Float32Array(),
    hottestC: null,
    look: null,
    findings: [],
    trips: 0,
    supplyFaults: 0,
    arcAlarms: 0,
  },
  ...{ overdueOrders: 0, ordered: new Map(), plan: null },
}
type Made = { -readonly [K in keyof LineSource]: LineSource[K] }

/** A line, and in which slots the temperatures of its terminals are. */
export interface AskedLine {
  readonly id: number
  readonly terminalSlots: readonly number[]
}

/** Everything of these lines, question by question. */
export async function lineSources(
  client: pg.ClientBase,
  lines: readonly AskedLine[],
  days: HealthDays,
  now: number,
): Promise<ReadonlyMap<number, LineSource>> {
  const lineIds = lines.map(({ id }) => id)
  const made = new Map(lineIds.map((id): [number, Made] => [id, { ...nothing }]))
  const of = (id: number) => made.get(id) ?? { ...nothing }
  for (const { line_id, ...row } of await daysOf(client, lineIds, days)) of(line_id).days = row
  for (const { line_id, residual_ma } of await residualsOf(client, lineIds, days))
    of(line_id).residualMa = bytesToFloats(residual_ma)
  for (const { line_id, hottest } of await hottestOf(client, lines, days)) of(line_id).hottestC = hottest
  for (const { line_id, evaluated, wear, openings } of await looksOf(client, lineIds))
    of(line_id).look = { isEvaluated: evaluated, wear, openings }
  for (const { line_id, key, level } of await findingsOf(client, lineIds)) {
    const own = of(line_id)
    own.findings = [...own.findings, { key, level }]
  }
  for (const { line_id, key, times } of await eventsOf(client, lineIds, days.begins)) {
    const own = of(line_id)
    if (isTripKey(key)) own.trips += times
    if (key === 'trip.arc' || key === 'arc') own.arcAlarms += times
    if (key === 'phaseLoss' || key === 'neutral') own.supplyFaults += times
  }
  for (const { line_id, orders } of await overdueOrdersOf(client, lineIds, now)) of(line_id).overdueOrders = orders
  for (const { line_id, keys, wanted } of await orderedOf(client, lineIds))
    of(line_id).ordered = new Map(keys.map((key, nth) => [key, wanted[nth] ?? Number.NaN]))
  for (const { line_id, enabled, every_days } of await plansOf(client, lineIds))
    of(line_id).plan = { enabled, everyDays: every_days }
  return made
}

async function daysOf(client: pg.ClientBase, lineIds: readonly number[], { fromDay, toDay }: HealthDays) {
  const { rows } = await client.query<LineDays & { line_id: number }>(
    `select line_id, count(*)::int as days, sum(online_s)::float8 as "onlineS", sum(voltage_known_min)::int as "knownMin",
       sum(voltage_outside_min)::int as "outsideMin", sum(unbalance_2_min)::int as "unbalance2Min",
       sum(unbalance_4_min)::int as "unbalance4Min",
       coalesce(array_agg(greatest(i95_a[1], i95_a[2], i95_a[3]))
         filter (where greatest(i95_a[1], i95_a[2], i95_a[3]) is not null), '{}') as "i95A"
     from line_day where line_id = any($1) and day between $2 and $3 group by line_id`,
    [lineIds, fromDay, toDay],
  )
  return rows
}

/** Of each line its days one after the other: a row for each of 600,000 days takes longer than all the rest. */
async function residualsOf(client: pg.ClientBase, lineIds: readonly number[], { fromDay, toDay }: HealthDays) {
  const { rows } = await client.query<{ line_id: number; residual_ma: Buffer }>(
    `select line_id, string_agg(residual_ma, ''::bytea) as residual_ma from line_hours
     where line_id = any($1) and day between $2 and $3 and residual_ma is not null group by line_id`,
    [lineIds, fromDay, toDay],
  )
  return rows
}

/** Families that have their terminals in the same slots are asked for together. */
async function hottestOf(client: pg.ClientBase, lines: readonly AskedLine[], { begins, ends }: HealthDays) {
  const found: { line_id: number; hottest: number | null }[] = []
  const bySlots = Map.groupBy(lines, ({ terminalSlots }) => terminalSlots.join())
  for (const [slots, own] of bySlots) {
    if (slots === '') continue
    const terminals = slots.split(',').map((slot) => `nullif(max[${Number(slot) + 1}], 'NaN')`)
    const { rows } = await client.query<{ line_id: number; hottest: number | null }>(
      `select line_id, max(greatest(${terminals}))::float8 as hottest
       from reading_day where line_id = any($1) and day >= $2 and day < $3 group by line_id`,
      [own.map(({ id }) => id), new Date(begins), new Date(ends)],
    )
    found.push(...rows)
  }
  return found
}

async function looksOf(client: pg.ClientBase, lineIds: readonly number[]) {
  const { rows } = await client.query<{ line_id: number; evaluated: boolean; wear: number; openings: number }>(
    'select line_id, reason is null as evaluated, wear, openings from line_look where line_id = any($1)',
    [lineIds],
  )
  return rows
}

async function findingsOf(client: pg.ClientBase, lineIds: readonly number[]) {
  const { rows } = await client.query<{ line_id: number; key: string; level: WarningLevel }>(
    `select line_id, key, level from event join warning_evidence using (event_id)
     where line_id = any($1) and state in ('active', 'acknowledged')`,
    [lineIds],
  )
  return rows
}

async function eventsOf(client: pg.ClientBase, lineIds: readonly number[], from: number) {
  const { rows } = await client.query<{ line_id: number; key: string; times: number }>(
    `select line_id, key, count(*)::int as times from event
     where line_id = any($1) and coalesce(raised_again_at, raised_at) >= $2
       and (key like 'trip.%' or key in ('arc', 'phaseLoss', 'neutral'))
     group by line_id, key`,
    [lineIds, new Date(from)],
  )
  return rows
}

async function overdueOrdersOf(client: pg.ClientBase, lineIds: readonly number[], now: number) {
  const { rows } = await client.query<{ line_id: number; orders: number }>(
    `select line_id, count(*)::int as orders from work_order
     where line_id = any($1) and status = 'dispatched' and overdue_at <= $2 group by line_id`,
    [lineIds, new Date(now)],
  )
  return rows
}

async function orderedOf(client: pg.ClientBase, lineIds: readonly number[]) {
  const { rows } = await client.query<{ line_id: number; keys: string[]; wanted: number[] }>(
    `select line_id, array_agg(key order by key) as keys, array_agg(value order by key) as wanted
     from setting_desired where line_id = any($1) group by line_id`,
    [lineIds],
  )
  return rows
}

async function plansOf(client: pg.ClientBase, lineIds: readonly number[]) {
  const { rows } = await client.query<{ line_id: number; enabled: boolean; every_days: number }>(
    'select line_id, enabled, every_days from detection_plan where line_id = any($1)',
    [lineIds],
  )
  return rows
}

/** What people wrote down of devices. */
export async function livesOf(client: pg.ClientBase, deviceIds: readonly number[]) {
  const { rows } = await client.query<{ device_id: number; installed_on: string | null; service_years: number | null }>(
    'select device_id, installed_on::text, service_years from device where device_id = any($1)',
    [deviceIds],
  )
  return new Map(rows.map((row) => [row.device_id, { installedOn: row.installed_on, serviceYears: row.service_years }]))
}

/** Firmware that was withdrawn, as `model version`. */
export async function withdrawnFirmware(client: pg.ClientBase): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string }>(
    `select model || ' ' || version as name from firmware_image where state = 'withdrawn'`,
  )
  return new Set(rows.map(({ name }) => name))
}

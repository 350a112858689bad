import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import type { Plant, PlantLine } from '../../plant/plant.ts'
import type { TestDatabase } from '../core/test-database.ts'
import { testDatabase } from '../core/test-database.ts'
import type { EventDraft } from '../ingest/batch.ts'
import { Batch } from '../ingest/batch.ts'
import { Committer } from '../ingest/commit.ts'
import { loadPlant } from '../plant/plant.ts'
import { announcedAfter } from './announcement.ts'
import type { EventRow } from './event.ts'
import { endIncidents, foldProject, projectsWithIncidents } from './incident-end.ts'

// Events stored by two servers, and what becomes of them in the same transaction. Ten gateways with two devices of three lines.
export const secondMs = 1_000
export const start = Date.UTC(2026, 0, 15, 8, 30)
export let made: TestDatabase
export let plant: Plant
export let servers: { readonly client: pg.Client; readonly committer: Committer }[]
export let now: number

/** Called once by a file of tests: the plant and two servers are made before them, and each begins without events. */
export function useFoldingPlant(): void {
  beforeAll(async () => {
    made = await testDatabase()
    const client = await made.database.connect()
    await client.query(`
      insert into project (city_id, name, time_zone) select min(city_id), 'P', 'UTC' from city;
      insert into gateway (project_id, number, name, secret_hash, reporting_period_ms)
        select project_id, 'G' || n, 'G' || n, '', 10000 from project, generate_series(1, 10) n;
      insert into device (gateway_id, controller_id, name, family, model)
        select gateway_id, number || '-' || n, '', 'breaker1p', '1P' from gateway, generate_series(1, 2) n order by gateway_id, n;
      insert into line (device_id, line_no, name) select device_id, n, '' from device, generate_series(1, 3) n order by device_id, n`)
    await client.end()
    plant = await loadPlant(made.database)
    servers = await Promise.all(
      [1, 2].map(async () => {
        const own = await made.database.connect()
        return { client: own, committer: new Committer(own, 90) }
      }),
    )
  })
  afterAll(async () => {
    for (const { client } of servers ?? []) await client.end()
    await made?.drop()
  })
  beforeEach(async () => {
    now = start
    await rows('delete from event; delete from incident; update line set fed_by = null')
  })
}

export async function rows<R extends pg.QueryResultRow>(text: string): Promise<R[]> {
  const answer: unknown = await servers[0]?.client.query(text)
  return Array.isArray(answer) ? [] : (answer as pg.QueryResult<R>).rows
}

export const gateway = (n: number) => plant.gatewayByNumber.get(`G${n}`) ?? fail()
export const device = (n: number, of = 1) => plant.deviceByControllerId.get(`G${n}-${of}`) ?? fail()
export const line = (n: number, no = 1, of = 1): PlantLine => device(n, of).lines.get(no) ?? fail()
function fail(): never {
  throw new Error('there is no such equipment')
}

/** Something of these happens, so many seconds after the start. */
type What = Pick<EventDraft, 'gateway' | 'line' | 'key'> & Partial<EventDraft>
export const draft = (of: What, act: EventDraft['act'] = 'raise', atS = (now - start) / secondMs): EventDraft => ({
  ...{ kind: 'fault', priority: 'medium', label: { zh: of.key, en: of.key }, point: null, value: null, limit: null, unit: '' },
  ...{ historical: false, at: start + atS * secondMs },
  ...of,
  act,
})
export const offline = (n: number): What => ({ gateway: gateway(n), line: null, key: 'gateway.offline', priority: 'high' })
export const stale = (n: number, of = 1): What => ({
  gateway: gateway(n),
  device: device(n, of),
  line: null,
  key: 'device.stale',
})
export const onLine = (of: PlantLine, key: string): What => ({ gateway: of.device.gateway, line: of, key })
export const note = (of: PlantLine, key: string): EventDraft => draft({ ...onLine(of, key), kind: 'journal' }, 'note')

/** They are stored in one transaction of a server. */
export async function store(drafts: readonly EventDraft[], server = 0) {
  const batch = new Batch(1)
  batch.events.push(...drafts)
  const stored = await servers[server]?.committer.commit(batch, now)
  expect(batch.folding.failed).toBeNull()
  for (const { row, draft } of stored ?? []) {
    const key = row.key
    if (draft.act === 'raise' && draft.line)
      draft.line.alarms.set(key, { eventId: row.event_id, key, kind: 'alarm', priority: row.priority, point: null })
    else draft.line?.alarms.delete(key)
  }
  return { stored: stored ?? [], moved: batch.folding.moved }
}
export const come = (...these: readonly What[]) => store(these.map((each) => draft(each)))
export const goes = (...these: readonly What[]) => store(these.map((each) => draft(each, 'return')))
export const after = (seconds: number) => {
  now = start + seconds * secondMs
}

export const placeOf = ({ gateway_id, device_id, line_id }: EventRow) => {
  const of = line_id === null ? undefined : plant.lines.get(line_id)
  const at = of?.device ?? (device_id === null ? undefined : plant.devices.get(device_id))
  const number = gateway_id === null ? 'project' : (plant.gateways.get(gateway_id)?.number ?? '')
  return `${at?.controllerId ?? number}${of ? `/${of.lineNo}` : ''}`
}

/** What a list of roots shows: each row with what it shows for. */
export async function shown(): Promise<Record<string, readonly string[]>> {
  const events = await rows<EventRow>(`select * from event where state is not null or root_of is not null order by event_id`)
  const name = (row: EventRow) => `${placeOf(row)} ${row.key}`
  const children = (root: EventRow) =>
    events.filter(({ folded, incident_id }) => folded && root.root_of !== null && incident_id === root.root_of).map(name)
  return Object.fromEntries(events.flatMap((row) => (row.folded ? [] : [[name(row), children(row)] as const])))
}
export const announced = async () => [
  ...new Set(
    (await announcedAfter(made.database, '0', { accountId: null, seen: null }, now, 500, 'oldest')).map(
      (row) => `${placeOf(row)} ${row.key}`,
    ),
  ),
]
export const stateOf = async (key: string) =>
  (await rows<EventRow>(`select * from event where key = '${key}' order by event_id`)).map(({ state }) => state)

/** The look that comes each second, on one server. */
export const lookAtAll = async () => {
  for (const project of await projectsWithIncidents(made.database, now, true)) await foldProject(made.database, project, now)
  return endIncidents(made.database, now, () => false)
}

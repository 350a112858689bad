import type { AlarmKind, Priority } from '@linewarden/equipment'
import { familyOf } from '@linewarden/equipment'
import type { Link } from '@linewarden/rules/alarm'
import { activeAlarmStates } from '@linewarden/rules/alarm'
import { openStates, operationGapMs } from '@linewarden/rules/control'
import type { Selectable } from 'kysely'
import { CompiledQuery } from 'kysely'
import { alarmKeyOf, newLine, Plant } from '../../plant/plant.ts'
import { tuningsInForce } from '../alarm/tuning.ts'
import { lastSelfTests } from '../control/self-test.ts'
import { hangingTags } from '../control/tag.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import { readLatest } from './latest.ts'

/** Reads the whole plant as last committed. Links are not known until the gateways speak again: online becomes stale. */
export const loadPlant = (database: Database): Promise<Plant> => readPlant(database, readLatest)

/** The same without what its lines measured last. */
export const loadPlantUnmeasured = (database: Database): Promise<Plant> => readPlant(database, async () => {})

async function readPlant(database: Database, readValues: typeof readLatest): Promise<Plant> {
  const plant = new Plant()
  const all: ReadAll = async <T>(text: string, values: unknown[] = []) =>
    (await database.general.executeQuery<T>(CompiledQuery.raw(text, values))).rows
  await loadSites(plant, all)
  await loadGateways(plant, all)
  await loadDevices(plant, all)
  plant.setTunings(await tuningsInForce(database))
  await loadLines(plant, all)
  await loadAlarms(plant, all)
  await loadRecords(plant, database)
  await loadOperations(plant, all)
  await database.borrow((client) => readValues(client, plant))
  return plant
}

/** All rows that a statement answers. */
type ReadAll = <T>(sql: string, values?: unknown[]) => Promise<T[]>

async function loadSites(plant: Plant, all: ReadAll): Promise<void> {
  for (const row of await all<Selectable<Schema['city']>>('select * from city order by city_id'))
    plant.cities.set(row.city_id, {
      id: row.city_id,
      name: row.name,
      ownerId: row.owner_id,
      isDefault: row.is_default,
      madeBy: row.made_by,
    })
  for (const row of await all<Selectable<Schema['project']>>(
    'select * from project where removed_at is null order by project_id',
  )) {
    plant.projects.set(row.project_id, {
      id: row.project_id,
      cityId: row.city_id,
      ownerId: row.owner_id,
      name: row.name,
      timeZone: row.time_zone,
      standard: row.standard,
      ...(row.simulated_since && { simulatedSince: row.simulated_since.getTime() }),
    })
  }
}

async function loadGateways(plant: Plant, all: ReadAll): Promise<void> {
  for (const row of await all<GatewayRow>('select * from gateway where removed_at is null order by gateway_id')) {
    const project = plant.projects.get(row.project_id)
    if (!project) continue
    plant.addGateway({
      id: row.gateway_id,
      project,
      number: row.number,
      name: row.name,
      disabled: row.disabled,
      reportingPeriodMs: row.reporting_period_ms,
      keepsPeriod: row.keeps_period,
      link: row.link === 'online' ? 'stale' : row.link,
      linkSince: row.link_since?.getTime() ?? null,
      linkReason: row.link === 'online' ? 'restart' : row.link_reason,
      bdSeq: row.bd_seq,
      clockSynchronised: null,
      lastMessageAt: null,
      signal: row.signal_dbm === null || row.signal_at === null ? null : { dbm: row.signal_dbm, at: row.signal_at.getTime() },
      model: row.model,
      firmware: row.firmware,
      firmwareAt: row.firmware_at?.getTime() ?? null,
      ownTags: [],
      devices: new Map(),
    })
  }
}

async function loadDevices(plant: Plant, all: ReadAll): Promise<void> {
  for (const row of await all<{
    gateway_id: number
    device_id: number
    controller_id: string
    wire_id: string | null
    name: string
    family: string
    model: string
    firmware: string | null
    link: Link
    link_since: Date | null
    link_reason: string | null
    reporting_period_ms: string | null
  }>('select * from device order by device_id')) {
    const gateway = plant.gateways.get(row.gateway_id)
    const family = familyOf(row.family)
    if (gateway && family)
      plant.addDevice({
        id: row.device_id,
        gateway,
        controllerId: row.controller_id,
        wireId: row.wire_id ?? row.controller_id,
        name: row.name,
        family,
        model: row.model,
        firmware: row.firmware,
        reportingPeriodMs: row.reporting_period_ms === null ? null : Number(row.reporting_period_ms),
        link: row.link === 'online' ? 'stale' : row.link,
        linkSince: row.link_since?.getTime() ?? null,
        linkReason: row.link === 'online' ? 'restart' : row.link_reason,
        openEvents: new Set(),
        ownTags: [],
        lines: new Map(),
      })
  }
}

/** Lines with their settings and states. */
async function loadLines(plant: Plant, all: ReadAll): Promise<void> {
  for (const row of await all<LineRow>('select * from line order by line_id')) {
    const device = plant.devices.get(row.device_id)
    if (!device) continue
    const line = newLine(row.line_id, device, row.line_no, row.name, row.rated_current_a)
    line.upstreamId = row.fed_by
    line.lockoutCause = row.trip_latched
    line.tripSequence = row.trip_latches
    line.inspectionUntil = row.inspection_until?.getTime() ?? null
    plant.addLine(line)
  }
  for (const row of await all<{ line_id: number; key: string; reported: number }>(
    'select line_id, key, reported from line_setting',
  )) {
    plant.lines.get(row.line_id)?.reported.set(row.key, row.reported)
  }
  for (const row of await all<{
    line_id: number
    states: Record<string, string>
    position_at: Date | null
    position_since: Date | null
  }>('select * from line_state')) {
    const line = plant.lines.get(row.line_id)
    if (!line) continue
    for (const [key, value] of Object.entries(row.states)) line.states.set(key, value)
    line.positionAt = row.position_at?.getTime() ?? null
    line.positionSince = row.position_since?.getTime() ?? null
  }
}

async function loadAlarms(plant: Plant, all: ReadAll): Promise<void> {
  for (const { device_id, key } of await all<{ device_id: number; key: string }>(
    'select device_id, key from event where state = any($1) and not historical and device_id is not null',
    [activeAlarmStates],
  ))
    plant.devices.get(device_id)?.openEvents.add(key)
  for (const row of await all<{
    event_id: string
    line_id: number
    key: string
    point: string | null
    kind: AlarmKind
    priority: Priority
  }>(
    'select event_id, line_id, key, point, kind, priority from event where state = any($1) and not historical and line_id is not null',
    [activeAlarmStates],
  )) {
    plant.lines.get(row.line_id)?.alarms.set(alarmKeyOf(row.key, row.point), {
      eventId: row.event_id,
      key: row.key,
      point: row.point,
      kind: row.kind,
      priority: row.priority,
    })
  }
}

/** What people and self-tests left on record: lock-out tags and last results. */
async function loadRecords(plant: Plant, { general }: Database): Promise<void> {
  const places = { line: plant.lines, device: plant.devices, gateway: plant.gateways }
  for (const tag of await hangingTags(general)) {
    const place = places[tag.on].get(tag.onId)
    if (place) place.ownTags = [...place.ownTags, tag]
  }
  for (const { lineId, ...test } of await lastSelfTests(general)) {
    const line = plant.lines.get(lineId)
    if (line) line.selfTest = test
  }
}

/** When each line was last operated or moved, and its newest trip. */
async function loadOperations(plant: Plant, all: ReadAll): Promise<void> {
  for (const row of await all<{ line_id: number; at: Date }>(
    "select line_id, max(sent_at) as at from command where sent_at is not null and action <> 'silence' group by line_id",
  )) {
    const line = plant.lines.get(row.line_id)
    if (line) line.lastOperationAt = row.at.getTime()
  }
  for (const { line_id, at } of await all<{ line_id: number; at: Date }>(newestMoves)) {
    const line = plant.lines.get(line_id)
    if (line) line.lastOperationAt = Math.max(line.lastOperationAt ?? 0, at.getTime())
  }
  for (const { line_id, fence } of await all<{ line_id: number; fence: string }>(newestTrips)) {
    const line = plant.lines.get(line_id)
    if (line) line.tripFence = Number(fence)
  }
}

/**
 * When lines moved, by protection or by hand, in the last while before the newest event: by the time of receipt, because a protective trip
 * counts whatever the clock of the equipment says. Walked back from the newest, so that it costs no more than happened then.
 */
const newestMoves = `with recursive recent as (
    (select event_id, line_id, key, stored_at, stored_at as newest from event order by event_id desc limit 1)
    union all
    select prior.*, newest from recent, lateral (
      select event_id, line_id, key, stored_at from event where event.event_id < recent.event_id order by event_id desc limit 1) prior
    where prior.stored_at >= newest - interval '${operationGapMs} milliseconds'
  )
  select line_id, max(stored_at) as at from recent
  where key in ('position.open', 'position.closed') and line_id is not null group by line_id`

/**
 * The trip that was ordered last, also when it is over, of each line on which an order is still open: of others it makes no difference. Asked
 * line by line, so that it costs no more than those few.
 */
const newestTrips = `select line_id, fence
  from (select distinct line_id from command where state in (${openStates.map((state) => `'${state}'`).join()})) open, lateral (
    select fence from command where command.line_id = open.line_id and action = 'trip' order by fence desc limit 1) trip`

interface GatewayRow {
  gateway_id: number
  project_id: number
  number: string
  name: string
  disabled: boolean
  reporting_period_ms: number
  keeps_period: boolean
  link: Link
  link_since: Date | null
  link_reason: string | null
  bd_seq: number | null
  signal_dbm: number | null
  signal_at: Date | null
  model: string | null
  firmware: string | null
  firmware_at: Date | null
}

interface LineRow {
  line_id: number
  device_id: number
  line_no: number
  name: string
  rated_current_a: number | null
  trip_latched: string | null
  fed_by: number | null
  trip_latches: number
  inspection_until: Date | null
}

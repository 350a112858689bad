import { createHash, randomBytes } from 'node:crypto'
import type pg from 'pg'
import { prepared } from '../core/prepared.ts'
import type { DeviceBirth } from './device-birth.ts'

export interface RegisteredDevice {
  readonly deviceId: number
  readonly controllerId: string
  readonly name: string
  readonly lines: readonly {
    readonly lineId: number
    readonly lineNo: number
    readonly name: string
    readonly ratedCurrentA: number | null
  }[]
}

/** A device that was born, and behind which gateway. */
export interface BornDevice {
  readonly gateway: { readonly id: number; readonly number: string }
  readonly birth: DeviceBirth
}

/**
 * Puts born devices and their lines into the database, or finds them: all of them in one transaction. Names that people gave stay; model and
 * rated current follow the device. Null for one whose gateway was removed meanwhile.
 */
export async function registerDevices(
  client: pg.ClientBase,
  born: readonly BornDevice[],
): Promise<readonly (RegisteredDevice | null)[]> {
  await client.query('begin')
  try {
    // Whoever comes to stand before a gateway's equipment holds it meanwhile: what they have locked is seen by the statements that follow.
    const { rows: here } = await client.query<{ gateway_id: number }>(
      `select gateway_id from gateway where gateway_id = any($1::int[]) and removed_at is null
       order by gateway_id for key share`,
      [[...new Set(born.map(({ gateway }) => gateway.id))]],
    )
    const gateways = new Set(here.map(({ gateway_id }) => gateway_id))
    const registered: (RegisteredDevice | null)[] = []
    for (const each of born) {
      const device = gateways.has(each.gateway.id) ? await storeDevice(client, each.gateway, each.birth) : undefined
      registered.push(device ? await storeLines(client, each, device) : null)
    }
    await client.query('commit')
    return registered
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

/** Of an inspection anywhere behind the gateway a new line is locked: its device's place is not known yet. */
async function storeLines(client: pg.ClientBase, { gateway, birth }: BornDevice, device: DeviceRow): Promise<RegisteredDevice> {
  const { rows } = await prepared<{ line_id: number; line_no: number; name: string; rated_current_a: number | null }>(
    client,
    'lines born',
    `insert into line (device_id, line_no, name, rated_current_a, inspection_until)
     select $1, line_no, name, rated_current_a,
       (select until from inspection where gateway_id = $2 order by started_at desc limit 1)
     from unnest($3::int[], $4::text[], $5::real[]) with ordinality as announced (line_no, name, rated_current_a, place) order by place
     on conflict (device_id, line_no) do update set rated_current_a = coalesce(excluded.rated_current_a, line.rated_current_a)
     returning line_id, line_no, name, rated_current_a`,
    [
      device.device_id,
      gateway.id,
      birth.lines.map(({ lineNo }) => lineNo),
      birth.lines.map(({ lineNo, name }) => name ?? (lineNo === 0 ? device.name : `${device.name} #${lineNo}`)),
      birth.lines.map(({ ratedCurrentA }) => ratedCurrentA),
    ],
  )
  return {
    deviceId: device.device_id,
    controllerId: device.controller_id,
    name: device.name,
    lines: rows.map((line) => ({
      lineId: line.line_id,
      lineNo: line.line_no,
      name: line.name,
      ratedCurrentA: line.rated_current_a,
    })),
  }
}

interface DeviceRow {
  readonly device_id: number
  readonly controller_id: string
  readonly name: string
}

/** Finds it by what its gateway calls it, or gives it the first controller id that nobody has. */
async function storeDevice(
  client: pg.ClientBase,
  gateway: { readonly id: number; readonly number: string },
  { wireId, name, family, model, firmware, reportingPeriodMs }: DeviceBirth,
): Promise<DeviceRow | undefined> {
  for (const controllerId of controllerIdsFor(wireId, gateway.number)) {
    const { rows } = await prepared<DeviceRow>(
      client,
      'device born',
      `with known as (
         update device set model = $3, family = $4, firmware = $5, reporting_period_ms = $6
         where gateway_id = $1 and coalesce(wire_id, controller_id) = $2 returning device_id, controller_id, name
       ), made as (
         insert into device (gateway_id, wire_id, model, family, firmware, reporting_period_ms, controller_id, name)
         select $1, nullif($2, $7), $3, $4, $5, $6, $7, $8 where not exists (select from known)
         on conflict (controller_id) do nothing returning device_id, controller_id, name
       )
       select device_id, controller_id, name from known union all select device_id, controller_id, name from made`,
      [gateway.id, wireId, model, family.key, firmware, reportingPeriodMs, controllerId, name ?? wireId],
    )
    if (rows[0]) return rows[0]
  }
  return undefined
}

/** As long as a controller id may be. */
const longest = 64

/**
 * What a device may be called, the best first: as its gateway calls it, and with the gateway's number where somebody has that already. The
 * last is for whoever finds even this taken, on purpose or not.
 */
function* controllerIdsFor(wireId: string, number: string): Generator<string> {
  if (wireId.length <= longest) yield wireId
  const qualified = `${wireId}@${number}`
  if (qualified.length <= longest) yield qualified
  const short = wireId.slice(0, 40).toWellFormed()
  yield `${short}@${createHash('sha256').update(qualified).digest('hex').slice(0, 16)}`
  yield `${short}@${randomBytes(8).toString('hex')}`
}

import { createHash, randomBytes } from 'node:crypto'
import type pg from 'pg'
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

/**
 * Puts a born device and its lines into the database, or finds them. Names that people gave stay; model and rated current follow the
 * device. Null when its gateway was removed meanwhile.
 */
export async function registerDevice(
  client: pg.ClientBase,
  gateway: { readonly id: number; readonly number: string },
  birth: DeviceBirth,
): Promise<RegisteredDevice | null> {
  await client.query('begin')
  try {
    const here = await client.query('select from gateway where gateway_id = $1 and removed_at is null for key share', [
      gateway.id,
    ])
    const device = here.rowCount === 0 ? undefined : await storeDevice(client, gateway, birth)
    if (!device) {
      await client.query('rollback')
      return null
    }
    const inspectedUntil = await inspectionOf(client, gateway.id)
    const lines = []
    for (const { lineNo, name, ratedCurrentA } of birth.lines) {
      const found = await client.query<{ line_id: number; name: string; rated_current_a: number | null }>(
        `insert into line (device_id, line_no, name, rated_current_a, inspection_until) values ($1, $2, $3, $4, $5)
         on conflict (device_id, line_no) do update set rated_current_a = coalesce(excluded.rated_current_a, line.rated_current_a)
         returning line_id, name, rated_current_a`,
        [
          device.device_id,
          lineNo,
          name ?? (lineNo === 0 ? device.name : `${device.name} #${lineNo}`),
          ratedCurrentA,
          inspectedUntil,
        ],
      )
      const line = found.rows[0]
      if (line) lines.push({ lineId: line.line_id, lineNo, name: line.name, ratedCurrentA: line.rated_current_a })
    }
    await client.query('commit')
    return { deviceId: device.device_id, controllerId: device.controller_id, name: device.name, lines }
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

/** Until when somebody stands before this gateway's equipment: of any of its devices, for a new one's place among them is not known yet. */
async function inspectionOf(client: pg.ClientBase, gatewayId: number): Promise<Date | null> {
  const newest = await client.query<{ until: Date }>(
    'select until from inspection where gateway_id = $1 order by started_at desc limit 1',
    [gatewayId],
  )
  return newest.rows[0]?.until ?? null
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
  const announced = [gateway.id, wireId, model, family.key, firmware, reportingPeriodMs]
  const known = await client.query<DeviceRow>(
    `update device set model = $3, family = $4, firmware = $5, reporting_period_ms = $6
     where gateway_id = $1 and coalesce(wire_id, controller_id) = $2 returning device_id, controller_id, name`,
    announced,
  )
  if (known.rows[0]) return known.rows[0]
  for (const controllerId of controllerIdsFor(wireId, gateway.number)) {
    const made = await client.query<DeviceRow>(
      `insert into device (gateway_id, wire_id, model, family, firmware, reporting_period_ms, controller_id, name)
       values ($1, nullif($2, $7), $3, $4, $5, $6, $7, $8) on conflict (controller_id) do nothing
       returning device_id, controller_id, name`,
      [...announced, controllerId, name ?? wireId],
    )
    if (made.rows[0]) return made.rows[0]
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

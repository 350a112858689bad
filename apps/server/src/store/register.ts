import type pg from 'pg'
import type { DeviceBirth } from '../ingest/birth.ts'

export interface RegisteredDevice {
  readonly deviceId: number
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
 * device. Null when the device belongs to another gateway, or its gateway was removed meanwhile.
 */
export async function registerDevice(
  client: pg.ClientBase,
  gatewayId: number,
  birth: DeviceBirth,
): Promise<RegisteredDevice | null> {
  await client.query('begin')
  try {
    const { rows } = await client.query<{ device_id: number; name: string; gateway_id: number }>(
      `insert into device (gateway_id, controller_id, name, family, model, firmware, reporting_period_ms)
         select gateway_id, $2, $3, $4, $5, $6, $7 from gateway where gateway_id = $1 and removed_at is null for key share
       on conflict (controller_id) do update set model = excluded.model, family = excluded.family, firmware = excluded.firmware,
         reporting_period_ms = excluded.reporting_period_ms
         where device.gateway_id = excluded.gateway_id
       returning device_id, name, gateway_id`,
      [
        gatewayId,
        birth.controllerId,
        birth.name ?? birth.controllerId,
        birth.family.key,
        birth.model,
        birth.firmware,
        birth.reportingPeriodMs,
      ],
    )
    const device = rows[0]
    if (!device) {
      await client.query('rollback')
      return null
    }
    const lines = []
    for (const { lineNo, name, ratedCurrentA } of birth.lines) {
      const found = await client.query<{ line_id: number; name: string; rated_current_a: number | null }>(
        `insert into line (device_id, line_no, name, rated_current_a) values ($1, $2, $3, $4)
         on conflict (device_id, line_no) do update set rated_current_a = coalesce(excluded.rated_current_a, line.rated_current_a)
         returning line_id, name, rated_current_a`,
        [device.device_id, lineNo, name ?? (lineNo === 0 ? device.name : `${device.name} #${lineNo}`), ratedCurrentA],
      )
      const line = found.rows[0]
      if (line) lines.push({ lineId: line.line_id, lineNo, name: line.name, ratedCurrentA: line.rated_current_a })
    }
    await client.query('commit')
    return { deviceId: device.device_id, name: device.name, lines }
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { AppliedInterlocks } from '../../plant/plant.ts'
import type { Schema } from '../core/schema.ts'
import { lockGateway } from './fence.ts'
import { tagsInForceOn } from './tag.ts'
import { underWay } from './under-way.ts'

/** The tags, the inspection, the lock-out and the failed self-test of a line as the database has them, whichever server wrote them. */
export async function storedInterlocks(db: Kysely<Schema>, lineId: number): Promise<AppliedInterlocks> {
  return (
    (await storedInterlocksOfLines(db, [lineId])).get(lineId) ?? {
      inspectionUntil: null,
      tags: [],
      lockout: null,
      failedTest: null,
    }
  )
}

/** The same of many lines at once. */
export async function storedInterlocksOfLines(
  db: Kysely<Schema>,
  lineIds: readonly number[],
): Promise<ReadonlyMap<number, AppliedInterlocks>> {
  const lines = await db
    .selectFrom('line')
    .leftJoinLateral(
      ({ selectFrom }) =>
        selectFrom('self_test')
          .select(['at', 'result', 'trip_ms'])
          .whereRef('self_test.line_id', '=', 'line.line_id')
          .orderBy('at', 'desc')
          .limit(1)
          .as('test'),
      (join) => join.on('test.result', '=', 'failed'),
    )
    .select(['line_id', 'inspection_until', 'trip_latched', 'trip_latches', 'test.at', 'test.trip_ms'])
    .where(sql<boolean>`line_id = any(${[...lineIds]}::int[])`)
    .execute()
  const tags = await tagsInForceOn(db, lineIds)
  return new Map(
    lines.map(({ line_id, inspection_until, trip_latched: cause, trip_latches: sequence, at, trip_ms: tripMs }) => [
      line_id,
      {
        inspectionUntil: inspection_until?.getTime() ?? null,
        tags: tags.get(line_id) ?? [],
        lockout: cause === null ? null : { cause, sequence },
        failedTest: at === null ? null : { at: at.getTime(), tripMs },
      },
    ]),
  )
}

/**
 * Whether a gateway must not be restarted: a tag or an inspection at one of its lines, a command or an order to set something under way.
 * Until the transaction ends nothing of the kind is added.
 */
export async function isGatewayBlocked(trx: Kysely<Schema>, gatewayId: number, now: number): Promise<boolean> {
  await lockGateway(trx, gatewayId)
  const { rows } = await sql`
    select from gateway left join device using (gateway_id) left join line using (device_id)
    where gateway.gateway_id = ${gatewayId} and (
      line.inspection_until > ${new Date(now)}
      or exists (select from command where command.line_id = line.line_id and command.state in (${underWay}))
      or exists (select from tag where tag.removed_at is null
        and (tag.gateway_id = gateway.gateway_id or tag.device_id = device.device_id or tag.line_id = line.line_id)))
    union all select from setting_change where gateway_id = ${gatewayId} and state in (${underWay})
    limit 1`.execute(trx)
  return rows.length > 0
}

import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Schema } from '../core/schema.ts'

/** The place of what is said or ordered of a line now among all that is; whatever else is waits until the transaction ends. */
export async function nextFence(trx: Kysely<Schema>, lineId: number): Promise<string> {
  const { fence } = await trx
    .insertInto('command_fence')
    .values({ line_id: lineId, fence: '1' })
    .onConflict((oc) => oc.column('line_id').doUpdateSet(({ eb, ref }) => ({ fence: eb(ref('command_fence.fence'), '+', '1') })))
    .returning('fence')
    .executeTakeFirstOrThrow()
  return fence
}

/** Locks lines against being authorised until the transaction ends: whoever interlocks a line and whoever operates it come one after the other. */
export async function lockLines(trx: Kysely<Schema>, lineIds: readonly number[]): Promise<void> {
  await trx
    .insertInto('command_fence')
    // In order of id, so that two who lock the same lines never wait for each other in a circle.
    .values([...lineIds].sort((a, b) => a - b).map((line_id) => ({ line_id, fence: '0' })))
    .onConflict((oc) => oc.column('line_id').doUpdateSet(({ ref }) => ({ fence: ref('command_fence.fence') })))
    .execute()
}

/** The same of a gateway, against orders of its own and of all its lines, and against being taken out. Tags on it and on what is behind it come before or after, too. */
export async function lockGateway(trx: Kysely<Schema>, gatewayId: number): Promise<void> {
  await sql`select from gateway where gateway_id = ${gatewayId} for key share`.execute(trx)
  const lines = await trx
    .selectFrom('line')
    .innerJoin('device', 'device.device_id', 'line.device_id')
    .select('line.line_id')
    .where('device.gateway_id', '=', gatewayId)
    .execute()
  if (lines.length > 0)
    await lockLines(
      trx,
      lines.map(({ line_id }) => line_id),
    )
  await sql`insert into gateway_fence as f (gateway_id, fence) values (${gatewayId}, 0)
    on conflict (gateway_id) do update set fence = f.fence`.execute(trx)
}

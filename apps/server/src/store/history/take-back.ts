import type pg from 'pg'
import { energyLock } from '../energy/due.ts'

/** By line: what was brought in of it, what was made of that, and what people did there. In the order in which rows name each other. */
const ofLines = [
  'self_test',
  'trip',
  'line_day_due',
  'line_look',
  'line_live',
  'line_day',
  'line_hours',
  'line_week',
  'energy_due',
  'energy_line',
  'energy_quarter',
  'voltage_hour',
  'evidence',
  'line_state',
  'reading_day',
  'reading_hour',
  'reading',
]

/** The same by gateway. */
const ofGateways = ['incident', 'event_counted', 'event', 'event_shelf']

/**
 * Takes back whatever was brought in of lines that have never reported themselves: their history, events, orders and tests, all or nothing.
 * False: one of the gateways has reported, on whichever server, and nothing is taken. The audit trail keeps what was written into it.
 */
export async function takeBack(
  client: pg.ClientBase,
  { lineIds, gatewayIds }: { readonly lineIds: readonly number[]; readonly gatewayIds: readonly number[] },
): Promise<boolean> {
  await client.query('begin')
  try {
    const gateways = await client.query<{ link: string }>(
      'select link from gateway where gateway_id = any($1) order by gateway_id for update',
      [gatewayIds],
    )
    if (gateways.rows.some(({ link }) => link !== 'never')) {
      await client.query('rollback')
      return false
    }
    // Nothing is made of what is taken meanwhile.
    await client.query(energyLock)
    for (const table of ofGateways) await client.query(`delete from ${table} where gateway_id = any($1)`, [gatewayIds])
    for (const table of ofLines) await client.query(`delete from ${table} where line_id = any($1)`, [lineIds])
    await client.query(
      `with gone as (delete from command where line_id = any($1) returning run_id)
       delete from operation_run using gone where operation_run.run_id = gone.run_id`,
      [lineIds],
    )
    // What others in the same projects used is summed again.
    await client.query(`select remake_energy(array(select distinct project_id from gateway where gateway_id = any ($1)), $1)`, [
      gatewayIds,
    ])
    await client.query('update line set trip_latched = null, trip_latches = 0 where line_id = any($1)', [lineIds])
    await client.query('insert into event_recount (gateway_id, project_id) select unnest($1::int[]), 0 on conflict do nothing', [
      gatewayIds,
    ])
    await client.query('commit')
    return true
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

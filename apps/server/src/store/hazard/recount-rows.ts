import type pg from 'pg'
import { countedAgain, dayColumns, rowsOf } from './count-rows.ts'
import type { Tally } from './tally.ts'

/**
 * What is counted anew is collected beside the counts, without an index, and put in their place at once and in the order of their keys. Within
 * one transaction.
 */
export async function beginStaging(client: pg.ClientBase): Promise<void> {
  for (const table of ['day', 'ten', 'ack', 'counted'])
    await client.query(`create temp table added_${table} (like event_${table}) on commit drop`)
}

export async function stageTally(client: pg.ClientBase, tally: Tally, numbers: readonly number[]): Promise<void> {
  for (const [table, { length, columns, from, values }] of Object.entries(rowsOf(tally, numbers)))
    if (length > 0) await client.query(`insert into added_${table} (${columns}) select * from ${from}`, [...values])
}

/** `ids`: the gateways, and the projects as a whole. */
export async function replaceByStaged(client: pg.ClientBase, ids: readonly (readonly number[])[]): Promise<void> {
  await client.query(`set local work_mem = '96MB'`)
  const replaced = [
    { table: 'day', by: 'gateway_id, day, place_id', figures: [...dayColumns] },
    { table: 'ten', by: 'gateway_id, ten, place_id', figures: ['announced', 'folded'] },
    { table: 'ack', by: 'gateway_id, day, place_id, seconds', figures: ['times'] },
  ]
  for (const { table, by, figures } of replaced) {
    await client.query(
      `delete from event_${table} where gateway_id = any($1::int[]) or (gateway_id = 0 and project_id = any($2::int[]))`,
      [...ids],
    )
    await client.query(`insert into event_${table} (${by}, project_id, ${figures})
      select ${by}, project_id, ${figures.map((name) => `sum(${name})`)} from added_${table} group by ${by}, project_id order by ${by}`)
  }
  await client.query(`insert into event_counted select * from added_counted order by event_id, step_id ${countedAgain}`)
}

/** Makes the sums of everything from the counts of places. */
export async function sumAnew(client: pg.ClientBase): Promise<void> {
  await client.query('delete from event_recount where gateway_id = 0 and project_id = 0')
  await client.query(`set local work_mem = '96MB'`)
  const summed = [
    { table: 'day', by: 'day, key, kind, priority', figures: dayColumns.filter((name) => name !== 'active_ms') },
    { table: 'ten', by: 'ten, kind, priority', figures: ['announced', 'folded'] },
    { table: 'ack', by: 'day, kind, priority, seconds', figures: ['times'] },
  ]
  for (const { table, by, figures } of summed) {
    await client.query(`delete from event_${table}_sum`)
    await client.query(`insert into event_${table}_sum (${by}, ${figures})
      select ${by}, ${figures.map((name) => `sum(${name})`)} from event_${table} join event_place using (place_id) group by ${by} order by ${by}`)
  }
}

import type pg from 'pg'
import { roomForSums } from './analysis.ts'
import { countedAgain, countTables, rowsOf } from './count-rows.ts'
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
  await client.query(roomForSums)
  const isOwn = '(gateway_id = any($1::int[]) or (gateway_id = 0 and project_id = any($2::int[])))'
  for (const { of, key, figures } of countTables) {
    await client.query(`delete from event_${of} where ${isOwn}`, [...ids])
    await client.query(`insert into event_${of} (${key}, project_id, ${figures})
      select ${key}, project_id, ${figures.map((name) => `sum(${name})`)} from added_${of} group by ${key}, project_id order by ${key}`)
  }
  // What counts no more goes, so that no list is longer than its figure; what still does keeps the priority it was counted with.
  await client.query(
    `delete from event_counted counted where ${isOwn} and not exists (select from added_counted added
       where (added.event_id, added.step_id) = (counted.event_id, counted.step_id))`,
    [...ids],
  )
  await client.query(`insert into event_counted select * from added_counted order by event_id, step_id ${countedAgain}`)
}

/** Makes the sums of everything from the counts of places. */
export async function sumAnew(client: pg.ClientBase): Promise<void> {
  await client.query('delete from event_recount where gateway_id = 0 and project_id = 0')
  await client.query(roomForSums)
  for (const { of, sum } of countTables) {
    const { key, figures } = sum
    await client.query(`delete from event_${of}_sum`)
    await client.query(`insert into event_${of}_sum (${key}, ${figures})
      select ${key}, ${figures.map((name) => `sum(${name})`)} from event_${of} join event_place using (place_id) group by ${key} order by ${key}`)
  }
}

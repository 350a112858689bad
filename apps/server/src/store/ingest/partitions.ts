import { dayMs } from '@linewarden/equipment'
import type pg from 'pg'

export const dayOf = (ms: number): number => Math.floor(ms / dayMs)

/** Days that have their own partition of `reading`. */
export async function partitionedDays(client: pg.ClientBase): Promise<Set<number>> {
  const { rows } = await client.query<{ name: string }>(
    "select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'reading'::regclass",
  )
  const days = rows.flatMap(({ name }) => {
    const found = /^reading_(\d{4})(\d\d)(\d\d)$/.exec(name)
    return found ? [dayOf(Date.UTC(Number(found[1]), Number(found[2]) - 1, Number(found[3])))] : []
  })
  return new Set(days)
}

/**
 * Makes the partition of one day. Readings of that day that already lie in the default partition (a clock was ahead) are moved into it,
 * because PostgreSQL refuses a partition whose rows are elsewhere.
 */
export async function makePartition(client: pg.ClientBase, day: number): Promise<void> {
  const name = partitionName(day)
  const from = new Date(day * dayMs).toISOString()
  const to = new Date((day + 1) * dayMs).toISOString()
  await client.query('begin')
  try {
    await client.query("select pg_advisory_xact_lock(hashtext('reading partitions'))")
    const { rows } = await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [name])
    if (!rows[0]?.there) {
      await client.query(`create table ${name} (like reading including all)`)
      await client.query(
        `with moved as (delete from reading_default where at >= $1 and at < $2 returning *) insert into ${name} select * from moved`,
        [from, to],
      )
      await client.query(`alter table reading attach partition ${name} for values from ('${from}') to ('${to}')`)
    }
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/** Drops the partitions of days before this one; answers their names. */
export async function dropPartitionsBefore(client: pg.ClientBase, day: number): Promise<string[]> {
  const old = [...(await partitionedDays(client))].filter((each) => each < day).map(partitionName)
  for (const name of old) await client.query(`drop table ${name}`)
  await client.query('delete from reading_default where at < $1', [new Date(day * dayMs)])
  return old
}

const partitionName = (day: number): string => `reading_${new Date(day * dayMs).toISOString().slice(0, 10).replaceAll('-', '')}`

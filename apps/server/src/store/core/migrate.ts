import { readdir, readFile } from 'node:fs/promises'
import type pg from 'pg'

const folder = new URL('../migrations/', import.meta.url)
// Any fixed number: servers starting at the same moment on one database wait for each other here.
const lockKey = 7_102_551

/**
 * Brings the database to this version: every `migrations/NNNN-name.sql` not yet applied, in order, each in its own transaction, under
 * an advisory lock. Forward only. Throws when the database was made by a newer version.
 */
export async function migrate(client: pg.ClientBase, log: (line: string) => void): Promise<void> {
  await client.query('select pg_advisory_lock($1)', [lockKey])
  try {
    await client.query(
      'create table if not exists migration (name text primary key, applied_at timestamptz not null default now())',
    )
    const applied = new Set((await client.query<{ name: string }>('select name from migration')).rows.map((row) => row.name))
    const known = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
    const newer = [...applied].filter((name) => !known.includes(name))
    if (newer.length > 0)
      throw new Error(`The database was made by a newer version (${newer.join(', ')}). Install that version or restore a backup.`)
    const due = known.filter((each) => !applied.has(each))
    for (const name of due) {
      await client.query('begin')
      try {
        await client.query(await readFile(new URL(name, folder), 'utf8'))
        await client.query('insert into migration (name) values ($1)', [name])
        await client.query('commit')
      } catch (error) {
        await client.query('rollback')
        throw error
      }
    }
    if (due.length > 0) log(`database brought to ${due.at(-1)} in ${due.length} steps`)
    // No index is in its order: another version of its library leaves nothing wrong, and nothing to warn of.
    await client.query('alter collation "natural" refresh version')
  } finally {
    await client.query('select pg_advisory_unlock($1)', [lockKey])
  }
}

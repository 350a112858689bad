import type { Kysely, RawBuilder } from 'kysely'
import { Kysely as Compiler, DummyDriver, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type pg from 'pg'
import type { Schema } from './schema.ts'

/** Runs a statement and answers its rows: in a transaction of Kysely, or on the connection by which ingest commits. */
export type Run = <R>(query: RawBuilder<R>) => Promise<R[]>

export const inTransaction =
  (trx: Kysely<Schema>): Run =>
  async (query) =>
    (await query.execute(trx)).rows

const compiler = new Compiler<Schema>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

export const onClient =
  (client: pg.ClientBase): Run =>
  async <R>(query: RawBuilder<R>) => {
    const { sql, parameters } = query.compile(compiler)
    return (await client.query(sql, [...parameters])).rows as R[]
  }

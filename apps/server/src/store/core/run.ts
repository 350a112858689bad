import type { Kysely, RawBuilder } from 'kysely'
import {
  CompiledQuery,
  Kysely as Compiler,
  DummyDriver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import type pg from 'pg'
import type { Schema } from './schema.ts'

/** Runs a statement and answers its rows: in a transaction of Kysely, or on the connection by which ingest commits. */
export type Run = <R>(query: RawBuilder<R>) => Promise<R[]>

export const inTransaction =
  (trx: Kysely<Schema>): Run =>
  async (query) =>
    (await query.execute(trx)).rows

/** The connection of a transaction of Kysely, for what asks the one by which ingest commits: it is for `query` alone. */
export const clientOf = (trx: Kysely<Schema>): pg.ClientBase => {
  const query = (given: string | { readonly text: string; readonly values?: unknown[] }, values: readonly unknown[] = []) => {
    const [text, own] = typeof given === 'string' ? [given, values] : [given.text, given.values ?? values]
    return trx.executeQuery(CompiledQuery.raw(text, [...own]))
  }
  return { query } as unknown as pg.ClientBase
}

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

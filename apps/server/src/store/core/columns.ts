import type { ColumnType } from 'kysely'

/** A JSON column: it is written as text. */
export type Json<T> = ColumnType<T, string, string>

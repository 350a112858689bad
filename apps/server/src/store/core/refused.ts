import pg from 'pg'

/** Connection, resources and operator: the database is away, or was for a moment; nothing is wrong with what was asked. */
const away: ReadonlySet<string> = new Set(['08', '53', '57', '58'])

/** Whether the database is there and does not take it: of several at once one may be bad, and the others are taken without it. */
export const isRefusedByDatabase = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code !== undefined && !away.has(error.code.slice(0, 2))

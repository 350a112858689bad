import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'

/** Whose things: `undefined` is everybody's, null the installation's own, otherwise a project administrator's. */
export type Owner = string | null | undefined

/** A condition on an owner column. */
export const ownedBy = (column: string, owner: Owner): RawBuilder<boolean> =>
  owner === undefined ? sql<boolean>`true` : sql<boolean>`${sql.ref(column)} is not distinct from ${owner}::uuid`

/** A condition that a text column contains this part, whatever its case; `%` and `_` mean themselves. */
export const containsText = (column: string, part: string | undefined): RawBuilder<boolean> =>
  part ? sql<boolean>`strpos(lower(${sql.ref(column)}), lower(${part.trim()})) > 0` : sql<boolean>`true`

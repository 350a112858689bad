import type { Kysely } from 'kysely'
import type { Schema } from '../core/schema.ts'
import type { Owner } from '../core/tenant.ts'
import { ownedBy } from '../core/tenant.ts'

type Db = Kysely<Schema>

/** An account that mail can go to. */
export interface MailAccount {
  readonly accountId: string
  readonly name: string
  readonly email: string
}

const accounts = (db: Db) =>
  db
    .selectFrom('account')
    .select(({ fn, eb, val }) => [
      'account_id as accountId',
      'email',
      fn.coalesce(eb.fn<string>('nullif', ['nick_name', val('')]), 'user_name').as('name'),
    ])
    .where('disabled', '=', false)
    .where('removed_at', 'is', null)
    .where('kind', '<>', 'shared')

/** Those of these accounts that are in use, with or without an address. */
export async function mailAccounts(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, MailAccount>> {
  if (ids.length === 0) return new Map()
  const rows = await accounts(db)
    .where('account_id', 'in', [...ids])
    .execute()
  return new Map(rows.map((row) => [row.accountId, row]))
}

const most = 500

/** Accounts of a tenant that have a mail address, its administrator among them. */
export const mailAccountsOf = (db: Db, owner: Owner): Promise<MailAccount[]> =>
  accounts(db)
    .where('email', '<>', '')
    .where(({ or, eb }) =>
      owner === undefined ? eb.lit(true) : or([ownedBy('owner_id', owner), eb('account_id', '=', owner ?? '')]),
    )
    .orderBy('user_name')
    .limit(most)
    .execute()

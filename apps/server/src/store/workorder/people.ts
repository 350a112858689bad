import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Schema } from '../core/schema.ts'

export interface Taker {
  readonly accountId: string
  readonly name: string
  readonly jobName: string
  readonly open: number
  readonly overdue: number
}

/** Who runs the installation, and so administers what has no other owner. */
export async function operatorIds(db: Kysely<Schema>): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('account')
    .select('account_id')
    .where('kind', '=', 'platform')
    .where('removed_at', 'is', null)
    .where('disabled', '=', false)
    .execute()
  return rows.map(({ account_id }) => account_id)
}

/**
 * Who may be in charge of orders of an owner: the administrator and the accounts below, by their names; of the installation's own who runs
 * it. Whether they see a place is asked of each.
 */
export async function takersOf(db: Kysely<Schema>, owner: string | null, now: number): Promise<readonly Taker[]> {
  const { rows } = await sql<Taker>`
    select * from (select account_id as "accountId", coalesce(nullif(nick_name, ''), user_name) as name, job_name as "jobName",
      (select count(*)::int from work_order where person_id = account_id and status = 'dispatched') as open,
      (select count(*)::int from work_order where person_id = account_id and status = 'dispatched' and overdue_at <= ${new Date(now)}) as overdue
    from account
    where removed_at is null and not disabled and (
      kind = 'sub' and owner_id is not distinct from ${owner}::uuid
      or account_id = ${owner}::uuid or ${owner}::uuid is null and kind = 'platform')
    ) taker order by name collate "natural", "accountId" limit 500`.execute(db)
  return rows
}

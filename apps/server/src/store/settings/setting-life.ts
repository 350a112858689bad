import { isSameLife } from '@linewarden/rules/control'
import type { SettingFact } from '@linewarden/rules/settings'
import { mayHaveTaken } from '@linewarden/rules/settings'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { storableJson } from '../../lib/storable-text.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import type { StoredChange } from './setting-change.ts'
import { changeOf } from './setting-change.ts'
import { insertSteps } from './setting-step.ts'
import { notOver } from './stored-bypass.ts'

interface Step {
  readonly before: StoredChange
  readonly life: StoredChange
  readonly fact: SettingFact
}

/**
 * Writes lives as they are now, over what they were made of, and what follows from them, in one transaction: what was taken or may have been
 * taken is desired from now on; a protection that was never switched off needs nobody to restore it; one that was set anew is no longer
 * waiting for its former value; one whose restoring order never left still waits. Where an order stands otherwise, because another server has
 * written it meanwhile, nothing is written at all: answers those, as they stand.
 */
export async function saveChanges({ general }: Database, steps: readonly Step[]): Promise<readonly StoredChange[]> {
  if (steps.length === 0) return []
  const changes = [...new Map(steps.map(({ life }) => [life.commandId, life])).values()]
  const time = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())
  const lives = changes.map((each) => ({
    command_id: each.commandId,
    state: each.state,
    outcome: each.outcome,
    sent_at: time(each.sentAt),
    acknowledged_at: time(each.acknowledgedAt),
    verified_at: time(each.verifiedAt),
    ended_at: time(each.endedAt),
  }))
  const idsIn = (...states: StoredChange['state'][]) =>
    changes.filter(({ state }) => states.includes(state)).map(({ commandId }) => commandId)
  const taken = idsIn(...mayHaveTaken)
  const verified = idsIn('verified')
  const never = idsIn('refused', 'expired', 'failed')
  return general.transaction().execute(async (trx) => {
    const otherwise = await otherwiseThan(trx, steps)
    if (otherwise.length > 0) return otherwise
    await insertSteps(
      trx,
      steps.map(({ life, fact }) => ({ commandId: life.commandId, state: life.state, at: fact.at, evidence: fact })),
    )
    await sql`
      update setting_change c set state = n.state, outcome = n.outcome, sent_at = n.sent_at, acknowledged_at = n.acknowledged_at,
        verified_at = n.verified_at, ended_at = n.ended_at
      from jsonb_to_recordset(${storableJson(lives)}::jsonb) as n(command_id uuid, state text, outcome text, sent_at timestamptz,
        acknowledged_at timestamptz, verified_at timestamptz, ended_at timestamptz)
      where c.command_id = n.command_id`.execute(trx)
    if (taken.length > 0)
      await sql`
        insert into setting_desired as d (line_id, key, value, command_id)
        select distinct on (c.line_id, w.key) c.line_id, w.key, w.value::double precision, c.command_id
        from setting_change c, jsonb_each_text(c.wanted) w
        where c.command_id = any(${taken}::uuid[]) and c.line_id is not null
        order by c.line_id, w.key, c.issued_at desc
        on conflict (line_id, key) do update set value = excluded.value, command_id = excluded.command_id
        where (select issued_at from setting_change where command_id = d.command_id)
          <= (select issued_at from setting_change where command_id = excluded.command_id)`.execute(trx)
    if (verified.length > 0) await endedByNewer(trx, verified)
    if (taken.length > 0)
      await sql`update setting_off set state = 'standing' where command_id = any(${taken}::uuid[]) and state = 'ordered'`.execute(
        trx,
      )
    if (never.length > 0) {
      await sql`update setting_off set state = 'ended' where command_id = any(${never}::uuid[]) and state in ('ordered', 'standing')`.execute(
        trx,
      )
      await sql`update setting_off set state = case when c.state = 'expired' then 'standing' else 'failed' end
        from setting_change c where c.command_id = restore_id and restore_id = any(${never}::uuid[]) and setting_off.state = 'restoring'`.execute(
        trx,
      )
    }
    const unknown = idsIn('unknown')
    if (unknown.length > 0)
      await sql`update setting_off set state = 'failed' where restore_id = any(${unknown}::uuid[]) and state = 'restoring'`.execute(
        trx,
      )
    return []
  })
}

/** Orders that do not stand as the first step of each was made of. What was read back of one only its dispatcher knows. */
async function otherwiseThan(trx: Kysely<Schema>, steps: readonly Step[]): Promise<readonly StoredChange[]> {
  const made = new Map(steps.toReversed().map(({ before }) => [before.commandId, before]))
  // In order of id, so that two who write the same orders never wait for each other in a circle.
  const rows = await trx
    .selectFrom('setting_change')
    .selectAll()
    .where('command_id', 'in', [...made.keys()])
    .orderBy('command_id')
    .forNoKeyUpdate()
    .execute()
  return rows.flatMap((row) => {
    const [stands, before] = [changeOf(row), made.get(row.command_id)]
    return before && !isSameLife(stands, before) ? [{ ...stands, proven: before.proven }] : []
  })
}

/** A change that was read back ends the waiting of every older one of the same setting; the one it restores is restored. */
async function endedByNewer(trx: Kysely<Schema>, verified: readonly string[]): Promise<void> {
  await sql`
    update setting_off o set state = case when o.restore_id = c.command_id then 'restored' else 'ended' end
    from setting_change c
    where c.command_id = any(${[...verified]}::uuid[]) and o.line_id = c.line_id and c.wanted ? o.key and o.command_id <> c.command_id
      and o.state in (${notOver})
      and c.issued_at >= (select issued_at from setting_change where command_id = o.command_id)`.execute(trx)
}

import { aboutPush } from '@linewarden/contract'
import { dayMs } from '@linewarden/equipment'
import type { Kysely, Selectable } from 'kysely'
import { sql } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import type { Owner } from '../core/tenant.ts'
import { ownedBy } from '../core/tenant.ts'
import { hashSecret, makeSecret } from '../site/gateway-secret.ts'

export type StoredPush = Selectable<Schema['push']>

/** Subscriptions of a project, with how many of their messages wait to be processed. */
export async function pushesOf({ general }: Database, projectId: number): Promise<(StoredPush & { waiting: number })[]> {
  const rows = await general
    .selectFrom('push')
    .selectAll()
    .select(
      sql<string>`(select count(*) from push_inbox where push_inbox.push_id = push.push_id and done_at is null)`.as('waiting'),
    )
    .where('project_id', '=', projectId)
    .where('removed_at', 'is', null)
    .orderBy('push_id')
    .execute()
  return rows.map((row) => ({ ...row, waiting: Number(row.waiting) }))
}

export const pushById = (db: Kysely<Schema>, pushId: number): Promise<StoredPush | undefined> =>
  db.selectFrom('push').selectAll().where('push_id', '=', pushId).where('removed_at', 'is', null).executeTakeFirst()

export interface NewPush {
  readonly projectId: number
  readonly platform: StoredPush['platform']
  readonly name: string
  readonly secret: string
  readonly aesKey: string | null
  readonly products: Readonly<Record<string, string>>
  readonly reportingPeriodMs: number
}

/** `full` when the project has `most` already, `gone` when it is not this owner's any more. */
export async function insertPush(
  { general }: Database,
  push: NewPush,
  { most, owner }: { readonly most: number; readonly owner: Owner },
  audit: AuditEntry,
): Promise<number | 'full' | 'gone'> {
  return general.transaction().execute(async (trx) => {
    const project = await projectOf(trx, push.projectId, owner).forNoKeyUpdate().executeTakeFirst()
    if (!project) return 'gone'
    const { count } = await trx
      .selectFrom('push')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('project_id', '=', push.projectId)
      .where('removed_at', 'is', null)
      .executeTakeFirstOrThrow()
    if (Number(count) >= most) return 'full'
    const { push_id } = await trx
      .insertInto('push')
      .values({
        project_id: push.projectId,
        platform: push.platform,
        name: push.name,
        secret: push.secret,
        aes_key: push.aesKey,
        products: JSON.stringify(push.products),
        reporting_period_ms: push.reportingPeriodMs,
      })
      .returning('push_id')
      .executeTakeFirstOrThrow()
    const { name, platform, products } = push
    await appendAudit(trx, { ...audit, subject: aboutPush(push.projectId, push_id), after: { name, platform, products } })
    return push_id
  })
}

export interface PushChange {
  readonly name?: string
  readonly secret?: string
  readonly aes_key?: string | null
  readonly products?: string
  readonly reporting_period_ms?: number
  readonly enabled?: boolean
  readonly removed_at?: Date
}

/** `changed` when it is not in this version any more; a version of null asks for none. `gone` also when its project is not this owner's any more. */
export async function changePush(
  { general }: Database,
  { pushId, version, owner }: { readonly pushId: number; readonly version: number | null; readonly owner: Owner },
  change: PushChange,
  audit: AuditEntry,
): Promise<'done' | 'changed' | 'gone'> {
  return general.transaction().execute(async (trx) => {
    const before = await trx
      .selectFrom('push')
      .selectAll()
      .where('push_id', '=', pushId)
      .where('removed_at', 'is', null)
      .forUpdate()
      .executeTakeFirst()
    // A project that changes hands shuts its subscriptions, so whoever was quicker at this row is followed by that.
    if (!before || !(await projectOf(trx, before.project_id, owner).executeTakeFirst())) return 'gone'
    if (version !== null && before.version !== version) return 'changed'
    await trx
      .updateTable('push')
      .set({ ...change, ...(change.secret !== undefined && { owner_changed_at: null }), version: before.version + 1 })
      .where('push_id', '=', pushId)
      .execute()
    // What opens the door is never written down.
    const logged = ({ name, products, enabled }: { name?: string; products?: unknown; enabled?: boolean }) => ({
      name,
      products,
      enabled,
    })
    await appendAudit(trx, {
      ...audit,
      subject: aboutPush(before.project_id, pushId),
      before: logged(before),
      after: { ...logged(change), secret: change.secret === undefined ? undefined : 'new' },
    })
    return 'done'
  })
}

const projectOf = (trx: Kysely<Schema>, projectId: number, owner: Owner) =>
  trx.selectFrom('project').select('project_id').where('project_id', '=', projectId).where(ownedBy('owner_id', owner))

/**
 * Shuts the subscriptions of a project that goes to another owner: who had it before knows their addresses and secrets. The secret they get
 * is told to nobody; the new owner makes another. Answers what belongs in the log, written last of all.
 */
export async function shutPushesOf(trx: Kysely<Schema>, projectId: number, audit: AuditEntry): Promise<AuditEntry[]> {
  const open = await trx
    .selectFrom('push')
    .select(['push_id', 'enabled'])
    .where('project_id', '=', projectId)
    .where('removed_at', 'is', null)
    .orderBy('push_id')
    .forNoKeyUpdate()
    .execute()
  for (const { push_id } of open)
    await trx
      .updateTable('push')
      .set(({ eb }) => ({
        enabled: false,
        secret: hashSecret(makeSecret()),
        owner_changed_at: new Date(audit.at),
        version: eb('version', '+', 1),
      }))
      .where('push_id', '=', push_id)
      .execute()
  return open.map(({ push_id, enabled }) => ({
    ...audit,
    action: 'push.shut',
    subject: aboutPush(projectId, push_id),
    before: { enabled },
    after: { enabled: false, secret: 'new' },
  }))
}

/** Puts a message into the inbox. False when the same came before. */
export async function acceptPush({ general }: Database, pushId: number, key: Buffer, body: string, at: Date): Promise<boolean> {
  return general.transaction().execute(async (trx) => {
    const made = await trx
      .insertInto('push_inbox')
      .values({ push_id: pushId, key, received_at: at, body })
      .onConflict((oc) => oc.doNothing())
      .returning('inbox_id')
      .executeTakeFirst()
    await (made
      ? sql`update push set accepted = accepted + 1, last_at = ${at} where push_id = ${pushId}`
      : sql`update push set duplicates = duplicates + 1 where push_id = ${pushId}`
    ).execute(trx)
    return made !== undefined
  })
}

/** Adds up refusals; they are counted in memory first, so that a flood of them writes little. */
export async function countRefused(
  { general }: Database,
  pushId: number,
  refused: { readonly count: number; readonly last: string; readonly at: number },
): Promise<void> {
  await sql`update push set refused = refused + ${refused.count}, last_refusal = ${refused.last}, last_refused_at = ${new Date(refused.at)}
    where push_id = ${pushId}`.execute(general)
}

export interface WaitingPush {
  readonly inboxId: string
  readonly body: string
  readonly push: StoredPush
}

/** What waits, oldest first. */
export async function waitingPushes({ general }: Database, most: number): Promise<WaitingPush[]> {
  const rows = await general
    .selectFrom('push_inbox')
    .innerJoin('push', 'push.push_id', 'push_inbox.push_id')
    .selectAll('push')
    .select(['push_inbox.inbox_id', 'push_inbox.body'])
    .where('done_at', 'is', null)
    .orderBy('inbox_id')
    .limit(most)
    .execute()
  return rows.map(({ inbox_id, body, ...push }) => ({
    inboxId: inbox_id,
    body: body ?? '',
    push,
  }))
}

/** Only after what they said is committed. */
export async function donePushes(
  { general }: Database,
  done: readonly { readonly inboxId: string; readonly pushId: number; readonly setAside: boolean }[],
  at: Date,
): Promise<void> {
  await general.transaction().execute(async (trx) => {
    await sql`update push_inbox set done_at = ${at}, body = null where inbox_id = any(${done.map(({ inboxId }) => inboxId)}::bigint[])`.execute(
      trx,
    )
    const aside = done.filter(({ setAside }) => setAside).map(({ pushId }) => pushId)
    if (aside.length > 0)
      await sql`update push set set_aside = set_aside + counted.n
        from (select id, count(*) as n from unnest(${aside}::int[]) as id group by id) as counted where push_id = counted.id`.execute(
        trx,
      )
  })
}

/** The gateway of this project that a platform's device is: by its IMEI, or by the name it has there. */
export async function pushedGateway({ general }: Database, projectId: number, names: readonly string[]): Promise<number | null> {
  const found = await general
    .selectFrom('gateway')
    .select('gateway_id')
    .where('project_id', '=', projectId)
    .where('removed_at', 'is', null)
    .where(sql<boolean>`(imei = any(${[...names]}::text[]) or number = any(${[...names]}::text[]))`)
    .orderBy(sql`(imei = any(${[...names]}::text[])) is true`, 'desc')
    .limit(1)
    .executeTakeFirst()
  return found?.gateway_id ?? null
}

/** How long a message that was processed is remembered: what comes again within this time is known. */
export const rememberedDays = 30

export async function purgePushInbox({ general }: Database, now: number): Promise<void> {
  await general
    .deleteFrom('push_inbox')
    .where('done_at', 'is not', null)
    .where('received_at', '<', new Date(now - rememberedDays * dayMs))
    .execute()
}

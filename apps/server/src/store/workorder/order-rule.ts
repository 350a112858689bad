import type { Priority } from '@linewarden/equipment'
import type { PastAlarm, RuledAlarm } from '@linewarden/rules/workorder'
import { ruleCatchUpMs } from '@linewarden/rules/workorder'
import type { Insertable, Kysely, Selectable } from 'kysely'
import { sql } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'

type Db = Kysely<Schema>

export type OrderRuleRow = Selectable<Schema['order_rule']>

/** A rule with how many orders it made since an instant. */
export interface CountedRule extends OrderRuleRow {
  readonly made: number
}

export const rulesOfProject = (db: Db, projectId: number, since: number): Promise<CountedRule[]> =>
  db
    .selectFrom('order_rule')
    .selectAll()
    .select(
      sql<number>`(select count(*)::int from order_rule_event made where made.project_id = order_rule.project_id
        and made.rule_id = order_rule.rule_id and outcome = 'made' and at >= ${new Date(since)})`.as('made'),
    )
    .where('project_id', '=', projectId)
    .orderBy('rule_id')
    .execute()

/** Rules in force, whichever project's, the oldest first. */
export const enabledRules = (db: Db): Promise<OrderRuleRow[]> =>
  db.selectFrom('order_rule').selectAll().where(sql<boolean>`enabled`).orderBy('rule_id').execute()

type Written = Omit<Insertable<Schema['order_rule']>, 'project_id' | 'version'>

/** Writes a rule over the version its editor saw, a new one, or takes one out. */
export async function saveRule(
  { general }: Database,
  asked: {
    readonly projectId: number
    /** Null: a new one. */
    readonly ruleId: number | null
    readonly version: number
    readonly most: number
    /** Null: it is taken out. */
    readonly written: Written | null
  },
  audit: (before: OrderRuleRow | null) => AuditEntry,
): Promise<'done' | 'changed' | 'gone' | 'many'> {
  const { projectId, ruleId, written } = asked
  return general.transaction().execute(async (trx) => {
    const project = trx.selectFrom('project').select('project_id').where('project_id', '=', projectId)
    await project.forNoKeyUpdate().executeTakeFirst()
    const rules = await trx.selectFrom('order_rule').selectAll().where('project_id', '=', projectId).execute()
    const before = rules.find((rule) => rule.rule_id === ruleId) ?? null
    if (ruleId !== null && !before) return 'gone'
    if (before && before.version !== asked.version) return 'changed'
    if (!before && rules.length >= asked.most) return 'many'
    if (!written) {
      if (!before) return 'gone'
      await trx.deleteFrom('order_rule').where('rule_id', '=', before.rule_id).execute()
    } else if (before)
      await trx
        .updateTable('order_rule')
        // Of what came while it was disabled it sends nobody.
        .set({
          ...written,
          version: before.version + 1,
          ...(before.enabled && written.enabled && { enabled_at: before.enabled_at }),
        })
        .where('rule_id', '=', before.rule_id)
        .execute()
    else
      await trx
        .insertInto('order_rule')
        .values({ ...written, project_id: projectId })
        .execute()
    await appendAudit(trx, audit(before))
    return 'done'
  })
}

/** An alarm that a rule may be about. */
export interface RuleCandidate extends RuledAlarm {
  readonly eventId: string
}

const columns = sql`event_id, key, priority, coalesce(raised_again_at, raised_at) as raised, acknowledged_at, returned_at,
  (folded or suppressed is not null) as is_folded`

interface AlarmRow {
  readonly event_id: string
  readonly key: string
  readonly priority: Priority
  readonly raised: Date
  readonly acknowledged_at: Date | null
  readonly returned_at: Date | null
  readonly is_folded: boolean
}

const alarmOf = (row: AlarmRow): RuledAlarm => ({
  ...{ key: row.key, priority: row.priority, raisedAt: row.raised.getTime(), isFolded: row.is_folded },
  acknowledgedAt: row.acknowledged_at?.getTime() ?? null,
  returnedAt: row.returned_at?.getTime() ?? null,
})

/** Alarms, faults and findings of a project that were raised since its rule is in force, and that nobody is sent for yet; the oldest first. */
export async function ruleCandidates(
  db: Db,
  rule: OrderRuleRow,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<readonly RuleCandidate[]> {
  const from = new Date(Math.max(rule.enabled_at?.getTime() ?? now, now - ruleCatchUpMs))
  const { rows } = await sql<AlarmRow>`
    select ${columns} from event
    where project_id = ${rule.project_id} and kind in ('alarm', 'fault', 'warning') and key <> 'order.flood' and gateway_id is not null
      and (raised_at >= ${from} or raised_again_at >= ${from}) and coalesce(raised_again_at, raised_at) >= ${from}
      and coalesce(raised_again_at, raised_at) <= ${new Date(now - rule.after_min * 60_000)}
      -- What nobody is sent for must not stand before what somebody is.
      and not folded and suppressed is null
      and (${rule.after_min}::int = 0 or least(coalesce(acknowledged_at, 'infinity'), coalesce(returned_at, 'infinity'))
        > coalesce(raised_again_at, raised_at) + make_interval(mins => ${rule.after_min}::int))
      and (cardinality(${[...rule.keys]}::text[]) = 0 or key = any(${[...rule.keys]}::text[]))
      and (cardinality(${[...rule.priorities]}::text[]) = 0 or priority = any(${[...rule.priorities]}::text[]))
      and not exists (select from order_rule_event done where done.event_id = event.event_id)
      and not exists (select from work_order_event joined where joined.event_id = event.event_id)
    order by event_id limit ${limit}`.execute(db)
  return rows.map((row) => ({ ...alarmOf(row), eventId: row.event_id }))
}

/** The alarms of a project since an instant, for a preview, and where each was. */
export async function pastAlarms(
  db: Db,
  projectId: number,
  { since, limit }: { readonly since: number; readonly limit: number },
): Promise<readonly (PastAlarm & { readonly label: { readonly zh: string; readonly en: string } })[]> {
  const { rows } = await sql<AlarmRow & { place: string; label_zh: string; label_en: string }>`
    select ${columns}, label_zh, label_en,
      concat_ws(' ', gateway_id, coalesce(device_id, 0), coalesce(line_id, 0)) as place
    from event where project_id = ${projectId} and kind in ('alarm', 'fault', 'warning') and gateway_id is not null
      and coalesce(raised_again_at, raised_at) >= ${new Date(since)}
    order by event_id desc limit ${limit}`.execute(db)
  return rows.map((row) => ({ ...alarmOf(row), place: row.place, label: { zh: row.label_zh, en: row.label_en } }))
}

/** What an alarm comes to by a rule. Null: somebody else sent for it, or nobody is to be sent any more. */
export interface RuleWork {
  readonly madeInHour: number
  /** An open summary of the last hour. */
  readonly summaryId: number | null
  readonly finish: (outcome: 'made' | 'joined' | 'summary', orderId: number) => Promise<void>
  readonly trx: Db
  readonly alarm: RuledAlarm
}

/**
 * Works on one alarm for a rule, one at a time in its project, on whichever server: what two servers see at one moment is done once, and no hour
 * has more orders than it may.
 */
export async function underRule<T>(
  { general }: Database,
  { rule, eventId, now }: { readonly rule: OrderRuleRow; readonly eventId: string; readonly now: number },
  work: (work: RuleWork) => Promise<T | null>,
): Promise<T | null> {
  return general.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtext('order rules'), ${rule.project_id})`.execute(trx)
    const { rows } = await sql<AlarmRow>`
      select ${columns} from event where event_id = ${eventId} and project_id = ${rule.project_id}
        and exists (select from order_rule where rule_id = ${rule.rule_id} and version = ${rule.version} and enabled)
        and not exists (select from order_rule_event done where done.event_id = event.event_id)
        and not exists (select from work_order_event joined where joined.event_id = event.event_id)`.execute(trx)
    const [row] = rows
    if (!row) return null
    const hourAgo = new Date(now - 3_600_000)
    const counted = await sql<{ made: number; summary: number | null }>`
      select (select count(*)::int from order_rule_event where project_id = ${rule.project_id} and outcome = 'made' and at > ${hourAgo}) as made,
        (select order_id from order_rule_event join work_order using (order_id)
          where order_rule_event.project_id = ${rule.project_id} and outcome = 'summary' and created_at > ${hourAgo}
            and status in ('undispatched', 'dispatched') order by order_id desc limit 1) as summary`.execute(trx)
    return work({
      ...{ trx, alarm: alarmOf(row), madeInHour: counted.rows[0]?.made ?? 0, summaryId: counted.rows[0]?.summary ?? null },
      async finish(outcome, orderId) {
        await trx
          .insertInto('order_rule_event')
          .values({
            ...{
              event_id: eventId,
              project_id: rule.project_id,
              rule_id: rule.rule_id,
              order_id: orderId,
              outcome,
              at: new Date(now),
            },
          })
          .execute()
      },
    })
  })
}

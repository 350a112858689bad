import { about } from '@linewarden/contract'
import type { RuleTargets, RuleValues, StoredRule } from '@linewarden/rules/warning'
import type { Kysely, Selectable } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit, turnAtLog } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'

type RuleRow = Selectable<Schema['warning_rule']>
export type RuleChangeRow = Selectable<Schema['warning_rule_change']>

/** Which rule: of a project, or the default of an owner (null: the installation's own). */
export interface RulePlaceOfKey {
  readonly key: string
  readonly projectId: number | null
  readonly ownerId: string | null
}

/** A rule that somebody set, and whether it is still in force there. */
export interface KeptRule extends StoredRule {
  readonly inForce: boolean
  readonly changedAt: number
  readonly changedBy: string
}

/** Every rule that somebody set, in force or given up. There are at most as many as projects and keys. */
export async function keptRules({ general }: Pick<Database, 'general'>): Promise<KeptRule[]> {
  return (await general.selectFrom('warning_rule').selectAll().orderBy('rule_id').execute()).map(ruleOf)
}

/** Those of one place. */
export async function keptRulesAt(
  { general }: Pick<Database, 'general'>,
  { projectId, ownerId }: Pick<RulePlaceOfKey, 'projectId' | 'ownerId'>,
): Promise<KeptRule[]> {
  const rows = await general
    .selectFrom('warning_rule')
    .selectAll()
    .where((is) =>
      is.or([
        is.and([is('project_id', 'is', null), is('owner_id', 'is not distinct from', ownerId)]),
        ...(projectId === null ? [] : [is('project_id', '=', projectId)]),
      ]),
    )
    .execute()
  return rows.map(ruleOf)
}

export interface RuleChange extends RulePlaceOfKey {
  /** As the caller read it; 0: nobody had set it there. */
  readonly version: number
  readonly before: RuleValues
  readonly after: RuleValues
  /** It is given up for the level above. */
  readonly restored: boolean
  readonly reason: string
}

/** Sets a rule, with its entry in the log and in its own history. `changed`: somebody else did in between. */
export async function changeRule(database: Database, change: RuleChange, audit: AuditEntry): Promise<KeptRule | 'changed'> {
  return database.general.transaction().execute(async (trx) => {
    await turnAtLog(trx)
    const found = await ruleAt(trx, change)
    if ((found?.version ?? 0) !== change.version) return 'changed'
    const values = { ...columnsOf(change), changed_at: new Date(audit.at), changed_by: audit.actor, version: change.version + 1 }
    const row = found
      ? await trx
          .updateTable('warning_rule')
          .set(values)
          .where('rule_id', '=', found.rule_id)
          .returningAll()
          .executeTakeFirstOrThrow()
      : await trx
          .insertInto('warning_rule')
          .values({ ...values, key: change.key, project_id: change.projectId, owner_id: change.ownerId })
          .onConflict((conflict) => conflict.doNothing())
          .returningAll()
          .executeTakeFirst()
    if (!row) return 'changed'
    await trx
      .insertInto('warning_rule_change')
      .values({
        rule_id: row.rule_id,
        version: row.version,
        at: values.changed_at,
        actor: audit.actor,
        reason: change.reason,
        restored: change.restored,
        before: JSON.stringify(change.before),
        after: JSON.stringify(change.after),
      })
      .execute()
    await appendAudit(trx, { ...audit, subject: about('warningRule', row.rule_id), before: change.before, after: change.after })
    return ruleOf(row)
  })
}

const ruleAt = (trx: Kysely<Schema>, { key, projectId, ownerId }: RulePlaceOfKey): Promise<RuleRow | undefined> =>
  trx
    .selectFrom('warning_rule')
    .selectAll()
    .where('key', '=', key)
    .where('project_id', 'is not distinct from', projectId)
    .where('owner_id', 'is not distinct from', ownerId)
    .forUpdate()
    .executeTakeFirst()

/** A page of what was changed of a rule, the newest first, and how much that is. */
export async function changesOfRule(
  { general }: Pick<Database, 'general'>,
  { key, projectId, ownerId }: RulePlaceOfKey,
  { page, size }: { readonly page: number; readonly size: number },
): Promise<{ readonly rows: readonly RuleChangeRow[]; readonly total: number }> {
  const all = general
    .selectFrom('warning_rule_change')
    .innerJoin('warning_rule', 'warning_rule.rule_id', 'warning_rule_change.rule_id')
    .where('key', '=', key)
    .where('project_id', 'is not distinct from', projectId)
    .where('owner_id', 'is not distinct from', ownerId)
  const rows = await all
    .selectAll('warning_rule_change')
    .orderBy('warning_rule_change.version', 'desc')
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  const { total } = await all.select(({ fn }) => fn.countAll<string>().as('total')).executeTakeFirstOrThrow()
  return { rows, total: Number(total) }
}

/** What rules are called in the log: their keys, with whose they are. */
export async function rulesById({ general }: Database, ids: readonly number[]): Promise<KeptRule[]> {
  const rows = await general
    .selectFrom('warning_rule')
    .selectAll()
    .where('rule_id', 'in', [...ids, 0])
    .execute()
  return rows.map(ruleOf)
}

const columnsOf = ({ after, restored }: Pick<RuleChange, 'after' | 'restored'>) => ({
  in_force: !restored,
  enabled: after.enabled,
  params: JSON.stringify(after.params),
  priority: after.priority,
  target: after.targets.kind,
  families: after.targets.kind === 'families' ? [...after.targets.families] : [],
  line_ids: after.targets.kind === 'lines' ? [...after.targets.lineIds] : [],
  except_line_ids: [...after.except],
})

const ruleOf = (row: RuleRow): KeptRule => ({
  ruleId: row.rule_id,
  projectId: row.project_id,
  ownerId: row.owner_id,
  key: row.key,
  version: row.version,
  inForce: row.in_force,
  enabled: row.enabled,
  params: row.params,
  priority: row.priority,
  targets: targetsOf(row),
  except: row.except_line_ids,
  changedAt: row.changed_at.getTime(),
  changedBy: row.changed_by,
})

function targetsOf({ target, families, line_ids }: RuleRow): RuleTargets {
  if (target === 'families') return { kind: target, families }
  return target === 'lines' ? { kind: target, lineIds: line_ids } : { kind: target }
}

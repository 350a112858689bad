import { about } from '@linewarden/contract'
import type { RuleTargets, RuleValues, StoredRule } from '@linewarden/rules/warning'
import type { Selectable } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { changesOfVersioned, changeVersioned } from '../audit/versioned.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'

type RuleRow = Selectable<Schema['warning_rule']>
export type RuleChangeRow = Selectable<Schema['warning_rule_change']>

const kept = { table: 'warning_rule', changes: 'warning_rule_change', id: 'rule_id' } as const

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
  const written = { ...change, values: columnsOf(change), at: placeOf(change) }
  const row = await changeVersioned<RuleRow>(database, kept, written, audit, ({ rule_id }) => about('warningRule', rule_id))
  return row === 'changed' ? row : ruleOf(row)
}

/** A page of what was changed of a rule, the newest first, and how much that is. */
export const changesOfRule = (
  database: Pick<Database, 'general'>,
  place: RulePlaceOfKey,
  page: { readonly page: number; readonly size: number },
) => changesOfVersioned<RuleChangeRow>(database, kept, placeOf(place), page)

const placeOf = ({ key, projectId, ownerId }: RulePlaceOfKey) => ({ key, project_id: projectId, owner_id: ownerId })

/** What rules are called in the log: their keys, with whose they are. */
export async function rulesById({ general }: Database, ids: readonly number[]): Promise<KeptRule[]> {
  const rows = await general
    .selectFrom('warning_rule')
    .selectAll()
    .where('rule_id', 'in', [...ids, 0])
    .execute()
  return rows.map(ruleOf)
}

const columnsOf = ({ after }: Pick<RuleChange, 'after'>) => ({
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

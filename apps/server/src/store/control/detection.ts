import type { QuietWindow } from '@linewarden/rules/control'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'

/** How often a line is to be tested. */
export interface StoredPlan {
  readonly enabled: boolean
  readonly everyDays: number
  readonly version: number
}

/** Every plan that somebody set, by line. */
export async function detectionPlans({ general }: Database): Promise<Map<number, StoredPlan>> {
  const rows = await general.selectFrom('detection_plan').selectAll().execute()
  return new Map(
    rows.map((row) => [row.line_id, { enabled: row.enabled, everyDays: row.every_days, version: row.version }] as const),
  )
}

/** Saves a plan over the version its editor saw. Null when somebody else was first. */
export async function savePlan(
  { general }: Database,
  lineId: number,
  plan: StoredPlan,
  by: { readonly at: number; readonly actor: string },
  audit: AuditEntry,
): Promise<StoredPlan | null> {
  return general.transaction().execute(async (trx) => {
    const values = {
      enabled: plan.enabled,
      every_days: plan.everyDays,
      changed_at: new Date(by.at),
      changed_by: by.actor,
    }
    const row =
      plan.version === 0
        ? await trx
            .insertInto('detection_plan')
            .values({ line_id: lineId, ...values })
            .onConflict((oc) => oc.column('line_id').doNothing())
            .returning('version')
            .executeTakeFirst()
        : await trx
            .updateTable('detection_plan')
            .set(({ eb }) => ({ ...values, version: eb('version', '+', 1) }))
            .where('line_id', '=', lineId)
            .where('version', '=', plan.version)
            .returning('version')
            .executeTakeFirst()
    if (!row) return null
    await appendAudit(trx, audit)
    return { ...plan, version: row.version }
  })
}

/** The quiet hours of a project, and in which version they are. */
export interface StoredQuietHours {
  readonly windows: readonly QuietWindow[]
  readonly version: number
}

/** The quiet hours of every project. */
export async function quietHoursOfAll({ general }: Database): Promise<Map<number, StoredQuietHours>> {
  const projects = await general.selectFrom('project').select(['project_id', 'quiet_version']).execute()
  const rows = await general.selectFrom('quiet_hours').selectAll().orderBy('quiet_id').execute()
  const byProject = Map.groupBy(rows, ({ project_id }) => project_id)
  return new Map(
    projects.map(({ project_id, quiet_version }) => {
      const windows = (byProject.get(project_id) ?? []).map(({ days, from_minute, to_minute }) => ({
        days,
        fromMinute: from_minute,
        toMinute: to_minute,
      }))
      return [project_id, { windows, version: quiet_version }]
    }),
  )
}

/** Saves quiet hours over the version their editor saw. Null when somebody else was first. */
export async function saveQuietHours(
  { general }: Database,
  projectId: number,
  { windows, version }: StoredQuietHours,
  audit: AuditEntry,
): Promise<StoredQuietHours | null> {
  return general.transaction().execute(async (trx) => {
    const project = await trx
      .updateTable('project')
      .set(({ eb }) => ({ quiet_version: eb('quiet_version', '+', 1) }))
      .where('project_id', '=', projectId)
      .where('quiet_version', '=', version)
      .returning('quiet_version')
      .executeTakeFirst()
    if (!project) return null
    await trx.deleteFrom('quiet_hours').where('project_id', '=', projectId).execute()
    if (windows.length > 0)
      await trx
        .insertInto('quiet_hours')
        .values(
          windows.map(({ days, fromMinute, toMinute }) => ({
            project_id: projectId,
            days,
            from_minute: fromMinute,
            to_minute: toMinute,
          })),
        )
        .execute()
    await appendAudit(trx, audit)
    return { windows, version: project.quiet_version }
  })
}

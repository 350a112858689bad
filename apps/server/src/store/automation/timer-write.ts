import { about } from '@linewarden/contract'
import { maxProjectTimers } from '@linewarden/rules/automation'
import type { Kysely } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import type { DueBy } from './due.ts'
import { changeDue } from './due.ts'
import { revokeExecutions } from './execution.ts'
import { keepsLines } from './scene.ts'
import type { TimerValues } from './timer.ts'
import { columnsOf } from './timer.ts'

type Audit = Omit<AuditEntry, 'subject'>
/** `exists`: another timer of the project has the name. `changed`: somebody saved it meanwhile. `full`: the project has as many as it may. `moved`: a line is not there any more. `scene changed`: its scene was saved or removed since it was read. */
export type TimerSaved = { readonly timerId: number } | 'exists' | 'changed' | 'full' | 'moved' | 'scene changed'

/** Adds a timer with its lines, what it is due for next, and its audit entry, in one transaction. */
export function insertTimer(
  { general }: Database,
  projectId: number,
  timer: TimerValues,
  due: DueBy,
  audit: Audit,
): Promise<TimerSaved> {
  return general.transaction().execute(async (trx) => {
    if (!(await keepsScene(trx, projectId, timer))) return 'scene changed'
    // One after the other, so that two who add at once see each other's names and count.
    await trx.selectFrom('project').select('project_id').where('project_id', '=', projectId).forNoKeyUpdate().execute()
    if (await nameIsTaken(trx, projectId, timer.name, 0)) return 'exists'
    const { count } = await trx
      .selectFrom('timer')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('project_id', '=', projectId)
      .where('removed_at', 'is', null)
      .executeTakeFirstOrThrow()
    if (Number(count) >= maxProjectTimers) return 'full'
    // An enabled timer keeps its lines where they are: whoever moves them waits, or has moved them.
    if (timer.enabled && timer.sceneId === null && !(await keepsLines(trx, projectId, timer.lineIds))) return 'moved'
    const { timer_id } = await trx
      .insertInto('timer')
      .values({
        ...columnsOf(timer),
        project_id: projectId,
        changed_at: new Date(audit.at),
        changed_by: audit.actor,
        removed_at: null,
      })
      .returning('timer_id')
      .executeTakeFirstOrThrow()
    await writeLines(trx, timer_id, timer)
    await changeDue(trx, { timerId: timer_id, version: 1 }, due)
    await appendAudit(trx, { ...audit, subject: subjectOf(timer_id) })
    return { timerId: timer_id }
  })
}

/** Changes a timer that is as it was read, with what it is due for next; what is due already stays for whoever claims it. */
export function updateTimer(
  { general }: Database,
  { timerId, projectId, version }: { readonly timerId: number; readonly projectId: number; readonly version: number },
  timer: TimerValues,
  due: DueBy,
  audit: Audit,
): Promise<TimerSaved> {
  return general.transaction().execute(async (trx) => {
    if (!(await keepsScene(trx, projectId, timer))) return 'scene changed'
    await trx.selectFrom('project').select('project_id').where('project_id', '=', projectId).forNoKeyUpdate().execute()
    if (await nameIsTaken(trx, projectId, timer.name, timerId)) return 'exists'
    const comes = await comesToLines(trx, timerId, timer)
    if (comes && !(await keepsLines(trx, projectId, timer.lineIds))) return 'moved'
    const row = await trx
      .updateTable('timer')
      .set({ ...columnsOf(timer), version: version + 1, changed_at: new Date(audit.at), changed_by: audit.actor })
      .where('timer_id', '=', timerId)
      .where('version', '=', version)
      .where('removed_at', 'is', null)
      .returning('timer_id')
      .executeTakeFirst()
    if (!row) return 'changed'
    await revokeExecutions(trx, timerId)
    await changeDue(trx, { timerId, version: version + 1 }, due)
    await trx.deleteFrom('timer_line').where('timer_id', '=', timerId).execute()
    await writeLines(trx, timerId, timer)
    await appendAudit(trx, { ...audit, subject: subjectOf(timerId) })
    return { timerId }
  })
}

/** Removes a timer: nothing becomes due any more, what is due already ends as skipped. Its log and what it was stay. */
export function removeTimer(
  { general }: Database,
  { timerId, version }: { readonly timerId: number; readonly version: number },
  clock: DueBy['clock'],
  audit: Audit,
): Promise<TimerSaved> {
  return general.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable('timer')
      .set({ removed_at: new Date(audit.at), enabled: false, version: version + 1 })
      .where('timer_id', '=', timerId)
      .where('version', '=', version)
      .where('removed_at', 'is', null)
      .returning('timer_id')
      .executeTakeFirst()
    if (!row) return 'changed'
    await revokeExecutions(trx, timerId)
    await changeDue(trx, { timerId, version: version + 1 }, { clock, next: () => ({ timeZone: '', due: null }) })
    await appendAudit(trx, { ...audit, subject: subjectOf(timerId) })
    return { timerId }
  })
}

/** Whether it begins to act on a line that it did not act on before. */
async function comesToLines(trx: Kysely<Schema>, timerId: number, { enabled, sceneId, lineIds }: TimerValues): Promise<boolean> {
  // Those of a scene the scene keeps where they are.
  if (!enabled || sceneId !== null) return false
  const before = await trx
    .selectFrom('timer_line')
    .innerJoin('timer', 'timer.timer_id', 'timer_line.timer_id')
    .select('line_id')
    .where('timer.timer_id', '=', timerId)
    .where('enabled', '=', true)
    .execute()
  const had = new Set(before.map(({ line_id }) => line_id))
  return lineIds.some((id) => !had.has(id))
}

/** Whether its scene is as it was read, where it runs one. Keeps it so until the transaction ends: before the project, as whoever saves a scene does. */
async function keepsScene(trx: Kysely<Schema>, projectId: number, { enabled, sceneId, scene }: TimerValues): Promise<boolean> {
  if (sceneId === null) return true
  const row = await trx
    .selectFrom('scene')
    .select('version')
    .where('scene_id', '=', sceneId)
    .where('project_id', '=', projectId)
    .where('removed_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  if (!row) return !enabled && scene == null
  return !enabled || !scene || row.version === scene.version
}

const subjectOf = (timerId: number) => about('timer', timerId)

async function nameIsTaken(trx: Kysely<Schema>, projectId: number, name: string, except: number): Promise<boolean> {
  const row = await trx
    .selectFrom('timer')
    .select('timer_id')
    .where('project_id', '=', projectId)
    .where(({ eb, fn, val }) => eb(fn<string>('lower', ['name']), '=', fn<string>('lower', [val(name)])))
    .where('removed_at', 'is', null)
    .where('timer_id', '<>', except)
    .executeTakeFirst()
  return row !== undefined
}

async function writeLines(trx: Kysely<Schema>, timerId: number, { sceneId, lineIds }: TimerValues): Promise<void> {
  // Those of a scene are the scene's.
  if (sceneId !== null || lineIds.length === 0) return
  await trx
    .insertInto('timer_line')
    .values(lineIds.map((line_id, position) => ({ timer_id: timerId, position, line_id })))
    .execute()
}

import { about } from '@linewarden/contract'
import type { CalendarDay, DayClass, GeoPosition } from '@linewarden/rules/automation'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import type { LeaseClock } from '../jobs/due-work.ts'
import { lockDue } from './due.ts'
import type { NextDue, StoredTimer } from './timer.ts'
import { replaceDue, timersWhere } from './timer.ts'

type Db = Kysely<Schema>

/** By which clock, and by whose sun, timers of a project act. */
export interface ProjectSite {
  readonly timeZone: string
  /** Null: not entered. */
  readonly position: GeoPosition | null
}

export async function sitesOfProjects(db: Db, projectIds: readonly number[]): Promise<ReadonlyMap<number, ProjectSite>> {
  const rows = await db
    .selectFrom('project')
    .select(['project_id', 'time_zone', 'latitude', 'longitude'])
    .where(sql<boolean>`project_id = any(${[...projectIds]}::int[])`)
    .execute()
  return new Map(
    rows.map(({ project_id, time_zone, latitude, longitude }) => [
      project_id,
      { timeZone: time_zone, position: latitude === null || longitude === null ? null : { latitude, longitude } },
    ]),
  )
}

/** Days that projects have entered, by project. */
export async function daysOfProjects(
  db: Db,
  projectIds: readonly number[],
): Promise<ReadonlyMap<number, readonly CalendarDay[]>> {
  const rows = await db
    .selectFrom('day_class')
    .select(['project_id', 'day', 'class', 'name', 'origin'])
    .where(sql<boolean>`project_id = any(${[...projectIds]}::int[])`)
    .orderBy('day')
    .execute()
  return new Map(
    [...Map.groupBy(rows, ({ project_id }) => project_id)].map(([id, own]) => [
      id,
      own.map(({ day, class: dayClass, name, origin }) => ({ date: day, class: dayClass, name, origin })),
    ]),
  )
}

/** Who entered which days of a project, and when; by date. */
export async function enteredBy(
  db: Db,
  projectId: number,
): Promise<ReadonlyMap<string, { readonly by: string; readonly at: number }>> {
  const rows = await db
    .selectFrom('day_class')
    .select(['day', 'changed_by', 'changed_at'])
    .where('project_id', '=', projectId)
    .execute()
  return new Map(rows.map(({ day, changed_by, changed_at }) => [day, { by: changed_by, at: changed_at.getTime() }]))
}

/** Days that somebody enters of a project; a class of null takes an entry away. */
export type EnteredDay = { readonly date: string; readonly class: DayClass | null; readonly name: string }

/** What is entered, given what is there, and how the audit trail has it. */
export type EnterDays = (entered: readonly CalendarDay[]) => {
  readonly days: readonly EnteredDay[]
  readonly origin: 'import' | 'person'
  readonly audit: Omit<AuditEntry, 'subject'>
}

/** Enters days, and makes what the timers of the project are due for anew, by the calendar as it then is. */
export function enterDays(
  { general }: Database,
  projectId: number,
  enter: EnterDays,
  {
    clock,
    next,
  }: {
    clock: LeaseClock
    next: (timer: StoredTimer, entered: readonly CalendarDay[], after: number, site: ProjectSite) => NextDue
  },
): Promise<void> {
  return general.transaction().execute(async (trx) => {
    // One at a time: what is there is what the days are compared with.
    await trx.selectFrom('project').select('project_id').where('project_id', '=', projectId).forNoKeyUpdate().execute()
    const { days, origin, audit } = enter((await daysOfProjects(trx, [projectId])).get(projectId) ?? [])
    const dates = days.map(({ date }) => date)
    await trx
      .deleteFrom('day_class')
      .where('project_id', '=', projectId)
      .where(sql<boolean>`day = any(${dates}::text[])`)
      .execute()
    const rows = days.flatMap(({ date, class: dayClass, name }) =>
      dayClass === null
        ? []
        : {
            ...{ project_id: projectId, day: date, class: dayClass, name, origin },
            ...{ changed_at: new Date(audit.at), changed_by: audit.actor },
          },
    )
    if (rows.length > 0) await trx.insertInto('day_class').values(rows).execute()
    const entered = (await daysOfProjects(trx, [projectId])).get(projectId) ?? []
    const site = (await sitesOfProjects(trx, [projectId])).get(projectId) ?? { timeZone: 'UTC', position: null }
    // What is due already stays for whoever claims it: it was due by the calendar of that moment.
    for (const timer of await timersWhere(trx, { projectIds: [projectId], enabled: true })) {
      const { due, now } = await lockDue(trx, timer.timerId, clock)
      if (due === null || due > now) await replaceDue(trx, timer, next(timer, entered, now, site))
    }
    await appendAudit(trx, { ...audit, subject: about('project', projectId) })
  })
}

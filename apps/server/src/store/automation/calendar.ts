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

/** By which clock, by whose sun, and by whose days, timers of a project act. */
export interface ProjectSite {
  readonly timeZone: string
  /** Null: it is the installation's own. */
  readonly ownerId: string | null
  /** Null: not entered. */
  readonly position: GeoPosition | null
}

export async function sitesOfProjects(db: Db, projectIds: readonly number[]): Promise<ReadonlyMap<number, ProjectSite>> {
  const rows = await db
    .selectFrom('project')
    .select(['project_id', 'time_zone', 'owner_id', 'latitude', 'longitude'])
    .where(sql<boolean>`project_id = any(${[...projectIds]}::int[])`)
    .execute()
  return new Map(
    rows.map(({ project_id, time_zone, owner_id, latitude, longitude }) => [
      project_id,
      {
        ...{ timeZone: time_zone, ownerId: owner_id },
        position: latitude === null || longitude === null ? null : { latitude, longitude },
      },
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
    .select(['project_id', 'day', 'class', 'name', 'origin', 'is_public'])
    .where(sql<boolean>`project_id = any(${[...projectIds]}::int[])`)
    .orderBy('day')
    .execute()
  return new Map([...Map.groupBy(rows, ({ project_id }) => project_id)].map(([id, own]) => [id, own.map(dayOf)]))
}

/** Days that these owners have entered for all of their projects, by owner; null: of the installation's own. */
export async function daysOfOwners(
  db: Db,
  ownerIds: readonly (string | null)[],
): Promise<ReadonlyMap<string | null, readonly CalendarDay[]>> {
  const rows = await daysByOwner(db, ownerIds).orderBy('day').execute()
  return new Map([...Map.groupBy(rows, ({ owner_id }) => owner_id)].map(([id, own]) => [id, own.map(dayOf)]))
}

type DayRow = Pick<Schema['day_class'], 'day' | 'class' | 'name' | 'origin' | 'is_public'>

const dayOf = ({ day, class: dayClass, name, origin, is_public: isPublic }: DayRow): CalendarDay => ({
  ...{ date: day, class: dayClass, name, origin, isPublic },
})

const daysByOwner = (db: Db, ownerIds: readonly (string | null)[]) =>
  db
    .selectFrom('owner_day_class')
    .selectAll()
    .where(
      sql<boolean>`(owner_id = any(${ownerIds.filter((id) => id !== null)}::uuid[]) or owner_id is null and ${ownerIds.includes(null)}::boolean)`,
    )

/** Who entered which days of an owner, and when; by date. */
export async function enteredByOwner(db: Db, ownerId: string | null): Promise<ReadonlyMap<string, Entered>> {
  const rows = await daysByOwner(db, [ownerId]).execute()
  return new Map(rows.map(({ day, changed_by, changed_at }) => [day, { by: changed_by, at: changed_at.getTime() }]))
}

interface Entered {
  readonly by: string
  readonly at: number
}

/** Who entered which days of a project, and when; by date. */
export async function enteredBy(db: Db, projectId: number): Promise<ReadonlyMap<string, Entered>> {
  const rows = await db
    .selectFrom('day_class')
    .select(['day', 'changed_by', 'changed_at'])
    .where('project_id', '=', projectId)
    .execute()
  return new Map(rows.map(({ day, changed_by, changed_at }) => [day, { by: changed_by, at: changed_at.getTime() }]))
}

/** Days that somebody enters; a class of null takes an entry away. */
export type EnteredDay = Pick<CalendarDay, 'date' | 'name' | 'isPublic'> & { readonly class: DayClass | null }

/** What is entered, given what is there, and how the audit trail has it. */
export type EnterDays = (entered: readonly CalendarDay[]) => {
  readonly days: readonly EnteredDay[]
  readonly origin: 'import' | 'person'
  readonly audit: Omit<AuditEntry, 'subject'>
}

/** What a project, and its owner, have entered. */
interface KnownDays {
  readonly entered: readonly CalendarDay[]
  readonly ofOwner: readonly CalendarDay[]
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
    next: (timer: StoredTimer, known: KnownDays, after: number, site: ProjectSite) => NextDue
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
    const rows = rowsOf(days, origin, audit).map((row) => ({ ...row, project_id: projectId }))
    if (rows.length > 0) await trx.insertInto('day_class').values(rows).execute()
    const entered = (await daysOfProjects(trx, [projectId])).get(projectId) ?? []
    const none: ProjectSite = { timeZone: 'UTC', ownerId: null, position: null }
    const site = (await sitesOfProjects(trx, [projectId])).get(projectId) ?? none
    const ofOwner = (await daysOfOwners(trx, [site.ownerId])).get(site.ownerId) ?? []
    // What is due already stays for whoever claims it: it was due by the calendar of that moment.
    for (const timer of await timersWhere(trx, { projectIds: [projectId], enabled: true })) {
      const { due, now } = await lockDue(trx, timer.timerId, clock)
      if (due === null || due > now) await replaceDue(trx, timer, next(timer, { entered, ofOwner }, now, site))
    }
    await appendAudit(trx, { ...audit, subject: about('project', projectId) })
  })
}

/** A class of null takes an entry away. */
const rowsOf = (days: readonly EnteredDay[], origin: 'import' | 'person', { at, actor }: Pick<AuditEntry, 'at' | 'actor'>) =>
  days.flatMap(({ date, class: dayClass, name, isPublic = false }) =>
    dayClass === null
      ? []
      : { ...{ day: date, class: dayClass, name, origin, is_public: isPublic }, changed_at: new Date(at), changed_by: actor },
  )

/**
 * Enters days of all projects of an owner. What their timers by calendar are due for is made anew by whoever looks next for what is due: of many
 * projects nobody waits for all of it. `projectId`: the project of theirs through which it was done.
 */
export function enterOwnerDays(
  { general }: Database,
  { ownerId, projectId }: { readonly ownerId: string | null; readonly projectId: number },
  enter: EnterDays,
): Promise<void> {
  return general.transaction().execute(async (trx) => {
    // One at a time: what is there is what the days are compared with.
    await sql`select pg_advisory_xact_lock(hashtext('owner calendar'), hashtext(${ownerId ?? ''}))`.execute(trx)
    const { days, origin, audit } = enter((await daysOfOwners(trx, [ownerId])).get(ownerId) ?? [])
    await sql`delete from owner_day_class where owner_id is not distinct from ${ownerId}::uuid
      and day = any(${days.map(({ date }) => date)}::text[])`.execute(trx)
    const rows = rowsOf(days, origin, audit).map((row) => ({ ...row, owner_id: ownerId }))
    if (rows.length > 0) await trx.insertInto('owner_day_class').values(rows).execute()
    const byCalendar = sql`timer join project using (project_id) where project.owner_id is not distinct from ${ownerId}::uuid
      and timer.enabled and timer.removed_at is null and timer.schedule -> 'period' ->> 'type' = 'calendar'`
    await sql`update timer_due set stale = true where timer_id in (select timer_id from ${byCalendar})`.execute(trx)
    // A timer for which nothing was due has no such row: the check that follows makes it.
    await sql`insert into timer_check_mark (project_id) select distinct timer.project_id from ${byCalendar}`.execute(trx)
    await appendAudit(trx, { ...audit, subject: about('project', projectId) })
  })
}

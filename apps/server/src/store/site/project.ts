import { about } from '@linewarden/contract'
import type { TimedLinesMode } from '@linewarden/rules/automation'
import type { Standard } from '@linewarden/rules/site'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { lockAssignments } from '../account/account.ts'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit, appendMove } from '../audit/append.ts'
import type { Contained } from '../automation/contained.ts'
import { containedInProject, isContained } from '../automation/contained.ts'
import { timersBySun } from '../automation/timer.ts'
import type { Database } from '../core/database.ts'
import type { Order, SortOf } from '../core/in-order.ts'
import { inOrder, named } from '../core/in-order.ts'
import type { Schema } from '../core/schema.ts'
import { containsText } from '../core/tenant.ts'
import { revokeTokensOf } from '../equipment/device-token.ts'
import { shutPushesOf } from '../push/push.ts'
import { defaultGroupOf } from './group.ts'

/** What people write about a project. */
export interface ProjectText {
  readonly name: string
  readonly number: string
  readonly personInCharge: string
  readonly contactPhone: string
  readonly province: string
  readonly city: string
  readonly district: string
  readonly address: string
  readonly remark: string
  readonly timeZone: string
  readonly currency: string
  readonly standard: Standard
  readonly timedLines?: TimedLinesMode
  /** Degrees; null: not entered. */
  readonly latitude?: number | null
  readonly longitude?: number | null
}

export interface StoredProject extends ProjectText {
  readonly timedLines: TimedLinesMode
  readonly latitude: number | null
  readonly longitude: number | null
  readonly projectId: number
  readonly ccid: string
  readonly groupId: number
  readonly groupName: string
  readonly groupIsDefault: boolean
  readonly ownerId: string | null
  readonly ownerName: string
  readonly createdAt: Date
  readonly version: number
}

const projects = (db: Kysely<Schema>) =>
  db
    .selectFrom('project')
    .innerJoin('city', 'city.city_id', 'project.city_id')
    .leftJoin('account', 'account.account_id', 'project.owner_id')
    .where('project.removed_at', 'is', null)

const asStored = (query: ReturnType<typeof projects>) =>
  query
    .select(({ fn, val }) => [
      'project.project_id as projectId',
      'project.name',
      'project.number',
      'project.person_in_charge as personInCharge',
      'project.contact_phone as contactPhone',
      'project.province',
      'project.city',
      'project.district',
      'project.address',
      'project.remark',
      'project.time_zone as timeZone',
      'project.currency',
      'project.standard',
      'project.ccid',
      'project.timed_lines as timedLines',
      'project.latitude',
      'project.longitude',
      'project.city_id as groupId',
      'city.name as groupName',
      'city.is_default as groupIsDefault',
      'project.owner_id as ownerId',
      fn.coalesce('account.user_name', val('')).as('ownerName'),
      'project.created_at as createdAt',
      'project.version',
    ])
    .$castTo<StoredProject>()

export interface ProjectFilter {
  /** Null: all. */
  readonly projectIds: readonly number[] | null
  readonly name: string | undefined
  readonly groupId: number | undefined
  readonly page: number
  readonly size: number
  readonly sort?: SortOf<typeof order> | undefined
}

const order = {
  columns: {
    Name: named('project.name'),
    Number: named('project.number'),
    PersonInCharge: named('project.person_in_charge'),
    CityName: named('city.name'),
    UserName: sql`coalesce(account.user_name, '') collate "C"`,
    CreatedAt: 'project.created_at',
  },
  ties: ['project.project_id'],
} satisfies Order<string>

/** A page of projects, newest first. */
export async function listProjects(
  { general }: Database,
  filter: ProjectFilter,
): Promise<{ rows: StoredProject[]; total: number }> {
  let query = projects(general).where(containsText('project.name', filter.name))
  if (filter.projectIds) query = query.where(sql<boolean>`project.project_id = any(${[...filter.projectIds]}::int[])`)
  if (filter.groupId !== undefined) query = query.where('project.city_id', '=', filter.groupId)
  const rows = await inOrder(asStored(query), filter.sort, order, (own) => own.orderBy('project.project_id', 'desc'))
    .limit(filter.size)
    .offset((filter.page - 1) * filter.size)
    .execute()
  const { total } = await query.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()
  return { rows, total }
}

export const projectById = ({ general }: Database, projectId: number): Promise<StoredProject> =>
  asStored(projects(general).where('project.project_id', '=', projectId)).executeTakeFirstOrThrow()

/** Makes a project. `forAccount`: somebody who sees only what is assigned gets what they made assigned. */
export async function insertProject(
  { general }: Database,
  project: ProjectText & {
    readonly ccid?: string
    readonly groupId: number | null
    readonly ownerId: string | null
    readonly forAccount: string | null
  },
  audit: AuditEntry,
): Promise<number> {
  const { groupId, ownerId, forAccount, ...text } = project
  return general.transaction().execute(async (trx) => {
    const made = await trx
      .insertInto('project')
      .values({ ...columnsOf(text), city_id: groupId ?? (await defaultGroupOf(trx, ownerId)), owner_id: ownerId })
      .returning('project_id')
      .executeTakeFirstOrThrow()
    if (forAccount !== null)
      await trx.insertInto('account_project').values({ account_id: forAccount, project_id: made.project_id }).execute()
    await appendAudit(trx, { ...audit, subject: about('project', made.project_id), after: text })
    return made.project_id
  })
}

/** `timers`: these go by the coordinates that would be taken away. */
export type ProjectUpdate = 'done' | 'changed' | { readonly timers: readonly string[] }

/** `changed` when it is not in this version any more; without a version it only has to be there. */
export async function updateProject(
  { general }: Database,
  projectId: number,
  version: number | undefined,
  change: Partial<ProjectText> & { readonly ccid?: string },
  audit: AuditEntry,
): Promise<ProjectUpdate> {
  return general.transaction().execute(async (trx) => {
    const before = await locked(trx, projectId)
    if (!before || before.version !== (version ?? before.version)) return 'changed'
    if (change.latitude === null && before.latitude !== null) {
      const timers = await timersBySun(trx, projectId)
      if (timers.length > 0) return { timers }
    }
    const columns = columnsOf(change)
    await trx
      .updateTable('project')
      .set({ ...columns, version: before.version + 1 })
      .where('project_id', '=', projectId)
      .execute()
    const touched = Object.keys(columns) as (keyof typeof before)[]
    await appendAudit(trx, { ...audit, before: Object.fromEntries(touched.map((key) => [key, before[key]])), after: columns })
    return 'done'
  })
}

/** Takes an empty project out; otherwise answers how many gateways it holds, or that it has statements, which are kept. */
export async function removeProject({ general }: Database, projectId: number, audit: AuditEntry): Promise<number | 'statements'> {
  return general.transaction().execute(async (trx) => {
    await lockAssignments(trx, 'take')
    const before = await locked(trx, projectId)
    if (!before) return 0
    const count = await countGateways(trx, projectId)
    if (count > 0) return count
    const issued = await trx.selectFrom('statement').select('statement_id').where('project_id', '=', projectId).limit(1).execute()
    if (issued.length > 0) return 'statements'
    await trx
      .updateTable('project')
      .set({ removed_at: new Date(audit.at), version: before.version + 1 })
      .where('project_id', '=', projectId)
      .execute()
    await trx.deleteFrom('account_project').where('project_id', '=', projectId).execute()
    await appendAudit(trx, { ...audit, before: { name: before.name } })
    return 0
  })
}

/** `contained`: these would act for people of the former owner. */
export type Transfer = 'done' | 'changed' | 'shared' | 'other owner' | { readonly contained: Contained }

/**
 * Moves a project to another owner or group, in one transaction. Whoever does not stand under the new owner loses it; what it is, and what
 * happened in it, goes along. Its subscriptions at platforms and its detectors' tokens open nothing any more. Refused while a shared account looks in and the owner changes.
 */
export async function transferProject(
  { general }: Database,
  to: { projectId: number; version: number | undefined; ownerId: string | null; groupId: number | null },
  audit: AuditEntry,
): Promise<Transfer> {
  return general.transaction().execute(async (trx) => {
    await lockAssignments(trx, 'take')
    const before = await locked(trx, to.projectId)
    if (!before || before.version !== (to.version ?? before.version)) return 'changed'
    const city_id = to.groupId ?? (await defaultGroupOf(trx, to.ownerId))
    const group = await trx.selectFrom('city').select('owner_id').where('city_id', '=', city_id).forShare().executeTakeFirst()
    if (!group || group.owner_id !== to.ownerId) return 'other owner'
    const shut: AuditEntry[] = []
    if (before.owner_id !== to.ownerId) {
      if ((await gatewaysSharedIn(trx, to.projectId)) > 0) return 'shared'
      const contained = await containedInProject(trx, to.projectId)
      if (isContained(contained)) return { contained }
      await sql`delete from account_project where project_id = ${to.projectId}`.execute(trx)
      await sql`delete from account_gateway using gateway
        where gateway.gateway_id = account_gateway.gateway_id and gateway.project_id = ${to.projectId}`.execute(trx)
      const within = await trx.selectFrom('gateway').select('gateway_id').where('project_id', '=', to.projectId).execute()
      await revokeTokensOf(
        trx,
        within.map((each) => each.gateway_id),
        new Date(audit.at),
      )
      // The new owner has them now, and reads why they are shut.
      shut.push(...(await shutPushesOf(trx, to.projectId, { ...audit, tenant: to.ownerId })))
    }
    await trx
      .updateTable('project')
      .set({ owner_id: to.ownerId, city_id, version: before.version + 1 })
      .where('project_id', '=', to.projectId)
      .execute()
    const location = (owner: string | null, group: number) => ({ tenant: owner, place: { owner, group } })
    await appendMove(trx, audit, location(before.owner_id, before.city_id), location(to.ownerId, city_id))
    for (const each of shut) await appendAudit(trx, each)
    return 'done'
  })
}

/** Locks the project against everybody who counts or moves its gateways. */
const locked = (trx: Kysely<Schema>, projectId: number) =>
  trx
    .selectFrom('project')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('removed_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()

export async function countGateways(trx: Kysely<Schema>, projectId: number): Promise<number> {
  const row = await trx
    .selectFrom('gateway')
    .where('project_id', '=', projectId)
    .where('removed_at', 'is', null)
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

async function gatewaysSharedIn(trx: Kysely<Schema>, projectId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from account where kind = 'shared' and removed_at is null and (
      account_id in (select account_id from account_project where project_id = ${projectId})
      or account_id in (select account_id from account_gateway join gateway using (gateway_id) where project_id = ${projectId}))`.execute(
    trx,
  )
  return rows[0]?.count ?? 0
}

function columnsOf<T extends Partial<ProjectText>>({ personInCharge, contactPhone, timeZone, timedLines, ...same }: T) {
  const renamed = { person_in_charge: personInCharge, contact_phone: contactPhone, time_zone: timeZone, timed_lines: timedLines }
  const all = { ...same, ...renamed }
  type Known = { [K in keyof typeof all]: NonNullable<(typeof all)[K]> }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Known
}

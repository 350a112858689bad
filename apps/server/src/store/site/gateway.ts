import { openAlarmStates } from '@linewarden/rules/alarm'
import type { Kysely, RawBuilder, Selectable } from 'kysely'
import { sql } from 'kysely'
import { lockAssignments } from '../account/account.ts'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit, appendMove } from '../audit/append.ts'
import { aboutGateway } from '../audit/subject.ts'
import type { Contained } from '../automation/contained.ts'
import { containedOnGateways, isContained } from '../automation/contained.ts'
import type { Holder } from '../control/tag.ts'
import { holdersOn } from '../control/tag.ts'
import { underWay } from '../control/under-way.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import type { Owner } from '../core/tenant.ts'
import { ownedBy } from '../core/tenant.ts'
import { revokeTokensOf } from '../equipment/device-token.ts'
import { lockProject } from './lock-project.ts'
import { countGateways } from './project.ts'

type GatewayRow = Selectable<Schema['gateway']>

export interface StoredGateway {
  readonly gatewayId: number
  readonly imei: string | null
  readonly addMethod: GatewayRow['add_method']
  readonly platform: GatewayRow['platform']
  readonly deviceType: GatewayRow['device_type']
  readonly remark: string
  readonly addedAt: Date
  readonly shared: boolean
  readonly version: number
}

/** What only the database knows of these gateways. */
export async function gatewaysById({ general }: Database, gatewayIds: readonly number[]): Promise<Map<number, StoredGateway>> {
  const rows = await general
    .selectFrom('gateway')
    .where(sql<boolean>`gateway_id = any(${[...gatewayIds]}::int[])`)
    .select([
      'gateway_id as gatewayId',
      'imei',
      'add_method as addMethod',
      'platform',
      'device_type as deviceType',
      'remark',
      'added_at as addedAt',
      sharedWithSomebody.as('shared'),
      'version',
    ])
    .execute()
  return new Map(rows.map((row) => [row.gatewayId, row]))
}

/** Whether a shared account sees the gateway, by itself or with its project. */
const sharedWithSomebody = sql<boolean>`exists (select 1 from account where kind = 'shared' and removed_at is null and (
  account_id in (select account_id from account_gateway given where given.gateway_id = gateway.gateway_id)
  or account_id in (select account_id from account_project given where given.project_id = gateway.project_id)))`

export interface NewGateway {
  readonly number: string
  readonly name: string
  readonly imei: string
  readonly addMethod: GatewayRow['add_method']
  readonly platform: GatewayRow['platform']
  readonly deviceType: GatewayRow['device_type']
  readonly remark: string
  readonly secretHash: string
}

/** Locks a project and answers how many gateways it holds; null when it is gone or not this owner's. Whoever adds gateways to it waits here. */
export const countLocked = async (trx: Kysely<Schema>, projectId: number, owner: Owner): Promise<number | null> =>
  (await lockProject(trx, projectId, owner)) ? countGateways(trx, projectId) : null

export type Added =
  | { readonly kind: 'added'; readonly gatewayIds: readonly number[] }
  | { readonly kind: 'full' | 'no project' }
  /** This number or IMEI is in use. */
  | { readonly kind: 'taken'; readonly number: string }

/** Adds gateways to a project, all or none. `owner`: whose it must still be when its turn comes. */
export async function insertGateways(
  { general }: Database,
  { projectId, owner }: { readonly projectId: number; readonly owner: Owner },
  gateways: readonly NewGateway[],
  most: number,
  audit: AuditEntry,
): Promise<Added> {
  return general
    .transaction()
    .execute(async (trx): Promise<Added> => {
      const present = await countLocked(trx, projectId, owner)
      if (present === null) return { kind: 'no project' }
      if (present + gateways.length > most) return { kind: 'full' }
      const added: { readonly id: number; readonly of: NewGateway }[] = []
      for (const each of gateways) {
        const made = await trx
          .insertInto('gateway')
          .values({
            project_id: projectId,
            number: each.number,
            name: each.name,
            imei: each.imei,
            add_method: each.addMethod,
            platform: each.platform,
            device_type: each.deviceType,
            remark: each.remark,
            secret_hash: each.secretHash,
          })
          .onConflict((oc) => oc.doNothing())
          .returning('gateway_id')
          .executeTakeFirst()
        if (!made) throw new Taken(each.number)
        added.push({ id: made.gateway_id, of: each })
      }
      // Last of all: writers of the log wait for each other, so nobody may hold it and then wait for a row.
      for (const { id, of } of added) {
        const { secretHash: _, ...after } = of
        await appendAudit(trx, { ...audit, subject: aboutGateway({ id, number: of.number }), after: { ...after, projectId } })
      }
      return { kind: 'added', gatewayIds: added.map(({ id }) => id) }
    })
    .catch((error) => {
      if (error instanceof Taken) return { kind: 'taken', number: error.number }
      throw error
    })
}

// Thrown to take the whole transaction back.
class Taken extends Error {
  readonly number: string
  constructor(number: string) {
    super(`${number} is in use`)
    this.number = number
  }
}

/** Which of these numbers and IMEIs are in use, by anybody. */
export async function takenOf(
  { general }: Database,
  numbers: readonly string[],
  imeis: readonly string[],
): Promise<{ numbers: ReadonlySet<string>; imeis: ReadonlySet<string> }> {
  const rows = await general
    .selectFrom('gateway')
    .select(['number', 'imei'])
    .where('removed_at', 'is', null)
    .where(sql<boolean>`(number = any(${[...numbers]}::text[]) or imei = any(${[...imeis]}::text[]))`)
    .execute()
  return { numbers: new Set(rows.map((row) => row.number)), imeis: new Set(rows.flatMap((row) => row.imei ?? [])) }
}

/** Numbers nobody has, each given out once. */
export async function freeNumbers({ general }: Database, count: number): Promise<string[]> {
  const free: string[] = []
  while (free.length < count) {
    const { rows } = await sql<{ number: string }>`
      with proposed as (
        select 'LW' || lpad(nextval('gateway_number')::text, 6, '0') as number from generate_series(1, ${count - free.length}::int))
      select number from proposed where number not in (select number from gateway) order by number`.execute(general)
    free.push(...rows.map((row) => row.number))
  }
  return free
}

/** False when it is not in this version any more. */
export async function renameGateway(
  { general }: Database,
  {
    gatewayId,
    version,
    name,
    remark,
  }: { gatewayId: number; version: number | undefined; name: string; remark: string | undefined },
  audit: AuditEntry,
): Promise<boolean> {
  return general.transaction().execute(async (trx) => {
    const before = await lockedGateway(trx, gatewayId)
    if (!before || before.version !== (version ?? before.version)) return false
    const after = { name, remark: remark ?? before.remark }
    await trx
      .updateTable('gateway')
      .set({ ...after, version: before.version + 1 })
      .where('gateway_id', '=', gatewayId)
      .execute()
    await appendAudit(trx, { ...audit, before: { name: before.name, remark: before.remark }, after })
    return true
  })
}

/** Changes what is not edited in a form: enabled or not, the secret. False when the gateway is gone. */
export async function setGateway(
  { general }: Database,
  gatewayId: number,
  change: { disabled: boolean } | { secret_hash: string },
  audit: AuditEntry,
): Promise<boolean> {
  return general.transaction().execute(async (trx) => {
    const before = await lockedGateway(trx, gatewayId)
    if (!before) return false
    await trx
      .updateTable('gateway')
      .set({ ...change, version: before.version + 1 })
      .where('gateway_id', '=', gatewayId)
      .execute()
    const logged = 'disabled' in change ? { before: { enabled: !before.disabled }, after: { enabled: !change.disabled } } : {}
    await appendAudit(trx, { ...audit, ...logged })
    return true
  })
}

export type Removed =
  | { readonly is: 'done' | 'busy' }
  | { readonly is: 'tagged'; readonly holders: readonly Holder[] }
  /** Scenes and enabled timers with lines of it. */
  | { readonly is: 'contained'; readonly contained: Contained }

/**
 * Takes a gateway out. Its rows stay, because its history names them; its number and its devices' ids are set free for whoever adds them
 * again, and its open alarms end. Refused while an operation is under way, and while a tag hangs anywhere on it: enrolled anew it would come
 * back without one, and somebody may be at work there.
 */
export async function removeGateway({ general }: Database, gatewayId: number, audit: AuditEntry): Promise<Removed> {
  return general.transaction().execute(async (trx): Promise<Removed> => {
    await lockAssignments(trx, 'take')
    // Its number is a key, and is about to be another: asked for less first, it could wait for ingest in a circle.
    const before = await gatewayNow(trx, gatewayId).forUpdate().executeTakeFirst()
    if (!before) return { is: 'done' }
    const holders = await holdersOn(trx, gatewayId)
    if (holders.length > 0) return { is: 'tagged', holders }
    const contained = await containedOnGateways(trx, [gatewayId])
    if (isContained(contained)) return { is: 'contained', contained }
    const { rows } = await sql`
      select from command join line using (line_id) join device using (device_id)
      where gateway_id = ${gatewayId} and state in (${underWay})
      union all
      select from setting_change where gateway_id = ${gatewayId} and state in (${underWay}) limit 1`.execute(trx)
    if (rows.length > 0) return { is: 'busy' }
    const at = new Date(audit.at)
    await sql`update gateway set number = number || '~' || gateway_id, removed_at = ${at}, disabled = true, version = version + 1
      where gateway_id = ${gatewayId}`.execute(trx)
    await sql`update device set controller_id = controller_id || '~' || device_id where gateway_id = ${gatewayId}`.execute(trx)
    await sql`with open as (
        select event_id, state from event where gateway_id = ${gatewayId} and state = any(${openAlarmStates}) for update
      ), noted as (
        insert into event_transition (event_id, at, act, from_state, to_state, actor)
        select event_id, ${at}, 'remove', state, 'normal', ${audit.actor} from open
      )
      update event set state = 'normal', returned_at = coalesce(returned_at, ${at}) from open where open.event_id = event.event_id`.execute(
      trx,
    )
    await trx.deleteFrom('account_gateway').where('gateway_id', '=', gatewayId).execute()
    await appendAudit(trx, { ...audit, before: { name: before.name, imei: before.imei, projectId: before.project_id } })
    return { is: 'done' }
  })
}

/** `contained`: scenes and enabled timers with lines of them. */
export type Moved = 'done' | 'full' | 'shared' | 'gone' | { readonly contained: Contained }

/**
 * Moves gateways to another project, all or none. What they reported and what happened on them goes along. Tokens of their
 * detectors end; accounts that do not stand under the new project's owner lose them; a gateway that a shared account sees stays where it is.
 * `owner`: whose the projects they leave and the one they come to must still be, when their turn comes.
 */
export async function moveGateways(
  { general }: Database,
  { gatewayIds, projectId, most, owner }: { gatewayIds: readonly number[]; projectId: number; most: number; owner: Owner },
  audit: AuditEntry,
): Promise<Moved> {
  const all = sql`${[...gatewayIds]}::int[]`
  return general.transaction().execute(async (trx): Promise<Moved> => {
    await lockAssignments(trx, 'take')
    const present = await countLocked(trx, projectId, owner)
    const found = await trx
      .selectFrom('gateway')
      .select([
        'gateway_id',
        'number',
        'project_id',
        sharedWithSomebody.as('shared'),
        ownerOf(sql.ref('gateway.project_id')).as('owner'),
      ])
      .where(sql<boolean>`gateway_id = any(${all})`)
      .where('removed_at', 'is', null)
      // A project that changes hands takes the lock on assignments too, so its owner is the same until this is done.
      .where(({ eb, selectFrom }) =>
        eb('project_id', 'in', selectFrom('project').select('project_id').where(ownedBy('owner_id', owner))),
      )
      .orderBy('gateway_id')
      .forNoKeyUpdate()
      .execute()
    if (present === null || found.length !== gatewayIds.length) return 'gone'
    if (found.some((each) => each.shared)) return 'shared'
    const moving = found.filter((each) => each.project_id !== projectId)
    if (present + moving.length > most) return 'full'
    const contained = await containedOnGateways(
      trx,
      moving.map((each) => each.gateway_id),
    )
    if (isContained(contained)) return { contained }
    await sql`update gateway set project_id = ${projectId}, version = version + 1 where gateway_id = any(${all})`.execute(trx)
    await sql`update event set project_id = ${projectId} where gateway_id = any(${all})`.execute(trx)
    // In this order, as whoever acts on an order locks them; docs/adr/0149.
    await sql`select from hazard where gateway_id = any(${all}) order by hazard_id for no key update`.execute(trx)
    await sql`select from work_order where gateway_id = any(${all}) order by order_id for no key update`.execute(trx)
    await sql`update hazard set project_id = ${projectId} where gateway_id = any(${all})`.execute(trx)
    await sql`update work_order set project_id = ${projectId} where gateway_id = any(${all})`.execute(trx)
    await sql`delete from account_gateway using account, project
      where account_gateway.gateway_id = any(${all}) and account.account_id = account_gateway.account_id
        and project.project_id = ${projectId} and account.owner_id is distinct from project.owner_id`.execute(trx)
    await revokeTokensOf(
      trx,
      moving.map((each) => each.gateway_id),
      new Date(audit.at),
    )
    const to = await trx.selectNoFrom(ownerOf(sql`${projectId}::int`).as('owner')).executeTakeFirst()
    const location = (tenant: string | null, id: number) => ({ tenant, place: { projectId: id } })
    for (const { gateway_id, number, owner, project_id } of moving)
      await appendMove(
        trx,
        { ...audit, subject: aboutGateway({ id: gateway_id, number }) },
        location(owner, project_id),
        location(to?.owner ?? null, projectId),
      )
    return 'done'
  })
}

/** Events of gateways that are in this project by now, and were stored while they moved. */
export async function bringEvents({ general }: Database, gatewayIds: readonly number[], projectId: number): Promise<void> {
  await sql`update event set project_id = gateway.project_id from gateway
    where event.gateway_id = any(${[...gatewayIds]}::int[]) and event.project_id <> ${projectId}
      and gateway.gateway_id = event.gateway_id and gateway.project_id = ${projectId}`.execute(general)
}

/** Names a line; with `was` only while it still has that name. `changed`: the name it has. */
export async function renameLine(
  { general }: Database,
  { lineId, gatewayId, name, was }: { lineId: number; gatewayId: number; name: string; was: string | undefined },
  audit: AuditEntry,
): Promise<'done' | 'gone' | { readonly changed: string }> {
  return general.transaction().execute(async (trx) => {
    const before = await trx
      .selectFrom('line')
      .innerJoin('device', 'device.device_id', 'line.device_id')
      .select('line.name')
      .where((eb) => eb.and({ 'line.line_id': lineId, 'device.gateway_id': gatewayId }))
      .forNoKeyUpdate('line')
      .executeTakeFirst()
    if (!before) return 'gone'
    if (was !== undefined && was !== before.name) return { changed: before.name }
    await trx.updateTable('line').set({ name }).where('line_id', '=', lineId).execute()
    await appendAudit(trx, { ...audit, before: before.name, after: name })
    return 'done'
  })
}

const ownerOf = (projectId: RawBuilder<unknown>) =>
  sql<string | null>`(select owner_id from project where project.project_id = ${projectId})`

const lockedGateway = (trx: Kysely<Schema>, gatewayId: number): Promise<GatewayRow | undefined> =>
  gatewayNow(trx, gatewayId).forNoKeyUpdate().executeTakeFirst()

const gatewayNow = (trx: Kysely<Schema>, gatewayId: number) =>
  trx.selectFrom('gateway').selectAll().where('gateway_id', '=', gatewayId).where('removed_at', 'is', null)

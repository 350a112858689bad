import { about } from '@linewarden/contract'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { storableJson } from '../../lib/storable-text.ts'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import { revokeLinkageRuns } from './execution.ts'
import type { LinkageValues, StoredLinkage } from './linkage.ts'
import { linkageById } from './linkage.ts'
import type { CheckAmong } from './linkage-among.ts'
import { amongLinkages, linkagesInTurn } from './linkage-among.ts'

interface Owner {
  readonly accountId: string
  readonly name: string
}

/** `exists`: the name is taken. `gone`: a line or scene is not in the project any more. `full`: the project has `most`. */
export type LinkageSaved = StoredLinkage | 'exists' | 'gone' | 'full' | 'changed'

interface Saving extends LinkageValues {
  readonly owner: Owner
  readonly check: CheckAmong
}

export async function insertLinkage(
  { general }: Database,
  linkage: Saving & { readonly projectId: number; readonly most: number },
  audit: AuditEntry,
): Promise<LinkageSaved> {
  return general.transaction().execute(async (trx) => {
    const among = await amongLinkages(trx, linkage.projectId)
    if (!(await keepsNamed(trx, linkage.projectId, linkage))) return 'gone'
    if (among.linkages.length >= linkage.most) return 'full'
    if (isNameTaken(among.linkages, linkage.name, null)) return 'exists'
    linkage.check(among)
    const { linkage_id } = await trx
      .insertInto('linkage')
      .values({ ...columnsOf(linkage, null, audit), project_id: linkage.projectId, removed_at: null })
      .returning('linkage_id')
      .executeTakeFirstOrThrow()
    await insertParts(trx, linkage_id, linkage)
    await appendAudit(trx, { ...audit, subject: about('linkage', linkage_id) })
    return saved(trx, linkage_id)
  })
}

/** `changed`: somebody else saved in between, or removed it. Saving clears what halted it. */
export async function updateLinkage(
  { general }: Database,
  linkage: Saving & { readonly linkageId: number; readonly projectId: number; readonly version: number },
  audit: AuditEntry,
): Promise<LinkageSaved> {
  return general.transaction().execute(async (trx) => {
    const among = await amongLinkages(trx, linkage.projectId)
    const before = among.linkages.find(({ linkageId }) => linkageId === linkage.linkageId)
    if (before?.version !== linkage.version) return 'changed'
    if (!(await keepsNamed(trx, linkage.projectId, linkage))) return 'gone'
    if (isNameTaken(among.linkages, linkage.name, linkage.linkageId)) return 'exists'
    linkage.check(among)
    await trx
      .updateTable('linkage')
      .set({ ...columnsOf(linkage, before, audit), version: before.version + 1 })
      .where('linkage_id', '=', linkage.linkageId)
      .execute()
    await revokeLinkageRuns(trx, linkage.linkageId)
    await trx.deleteFrom('linkage_condition').where('linkage_id', '=', linkage.linkageId).execute()
    await trx.deleteFrom('linkage_action').where('linkage_id', '=', linkage.linkageId).execute()
    await insertParts(trx, linkage.linkageId, linkage)
    await appendAudit(trx, audit)
    return saved(trx, linkage.linkageId)
  })
}

export interface LinkageSwitch {
  readonly linkageId: number
  readonly projectId: number
  readonly version: number
  readonly set: { readonly enabled?: boolean; readonly mode?: 'shadow' | 'live'; readonly clears?: boolean }
  /** Who answers for what it does from now on; null: nobody else than before. */
  readonly owner: Owner | null
  readonly check: CheckAmong
}

/** Enables or disables it, lets it order or only log, or clears what halted it. Null: somebody else saved in between, or removed it. */
export async function switchLinkage(
  { general }: Database,
  { linkageId, projectId, version, set, owner, check }: LinkageSwitch,
  audit: AuditEntry,
): Promise<StoredLinkage | null> {
  return general.transaction().execute(async (trx) => {
    const among = await amongLinkages(trx, projectId)
    const before = among.linkages.find((each) => each.linkageId === linkageId)
    if (before?.version !== version) return null
    if (owner) check(among)
    const mode = set.mode ?? before.mode
    const at = new Date(audit.at)
    await trx
      .updateTable('linkage')
      .set({
        ...{ enabled: set.enabled ?? before.enabled, mode, version: version + 1, changed_at: at, changed_by: audit.actor },
        shadow_since: mode === 'live' ? null : new Date(before.shadowSince ?? audit.at),
        ...((set.clears || set.enabled) && { halted_at: null, halted_why: null, cleared_at: clearedAt(before, audit) }),
        ...(owner && { owner_id: owner.accountId, owner_name: owner.name }),
      })
      .where('linkage_id', '=', linkageId)
      .execute()
    // What it does by itself from now on is another matter: what it was about to close is not closed.
    if (!owner) await revokeLinkageRuns(trx, linkageId)
    await appendAudit(trx, audit)
    return saved(trx, linkageId)
  })
}

/** False: somebody else saved in between, or removed it. */
export async function removeLinkage(
  { general }: Database,
  { linkageId, projectId, version }: { readonly linkageId: number; readonly projectId: number; readonly version: number },
  audit: AuditEntry,
): Promise<boolean> {
  return general.transaction().execute(async (trx) => {
    await linkagesInTurn(trx, projectId)
    const done = await trx
      .updateTable('linkage')
      .set({ removed_at: new Date(audit.at), enabled: false, version: version + 1 })
      .where('linkage_id', '=', linkageId)
      .where('version', '=', version)
      .where('removed_at', 'is', null)
      .returning('linkage_id')
      .executeTakeFirst()
    if (!done) return false
    await revokeLinkageRuns(trx, linkageId)
    await appendAudit(trx, audit)
    return true
  })
}

async function saved(trx: Kysely<Schema>, linkageId: number): Promise<StoredLinkage> {
  const linkage = await linkageById(trx, linkageId)
  if (!linkage) throw new Error(`linkage ${linkageId} was not saved`)
  return linkage
}

const isNameTaken = (others: readonly StoredLinkage[], name: string, but: number | null): boolean =>
  others.some((each) => each.linkageId !== but && each.name.toLowerCase() === name.toLowerCase())

/** Whether lines and scenes are all in the project still. Keeps them there until the transaction ends. */
async function keepsNamed(
  trx: Kysely<Schema>,
  projectId: number,
  { conditions, actions }: Pick<LinkageValues, 'conditions' | 'actions'>,
): Promise<boolean> {
  const project = await sql`select from project where project_id = ${projectId} and removed_at is null for share`.execute(trx)
  if (project.rows.length === 0) return false
  const lineIds = [...new Set([...conditions, ...actions].flatMap(({ lineId }) => lineId ?? []))]
  const sceneIds = [...new Set(actions.flatMap(({ sceneId }) => sceneId ?? []))]
  // In order of id, so that two who lock the same gateways never wait for each other in a circle.
  await sql`select from gateway where project_id = ${projectId} and removed_at is null and gateway_id in (
      select gateway_id from device join line using (device_id) where line_id = any(${lineIds}::int[]))
    order by gateway_id for share`.execute(trx)
  await sql`select from scene where scene_id = any(${sceneIds}::int[]) order by scene_id for share`.execute(trx)
  const { rows } = await sql<{ lines: number; scenes: number }>`
    select (select count(*)::int from line join device using (device_id) join gateway using (gateway_id)
        where line_id = any(${lineIds}::int[]) and project_id = ${projectId} and removed_at is null) as lines,
      (select count(*)::int from scene
        where scene_id = any(${sceneIds}::int[]) and project_id = ${projectId} and removed_at is null) as scenes`.execute(trx)
  return rows[0]?.lines === lineIds.length && rows[0]?.scenes === sceneIds.length
}

/** Whoever clears a halt has looked into it: how often it acts is counted anew. */
const clearedAt = ({ halted, clearedAt: before }: StoredLinkage, { at }: AuditEntry): Date | null => {
  const last = halted ? at : before
  return last === null ? null : new Date(last)
}

const columnsOf = (linkage: Saving, before: StoredLinkage | null, audit: AuditEntry) => ({
  name: linkage.name,
  enabled: linkage.enabled,
  mode: linkage.mode,
  match: linkage.match,
  active_hours: storableJson(linkage.activeHours),
  cooldown_s: linkage.cooldownS,
  max_per_hour: linkage.maxPerHour,
  max_per_day: linkage.maxPerDay,
  may_close: linkage.mayClose,
  halted_at: null,
  halted_why: null,
  cleared_at: before && clearedAt(before, audit),
  shadow_since: linkage.mode === 'live' ? null : new Date(before?.shadowSince ?? audit.at),
  owner_id: linkage.owner.accountId,
  owner_name: linkage.owner.name,
  changed_at: new Date(audit.at),
  changed_by: audit.actor,
})

async function insertParts(trx: Kysely<Schema>, linkage_id: number, { conditions, actions }: LinkageValues): Promise<void> {
  await trx
    .insertInto('linkage_condition')
    .values(
      conditions.map(({ kind, lineId, key, op, value, release, forS }, position) => ({
        ...{ linkage_id, position, kind, line_id: lineId, key, op, value, release, for_s: forS },
      })),
    )
    .execute()
  await trx
    .insertInto('linkage_action')
    .values(
      actions.map(({ kind, lineId, sceneId, delayS, order }, position) => ({
        ...{ linkage_id, position, kind, line_id: lineId, scene_id: sceneId, delay_s: delayS },
        work_order: order && storableJson(order),
      })),
    )
    .execute()
}

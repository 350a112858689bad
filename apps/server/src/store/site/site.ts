import { maxGateways } from '@linewarden/contract'
import type { Standard } from '@linewarden/rules/site'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import { aboutGateway } from '../audit/subject.ts'
import type { Database } from '../core/database.ts'
import { countLocked } from './gateway.ts'

/** The stored hash of a gateway's secret; null for an unknown or disabled gateway. */
export async function gatewaySecretHash({ control }: Database, number: string): Promise<string | null> {
  const row = await control
    .selectFrom('gateway')
    .select('secret_hash')
    .where('number', '=', number)
    .where('disabled', '=', false)
    .executeTakeFirst()
  return row?.secret_hash ?? null
}

export async function findOrCreateGroup({ general }: Database, name: string): Promise<number> {
  const found = await general
    .selectFrom('city')
    .select('city_id')
    .where('name', '=', name)
    .where('owner_id', 'is', null)
    .executeTakeFirst()
  if (found) return found.city_id
  return (await general.insertInto('city').values({ name }).returning('city_id').executeTakeFirstOrThrow()).city_id
}

export interface NewProject {
  readonly cityId: number
  readonly name: string
  /** IANA zone. */
  readonly timeZone: string
  readonly standard: Standard
}

export async function findOrCreateProject(
  { general }: Database,
  { cityId, name, timeZone, standard }: NewProject,
): Promise<number> {
  const found = await general
    .selectFrom('project')
    .select('project_id')
    .where('name', '=', name)
    .where('city_id', '=', cityId)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (found) return found.project_id
  const row = { city_id: cityId, name, time_zone: timeZone, standard }
  return (await general.insertInto('project').values(row).returning('project_id').executeTakeFirstOrThrow()).project_id
}

/** Notes since when a simulator stands for the equipment of a project. */
export async function markSimulated({ general }: Database, projectId: number, since: number, audit: AuditEntry): Promise<void> {
  await general.transaction().execute(async (trx) => {
    await trx
      .updateTable('project')
      .set({ simulated_since: new Date(since) })
      .where('project_id', '=', projectId)
      .execute()
    await appendAudit(trx, audit)
  })
}

export interface NewGateway {
  readonly projectId: number
  readonly number: string
  readonly name: string
  readonly reportingPeriodMs: number
}

/** Makes the gateway or gives it a new secret. `taken`: the number belongs to another project. `full`: the project holds so many already. */
export async function enrolGateway(
  { general }: Database,
  gateway: NewGateway,
  secretHash: string,
  audit: AuditEntry,
): Promise<{ gatewayId: number; isNew: boolean } | 'taken' | 'full'> {
  const { projectId, number, name, reportingPeriodMs } = gateway
  return general.transaction().execute(async (trx) => {
    const present = await countLocked(trx, projectId, undefined)
    const found = await trx
      .selectFrom('gateway')
      .select(['gateway_id', 'project_id'])
      .where('number', '=', number)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (found) {
      if (found.project_id !== projectId) return 'taken'
      await trx.updateTable('gateway').set({ secret_hash: secretHash }).where('gateway_id', '=', found.gateway_id).execute()
      await appendAudit(trx, { ...audit, subject: aboutGateway({ id: found.gateway_id, number }) })
      return { gatewayId: found.gateway_id, isNew: false }
    }
    if (present === null || present >= maxGateways) return 'full'
    const row = { project_id: projectId, number, name, secret_hash: secretHash, reporting_period_ms: reportingPeriodMs }
    const made = await trx.insertInto('gateway').values(row).returning('gateway_id').executeTakeFirstOrThrow()
    await appendAudit(trx, { ...audit, subject: aboutGateway({ id: made.gateway_id, number }) })
    return { gatewayId: made.gateway_id, isNew: true }
  })
}

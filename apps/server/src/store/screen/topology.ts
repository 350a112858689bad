import type { Kysely, Selectable } from 'kysely'
import type { AuditEntry } from '../audit/append.ts'
import { appendAudit } from '../audit/append.ts'
import type { Database } from '../core/database.ts'
import type { Schema } from '../core/schema.ts'
import type { Owner } from '../core/tenant.ts'
import { lockProject } from '../site/lock-project.ts'
import type { TopologyContent } from './schema.ts'

export type TopologyRow = Selectable<Schema['topology']>

/** How a project is supplied; undefined: nobody has entered it. */
export const topologyOf = (db: Kysely<Schema>, projectId: number): Promise<TopologyRow | undefined> =>
  db.selectFrom('topology').selectAll().where('project_id', '=', projectId).executeTakeFirst()

/** Of every project of which somebody has entered it. */
export const allTopologies = (db: Kysely<Schema>): Promise<readonly TopologyRow[]> =>
  db.selectFrom('topology').selectAll().execute()

export const topologiesOf = (db: Kysely<Schema>, projectIds: readonly number[]): Promise<TopologyRow[]> =>
  projectIds.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('topology')
        .selectAll()
        .where('project_id', 'in', [...projectIds])
        .execute()

interface TopologySave {
  readonly projectId: number
  /** Whose the project must still be when its turn comes. */
  readonly owner: Owner
  /** As its editor read it; 0: nobody had entered it. */
  readonly version: number
  readonly content: TopologyContent
}

/** Writes it over the version that its editor saw. `check` throws what cannot be, by what feeds what when its turn comes. */
export async function saveTopology(
  { general }: Database,
  { projectId, owner, version, content }: TopologySave,
  check: (feeders: ReadonlyMap<number, number | null>) => void,
  audit: (before: TopologyContent | null) => AuditEntry,
): Promise<TopologyRow | 'noProject' | 'changed'> {
  return general.transaction().execute(async (trx) => {
    if (!(await lockProject(trx, projectId, owner))) return 'noProject'
    const before = await topologyOf(trx, projectId)
    if ((before?.version ?? 0) !== version) return 'changed'
    check(await feedersOf(trx, projectId))
    const columns = { content: JSON.stringify(content), version: version + 1 }
    const saved = await trx
      .insertInto('topology')
      .values({ project_id: projectId, ...columns })
      .onConflict((conflict) => conflict.column('project_id').doUpdateSet(columns))
      .returningAll()
      .executeTakeFirstOrThrow()
    await appendAudit(trx, audit(before?.content ?? null))
    return saved
  })
}

/** Every line of a project with the line that feeds it. */
async function feedersOf(trx: Kysely<Schema>, projectId: number): Promise<ReadonlyMap<number, number | null>> {
  const rows = await trx
    .selectFrom('line')
    .innerJoin('device', 'device.device_id', 'line.device_id')
    .innerJoin('gateway', 'gateway.gateway_id', 'device.gateway_id')
    .select(['line.line_id', 'line.fed_by'])
    .where('gateway.project_id', '=', projectId)
    .where('gateway.removed_at', 'is', null)
    .execute()
  return new Map(rows.map(({ line_id, fed_by }) => [line_id, fed_by]))
}

import type {
  getHealthCheck,
  HealthCheck,
  HealthCheckLine,
  List,
  listHealthCheckLines,
  queryHealthChecks,
  Reply,
  Request,
  startHealthCheck,
} from '@linewarden/contract'
import { about, Refusal } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import type { PlantProject } from '../../plant/plant.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import type { HealthCheckRow } from '../../store/health/check.ts'
import { changesSince, dearestItems, healthCheckById, listHealthChecks, listHealthLines } from '../../store/health/check.ts'
import { cancelHealthCheck } from '../../store/health/write.ts'
import { createHealthAccess } from './access.ts'
import { createHealthChecks } from './checks.ts'
import type { HealthDeps } from './deps.ts'
import { createHealthExport, lineFilterOf } from './export.ts'
import { createMonthly } from './monthly.ts'
import { checkRecord, costRecord, lineRecord } from './record.ts'

export type Health = ReturnType<typeof createHealth>

/** Of how many steps that bring back most a page speaks. */
const maxNext = 3

/** Health checks: what lines and detectors are worth, and what each lost its points by. */
export function createHealth(deps: HealthDeps) {
  const { database, plant, clock } = deps
  const access = createHealthAccess(deps)
  const checks = createHealthChecks(deps)
  const monthly = createMonthly(deps, checks)
  monthly.start()
  return {
    ...createHealthExport(deps, access),

    async start(
      actor: Actor,
      project: PlantProject,
      { DeviceID, LineID }: Request<typeof startHealthCheck>['body'],
    ): Promise<HealthCheck> {
      const scope = access.scopeOf(actor, project, { gatewayId: DeviceID ?? null, lineId: LineID ?? null })
      const audit = by(actor, clock(), 'healthCheck.start', project.ownerId)
      const started = await checks.start(scope, { actor: actor.nickName.trim() || actor.userName, dueAt: null, audit })
      if (!started) throw new Refusal('exam under way')
      return checkRecord(await access.seen(actor, started.testId))
    },

    async query(
      actor: Actor,
      project: PlantProject,
      { DeviceID, State, Page = 1, Size = 10 }: Request<typeof queryHealthChecks>['body'],
    ): Promise<List<HealthCheck>> {
      if (DeviceID !== undefined) access.gatewayIn(actor, project, DeviceID)
      else if (!actor.sees(project.id)) return { items: [], total: 0 }
      const of = { projectId: project.id, gatewayId: DeviceID ?? null, state: State ?? null }
      const { rows, total } = await withRowSecurity(database, actor.scope, (db) =>
        listHealthChecks(db, of, { page: Page, size: Size }),
      )
      return { items: rows.map(checkRecord), total }
    },

    async get(actor: Actor, testId: number): Promise<Reply<typeof getHealthCheck>> {
      const row = await access.seen(actor, testId)
      return withRowSecurity(database, actor.scope, async (db) => {
        const before = row.before_id === null ? undefined : await healthCheckById(db, row.before_id)
        const next = row.state === 'done' ? await dearestItems(db, testId, maxNext) : []
        return {
          Check: checkRecord(row),
          Before:
            before && row.state === 'done' ? beforeRecord(row, before, await changesSince(db, testId, before.test_id)) : null,
          Next: next.map(({ line_id, line_name, item }) => ({
            ...{ LineID: line_id, LineName: line_name, Text: item.text, Points: item.gain, Mend: item.mend },
          })),
        }
      })
    },

    async lines(
      actor: Actor,
      { Page = 1, Size = 10, ...asked }: Request<typeof listHealthCheckLines>['body'],
    ): Promise<List<HealthCheckLine>> {
      const row = await access.seen(actor, asked.TestID)
      if (row.state !== 'done') return { items: [], total: 0 }
      const { rows, total } = await withRowSecurity(database, actor.scope, (db) =>
        listHealthLines(db, lineFilterOf(row, asked), { page: Page, size: Size }),
      )
      return { items: rows.map((line) => lineRecord(line, row.before_id !== null)), total }
    },

    async cancel(actor: Actor, testId: number): Promise<null> {
      const row = await access.seen(actor, testId)
      const audit = by(actor, clock(), 'healthCheck.cancel', plant.projects.get(row.project_id)?.ownerId ?? null)
      const isCancelled = await cancelHealthCheck(database, testId, clock(), { ...audit, subject: about('healthCheck', testId) })
      if (!isCancelled) throw new Refusal('exam over')
      return null
    },

    /** One look at what is due by itself. */
    look: monthly.look,
    async close() {
      await Promise.all([monthly.close(), checks.close()])
    },
  }
}

type Before = NonNullable<Reply<typeof getHealthCheck>['Before']>

const beforeRecord = (
  row: HealthCheckRow,
  before: HealthCheckRow,
  { worse, better, same, changes }: Awaited<ReturnType<typeof changesSince>>,
): Before => ({
  ...{ TestID: before.test_id, Number: before.number, StartedAt: before.started_at.getTime() },
  ...{ Score: before.result?.score ?? null, Costs: before.result?.costs.map(costRecord) ?? [] },
  ...{ SameRules: before.rule_version === row.rule_version, Worse: worse, Better: better, Same: same },
  Changes: changes.map(({ lineId, name, from, to }) => ({ LineID: lineId, LineName: name, From: from, To: to })),
})

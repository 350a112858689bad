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
import type { HealthScope } from './checks.ts'
import { createHealthChecks } from './checks.ts'
import type { HealthDeps } from './deps.ts'
import { createMonthly } from './monthly.ts'
import { checkRecord, costRecord, lineRecord } from './record.ts'

export type Health = ReturnType<typeof createHealth>

/** Of how many steps that bring back most a page speaks. */
const maxNext = 3

/** Health checks: what lines and detectors are worth, and what each lost its points by. */
export function createHealth(deps: HealthDeps) {
  const { database, plant, clock } = deps
  const checks = createHealthChecks(deps)
  const monthly = createMonthly(deps, checks)
  monthly.start()
  return {
    async start(
      actor: Actor,
      project: PlantProject,
      { DeviceID, LineID }: Request<typeof startHealthCheck>['body'],
    ): Promise<HealthCheck> {
      const scope = scopeOf(actor, project, DeviceID ?? null, LineID ?? null)
      const audit = by(actor, clock(), 'healthCheck.start', project.ownerId)
      const started = await checks.start(scope, { actor: actor.nickName.trim() || actor.userName, dueAt: null, audit })
      if (!started) throw new Refusal('exam under way')
      return checkRecord(await seen(actor, started.testId))
    },

    async query(
      actor: Actor,
      project: PlantProject,
      { DeviceID, State, Page = 1, Size = 10 }: Request<typeof queryHealthChecks>['body'],
    ): Promise<List<HealthCheck>> {
      const gateway = DeviceID === undefined ? null : (plant.gateways.get(DeviceID) ?? undefined)
      const isSeen = gateway && gateway.project === project && actor.seesGateway(gateway)
      if (gateway !== null && !isSeen) throw new Refusal('device not exists')
      if (gateway === null && !actor.sees(project.id)) return { items: [], total: 0 }
      const of = { projectId: project.id, gatewayId: DeviceID ?? null, state: State ?? null }
      const { rows, total } = await withRowSecurity(database, actor.scope, (db) =>
        listHealthChecks(db, of, { page: Page, size: Size }),
      )
      return { items: rows.map(checkRecord), total }
    },

    async get(actor: Actor, testId: number): Promise<Reply<typeof getHealthCheck>> {
      const row = await seen(actor, testId)
      return withRowSecurity(database, actor.scope, async (db) => {
        const before = row.before_id === null ? undefined : await healthCheckById(db, row.before_id)
        const next = row.state === 'done' ? await dearestItems(db, testId, maxNext) : []
        return {
          Check: checkRecord(row),
          Before:
            before && row.state === 'done' ? beforeRecord(row, before, await changesSince(db, testId, before.test_id)) : null,
          Next: next.map(({ line_id, line_name, item }) => ({
            ...{ LineID: line_id, LineName: line_name, Text: item.text, Points: item.deduct, Mend: item.mend },
          })),
        }
      })
    },

    async lines(
      actor: Actor,
      { TestID, Band, Category, Text = '', Sort, Page = 1, Size = 10 }: Request<typeof listHealthCheckLines>['body'],
    ): Promise<List<HealthCheckLine>> {
      const row = await seen(actor, TestID)
      if (row.state !== 'done') return { items: [], total: 0 }
      const filter = { testId: TestID, beforeId: row.before_id, band: Band ?? null, category: Category ?? null, text: Text }
      const { rows, total } = await withRowSecurity(database, actor.scope, (db) =>
        listHealthLines(db, filter, { sort: Sort, page: Page, size: Size }),
      )
      return { items: rows.map((line) => lineRecord(line, row.before_id !== null)), total }
    },

    async cancel(actor: Actor, testId: number): Promise<null> {
      const row = await seen(actor, testId)
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

  /** As if there were no others than those that somebody sees. */
  async function seen(actor: Actor, testId: number): Promise<HealthCheckRow> {
    const row = await withRowSecurity(database, actor.scope, (db) => healthCheckById(db, testId))
    if (!row || !sees(actor, row)) throw new Refusal('health check not exists')
    return row
  }

  /** Of a gateway that stands in another project now its old project keeps what was found. */
  function sees(actor: Actor, { project_id, gateway_id }: HealthCheckRow): boolean {
    if (actor.sees(project_id)) return true
    const gateway = gateway_id === null ? undefined : plant.gateways.get(gateway_id)
    return gateway !== undefined && gateway.project.id === project_id && actor.seesGateway(gateway)
  }

  /** Who sees single gateways of a project examines those, one at a time. */
  function scopeOf(actor: Actor, project: PlantProject, gatewayId: number | null, lineId: number | null): HealthScope {
    const line = lineId === null ? null : (plant.lines.get(lineId) ?? undefined)
    if (line === undefined) throw new Refusal('line not exists')
    const gateway = gatewayId === null ? (line?.device.gateway ?? null) : (plant.gateways.get(gatewayId) ?? undefined)
    const isOf = gateway !== undefined && (gateway === null ? actor.sees(project.id) : gateway.project === project)
    if (!isOf || (gateway && !actor.seesGateway(gateway))) throw new Refusal('device not exists')
    if (line && line.device.gateway !== gateway) throw new Refusal('line not exists')
    return { project, gateway, line }
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

import { Refusal } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import type { PlantGateway, PlantProject } from '../../plant/plant.ts'
import { withRowSecurity } from '../../store/core/row-security.ts'
import type { HealthCheckRow } from '../../store/health/check.ts'
import { healthCheckById } from '../../store/health/check.ts'
import type { HealthScope } from './checks.ts'
import type { HealthDeps } from './deps.ts'

/** Who sees a health check, and what somebody may examine. */
export function createHealthAccess({ database, plant }: Pick<HealthDeps, 'database' | 'plant'>) {
  return { seen, gatewayIn, scopeOf }

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

  function gatewayIn(actor: Actor, project: PlantProject, gatewayId: number): PlantGateway {
    const gateway = plant.gateways.get(gatewayId)
    if (gateway?.project !== project || !actor.seesGateway(gateway)) throw new Refusal('device not exists')
    return gateway
  }

  /** Who sees single gateways of a project examines those, one at a time. */
  function scopeOf(
    actor: Actor,
    project: PlantProject,
    { gatewayId, lineId }: { readonly gatewayId: number | null; readonly lineId: number | null },
  ): HealthScope {
    const line = lineId === null ? null : plant.lines.get(lineId)
    if (line === undefined) throw new Refusal('line not exists')
    const of = gatewayId ?? line?.device.gateway.id ?? null
    const gateway = of === null ? null : gatewayIn(actor, project, of)
    if (gateway === null && !actor.sees(project.id)) throw new Refusal('device not exists')
    if (line && line.device.gateway !== gateway) throw new Refusal('line not exists')
    return { project, gateway, line }
  }
}

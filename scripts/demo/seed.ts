import type { Server } from '@linewarden/server/compose'
import type { GatewayPlan, ProjectPlan } from '@linewarden/simulator'
import { feedTree } from '@linewarden/simulator'
import { feedsSinceEver } from '../../apps/server/src/store/energy/feeds.ts'

/**
 * Makes the groups, projects and gateways of a plan through the server's own site service, and gives every gateway a fresh secret.
 * Whatever is there already is found again, so a second start keeps its data.
 */
export async function seedPlan(server: Server, plan: readonly ProjectPlan[]): Promise<GatewayPlan[]> {
  const ready: GatewayPlan[] = []
  for (const project of plan) {
    const cityId = await server.site.findOrCreateGroup(project.group)
    const projectId = await server.site.findOrCreateProject({
      cityId,
      name: project.name,
      timeZone: project.timeZone,
      standard: project.standard,
    })
    for (const gateway of project.gateways) {
      const { number, name, reportingPeriodMs } = gateway
      ready.push({ ...gateway, secret: await server.site.enrolGateway({ projectId, number, name, reportingPeriodMs }) })
    }
  }
  return ready
}

/** Registers the upstream lines, as a site's electrician does, once the lines are there. */
export async function registerFeedTrees(server: Server, gateways: readonly GatewayPlan[]): Promise<void> {
  for (const gateway of gateways) await server.site.registerFeedTree(feedTree(gateway))
}

/** Every line of the demo has been fed so since it is there. */
export async function feedsOfThePast({ database, plant }: Server, gateways: readonly GatewayPlan[]): Promise<void> {
  const fed = gateways.flatMap(feedTree).flatMap(({ line }) => plant.lineAt(line.controllerId, line.lineNo)?.id ?? [])
  await feedsSinceEver(database, fed)
}

import type { Server } from '@linewarden/server/compose'
import type { ProjectPlan } from '@linewarden/simulator'
import { startPushing } from '@linewarden/simulator'
import { seedPlan } from './seed.ts'

const number = 'NB-SMOKE-01'
const productId = 'hT3kQ9'
const everyMs = 60_000

/** The demo's detector on NB-IoT: a smoke detector in its first project, for which a simulated OneNET pushes to the server's own address. */
export async function startDemoPush(server: Server, plan: readonly ProjectPlan[]): Promise<{ close(): void }> {
  const [first] = plan
  if (!first) throw new Error('the demo has no project')
  const name = '一层值班室烟感（NB）'
  const gateway = { number, name, secret: '', reportingPeriodMs: everyMs, devices: [] }
  await seedPlan(server, [{ ...first, gateways: [gateway] }])
  const projectId = server.plant.gatewayByNumber.get(number)?.project.id ?? 0
  const push = { projectId, platform: 'onenet' as const, name: 'OneNET', products: { [productId]: 'NT8141' } }
  const { path, secret } = await server.push.enrol({ ...push, reportingPeriodMs: everyMs })
  return startPushing({
    platform: 'onenet',
    url: server.url + path,
    secret,
    productId,
    plan: { controllerId: number, family: 'nt8141', model: 'NT8141', name, lines: [] },
    everyMs,
  })
}

import type { Server } from '@linewarden/server/compose'
import type { ProjectPlan } from '@linewarden/simulator'
import type { Actor } from '../../apps/server/src/access/actor.ts'
import { createTopologies } from '../../apps/server/src/areas/screen/topology.ts'

const transformer = (Name: string, Kva: number) => ({ Name, Kva, HighKv: 10, LowKv: 0.4 })

/** Gives the first project of the demo two transformers: one for its floors, one for the cooling plant. What is entered already stays. */
export async function addTopology(server: Server, plan: readonly ProjectPlan[], actor: Actor): Promise<void> {
  const { database, plant, hub } = server
  const project = [...plant.projects.values()].find(({ name }) => name === plan[0]?.name)
  if (!project) return
  const topologies = createTopologies({ database, plant, hub, clock: Date.now })
  if ((await topologies.read(actor, project)).Version > 0) return
  const cooling = [...plant.lines.values()].filter(
    ({ device, upstreamId }) => device.gateway.number === 'GW-BJ-06' && device.family.level === 'line' && upstreamId === null,
  )
  // A plan that was cut down has no cooling plant.
  if (cooling.length === 0) return
  const source = { Kind: 'grid', Name: '市电' } as const
  await topologies.save(actor, project, {
    Sources: [
      { ...source, SourceID: 1, Transformer: transformer('T1', 630), LineIDs: [] },
      { ...source, SourceID: 2, Transformer: transformer('T2', 800), LineIDs: cooling.map(({ id }) => id) },
    ],
    Buses: [
      { Bus: 'source:1', Name: '0.4 kV I 段' },
      { Bus: 'source:2', Name: '0.4 kV II 段' },
    ],
    Ties: [],
    Version: 0,
  })
}

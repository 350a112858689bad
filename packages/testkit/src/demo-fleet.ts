import type { Server } from '@linewarden/server/compose'
import { demoPlan, startFleet } from '@linewarden/simulator'
import { demoStory } from './demo-story.ts'
import { seedPlan } from './seed.ts'

/** Enrols the demo's gateways, starts them, and lets a few things go wrong now and then. */
export async function startDemoFleet(server: Server, say: (line: string) => void): Promise<{ close(): Promise<void> }> {
  const plan = demoPlan()
  const gateways = await seedPlan(server, plan)
  const fleet = startFleet(gateways, { url: `mqtt://127.0.0.1:${server.mqttPort}` })
  await fleet.ready
  const lines = gateways.flatMap((gateway) => gateway.devices).flatMap((device) => device.lines).length
  say(`  Demo fleet:           ${plan.length} projects, ${gateways.length} gateways, ${lines} lines (simulated)`)
  const story = demoStory(fleet, gateways)
  return {
    async close() {
      story.close()
      await fleet.close()
    },
  }
}

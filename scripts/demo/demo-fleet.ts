import { readFileSync } from 'node:fs'
import type { Server } from '@linewarden/server/compose'
import { demoPlan, openControl, PlantClock, playScenario, readScenario, startFleet } from '@linewarden/simulator'
import { startDemoPush } from './demo-push.ts'
import { fieldDoor } from './field-door.ts'
import { earliestOf, pastOf } from './past-story.ts'
import { registerFeedTrees, seedPlan } from './seed.ts'
import { registerDevices, seedPast } from './seed-past.ts'

/** Enrols the demo's gateways, starts them, lets a few things go wrong now and then, and lets people make more go wrong. */
export async function startDemoFleet(server: Server, print: (line: string) => void) {
  const plan = demoPlan()
  const isFirstStart = plan.every(({ gateways }) => gateways.every(({ number }) => !server.plant.gatewayByNumber.has(number)))
  const gateways = await seedPlan(server, plan)
  const until = Date.now()
  const clock = new PlantClock(isFirstStart ? earliestOf(pastOf(plan, until)) : null)
  const fleet = startFleet(gateways, {
    ...fieldDoor(server),
    firmwareKeys: server.firmwareKeys.map(({ key }) => key),
    now: clock.now,
    connected: false,
  })
  if (isFirstStart) {
    await registerDevices(server, gateways)
    await registerFeedTrees(server, gateways)
    print('  Demo fleet:           writing its past ...')
    const { days, hours, readings, events, seconds } = await seedPast(server, { plan, fleet, clock, until })
    print(
      `  Demo past:            ${days} days: ${hours} hours of lines, ${readings} readings, ${events} events, in ${seconds.toFixed(1)} s`,
    )
  }
  clock.past = null
  await fleet.connect()
  const devices = gateways.flatMap((gateway) => gateway.devices)
  const lines = devices.flatMap((device) => device.lines).length
  const detectors = devices.filter((device) => device.lines.length === 0).length
  print(
    `  Demo fleet:           ${plan.length} projects, ${gateways.length} gateways, ${lines} lines, ${detectors} detectors (simulated)`,
  )
  // A platform believes only certificates of the console's public name, which this machine need not know.
  const pushed = server.certificates.console ? null : await startDemoPush(server, plan)
  if (pushed) print('  Demo push:            one smoke detector by OneNET')
  const failed = (error: Error) => print(`  Demo fleet:           ${error.message}`)
  const story = playScenario(fleet, readScenario(readFileSync(new URL('./demo-round.yaml', import.meta.url), 'utf8')), failed)
  const control = await openControl(fleet, server.dataDir, failed)
  return {
    async quiesce() {
      story.stop()
      pushed?.close()
      await control.close()
    },
    close: () => fleet.close(),
  }
}

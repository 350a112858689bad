import { readFileSync } from 'node:fs'
import type { Server } from '@linewarden/server/compose'
import { demoPlan, openControl, PlantClock, playScenario, readScenario, readTarget, startFleet } from '@linewarden/simulator'
import { startDemoPush } from './demo-push.ts'
import { fieldDoor } from './field-door.ts'
import { earliestOf, pastOf, slowFaultsSince } from './past-story.ts'
import { registerFeedTrees, seedPlan } from './seed.ts'
import { goingOn, pastWrittenAt, registerDevices, seedPast } from './seed-past.ts'

/** Enrols the demo's gateways, starts them, lets a few things go wrong now and then, and lets people make more go wrong. */
export async function startDemoFleet(server: Server, print: (line: string) => void) {
  const plan = demoPlan()
  const isNew = plan.every(({ gateways }) => gateways.every(({ number }) => !server.plant.gatewayByNumber.has(number)))
  const gateways = goingOn(server, await seedPlan(server, plan))
  const until = Date.now()
  const clock = new PlantClock(isNew ? earliestOf(pastOf(plan, until)) : null)
  const fleet = startFleet(gateways, {
    ...fieldDoor(server),
    firmwareKeys: server.firmwareKeys.map(({ key }) => key),
    now: clock.now,
    connected: false,
  })
  if (isNew) {
    print('  Demo past:            being written ...')
    await registerDevices(server, gateways)
    await registerFeedTrees(server, gateways)
    const { days, hours, readings, events, seconds } = await seedPast(server, { plan, fleet, clock, until })
    const figures = `${days} days, ${hours} hours of lines, ${readings} readings, ${events} events`
    print(`  Demo past:            ${figures}, in ${seconds.toFixed(1)} s`)
  }
  clock.past = null
  await fleet.connect()
  await registerFeedTrees(server, gateways)
  const writtenAt = pastWrittenAt(server, plan)
  if (!isNew && writtenAt !== null)
    for (const { target, fault, given, since } of slowFaultsSince(writtenAt))
      fleet.run(
        fault,
        readTarget(target, (number) => fleet.gateways.has(number)),
        given,
        since,
      )
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

import { readFileSync } from 'node:fs'
import type { Server } from '@linewarden/server/compose'
import { demoPlan, openControl, PlantClock, playScenario, readScenario, readTarget, startFleet } from '@linewarden/simulator'
import { startDemoPush } from './demo-push.ts'
import { addScreenLink } from './demo-screen.ts'
import { fieldDoor } from './field-door.ts'
import { earliestOf, pastOf, slowFaultsSince } from './past-story.ts'
import { feedsOfThePast, registerFeedTrees, seedPlan } from './seed.ts'
import {
  beginPast,
  goingOn,
  isPastUnfinished,
  pastWrittenAt,
  personOf,
  registerDevices,
  seedPast,
  takeBackPast,
} from './seed-past.ts'

/**
 * Enrols the demo's gateways, starts them, lets a few things go wrong now and then unless it is `quiet`, and lets people make more go wrong.
 * At its first start it also has a past.
 */
export async function startDemoFleet(server: Server, print: (line: string) => void, { quiet = false, plan = demoPlan() } = {}) {
  const isUnknown = plan.every(({ gateways }) => gateways.every(({ number }) => !server.plant.gatewayByNumber.has(number)))
  // A past that was left unfinished is begun again: half of one would be shown as whole.
  const isUnfinished = !isUnknown && isPastUnfinished(server) && (await takeBackPast(server, plan))
  const isNew = isUnknown || isUnfinished
  if (isUnknown) beginPast(server)
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
    print(`  Demo past:            being written${isUnfinished ? ' again, because its first writing was interrupted' : ''} ...`)
    await registerDevices(server, gateways)
    await registerFeedTrees(server, gateways)
    await feedsOfThePast(server, gateways)
    const { days, hours, readings, events, seconds } = await seedPast(server, { plan, fleet, clock, until })
    const figures = `${days} days, ${hours} hours of lines, ${readings} readings, ${events} events`
    print(`  Demo past:            ${figures}, in ${seconds.toFixed(1)} s`)
    await addScreenLink(server, await personOf(server), print)
  }
  clock.past = null
  await fleet.connect()
  await registerFeedTrees(server, gateways)
  const writtenAt = pastWrittenAt(server, plan)
  if (!isNew && writtenAt !== null)
    for (const { target, fault, given, since } of slowFaultsSince(plan, writtenAt))
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
  const round = readScenario(readFileSync(new URL('./demo-round.yaml', import.meta.url), 'utf8'))
  const nameOf = namesOf(plan)
  const announce = ({ target, fault }: { target: string; fault: string }) =>
    print(`  Demo, ${new Date().toTimeString().slice(0, 8)}:       ${fault} at ${target} ${nameOf(target)}`)
  const story = quiet ? null : playScenario(fleet, round, failed, announce)
  print(
    quiet
      ? '  Demo faults:          none by themselves; npm run simulate -- inject makes some'
      : '  Demo faults:          one by itself every other minute, said here; npm start -- --quiet leaves them out',
  )
  const control = await openControl(fleet, server.dataDir, failed)
  return {
    async quiesce() {
      story?.stop()
      pushed?.close()
      await control.close()
    },
    close: () => fleet.close(),
  }
}

/** What people call a gateway, a device or a line of the plan. */
function namesOf(plan: ReturnType<typeof demoPlan>): (target: string) => string {
  const names = new Map<string, string>()
  for (const gateway of plan.flatMap(({ gateways }) => gateways)) {
    names.set(gateway.number, gateway.name)
    for (const { controllerId, name, lines } of gateway.devices) {
      names.set(controllerId, name)
      for (const line of lines) names.set(`${controllerId}/${line.lineNo}`, line.name)
    }
  }
  return (target) => names.get(target) ?? ''
}

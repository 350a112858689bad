import { setTimeout as wait } from 'node:timers/promises'
import { eventEvidence, listEvents } from '@linewarden/contract'
import { generatedPlan, startFleet } from '@linewarden/simulator'
import { signedIn } from '../tests/kit/stack.ts'
import { percentile } from './calibrate.ts'
import { field } from './field.ts'

const targets = { readyS: 75, openedP95Ms: 200 }
const opened = 10

/** Lines trip: how long after the alarm its evidence is there, and how long it takes to open one. */
export async function evidence(trips: number) {
  const target = await field(generatedPlan({ gateways: trips, linesPerGateway: 1, reportingPeriodMs: 1_000 }), 18_400)
  const fleet = startFleet(target.gateways, { url: `mqtt://127.0.0.1:${target.mqttPort}` })
  try {
    await fleet.ready
    const client = await signedIn(target.url, target.admin)
    // A minute before, as on any day, and trips that follow each other by a quarter of a second.
    await wait(60_000)
    for (const { controllerId, lineNo } of [...fleet.gateways.values()].flatMap((gateway) => gateway.lines())) {
      fleet.run('shortCircuit', { controllerId, lineNo })
      await wait(250)
    }
    const ready = new Map<string, number>()
    const until = performance.now() + 100_000
    let alarms: readonly { EventID: string; AddTime: number }[] = []
    while (performance.now() < until && (ready.size < trips || alarms.length < trips)) {
      await wait(500)
      const body = { Keys: ['trip.short'], Open: true, Size: 200 }
      alarms = (await client.call(listEvents, { body })).items
      for (const { EventID, AddTime } of alarms) {
        if (ready.has(EventID)) continue
        const { State } = await client.call(eventEvidence, { params: { EventID }, query: {} })
        if (State === 'ready') ready.set(EventID, Date.now() - AddTime)
      }
    }
    const times: number[] = []
    for (let round = 0; round < opened; round++)
      for (const { EventID } of alarms) {
        const began = performance.now()
        await client.call(eventEvidence, { params: { EventID }, query: {} })
        times.push(performance.now() - began)
      }
    const readyS = Math.round(Math.max(...ready.values()) / 100) / 10
    const openedP95Ms = Math.round(percentile(times, 0.95) * 10) / 10
    return {
      figures: { trips, ready: ready.size, readyS, opened: times.length, openedP95Ms, targets },
      verdict: ready.size === trips && readyS <= targets.readyS && openedP95Ms <= targets.openedP95Ms,
    }
  } finally {
    await fleet.close()
    await target.close()
  }
}

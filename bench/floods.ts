import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Client } from '@linewarden/client'
import { liveTicket, operateLine } from '@linewarden/contract'
import { generatedPlan, startFleet } from '@linewarden/simulator'
import { signedIn } from '../tests/kit/stack.ts'
import { median, percentile, rawCopyRate } from './calibrate.ts'
import type { Field } from './field.ts'
import { field } from './field.ts'
import type { FloodKind, FloodOrder } from './flood-kinds.ts'
import { floodKinds } from './flood-kinds.ts'
import { report } from './report.ts'
import { reporting } from './reporting.ts'

const targets = { tripP99Ms: 500, pubackP99Ms: 500, memoryBackWithinS: 60 }
const port = 18_300

/**
 * Floods of one kind after the other from one address, ten seconds each: how long a trip takes to be answered and a reading to be
 * acknowledged meanwhile, and whether the memory is back a minute later.
 */
export async function floods(options: { seconds?: number }): Promise<void> {
  const seconds = options.seconds ?? 10
  const target = await field(generatedPlan({ gateways: 3, linesPerGateway: 10 }), port)
  const database = await target.database()
  const rawCopyRowsPerSecond = await rawCopyRate(database, 3)
  await database.end()
  const tripped = target.gateways.slice(1)
  const reporter = await reporting(target, target.gateways[0])
  const fleet = startFleet(tripped, { url: `mqtt://127.0.0.1:${target.mqttPort}` })
  await fleet.ready
  const client = await signedIn(target.url, target.admin)
  const lines = tripped.flatMap(({ number }) => fleet.gateways.get(number)?.lines() ?? [])
  const quiet = await probed(() => wait(seconds * 1_000).then(() => 0))
  const rows: Record<string, unknown> = {}
  let verdict = true
  for (const kind of floodKinds) {
    const before = await inUseMb(target)
    const { tries, peakMb, ...found } = await probed(() => flood(target, client, kind, seconds))
    const backAfterS = await memoryBack(target, before)
    const ok = found.trip.p99Ms <= targets.tripP99Ms && found.puback.p99Ms <= targets.pubackP99Ms && backAfterS !== null
    verdict &&= ok
    rows[kind] = { tries, ...found, inUseBeforeMb: Math.round(before), peakMb, backAfterS, ok }
    process.stderr.write(`${kind}: ${JSON.stringify(rows[kind])}\n`)
  }
  await reporter.end()
  await fleet.close()
  await target.close()
  report('floods', {
    seconds,
    quiet: { trip: quiet.trip, puback: quiet.puback },
    ...rows,
    rawCopyRowsPerSecond,
    targets,
    verdict,
  })

  /** A trip five times a second and a reading fifty times a second while `work` goes on. */
  async function probed(work: () => Promise<number>) {
    let going = true
    let peakMb = 0
    const probe = async (everyMs: number, one: (index: number) => Promise<void>) => {
      const took: number[] = []
      for (let i = 0; going; i++) {
        const began = performance.now()
        await one(i)
        took.push(performance.now() - began)
        await wait(Math.max(0, everyMs - (performance.now() - began)))
      }
      return figures(took)
    }
    const probes = Promise.all([
      probe(200, async (i) => {
        const line = lines[i % lines.length]
        await client.call(operateLine, {
          params: { ControllerID: line?.controllerId ?? '', LineNo: line?.lineNo ?? 1, attr: 'trip' },
          body: { CommandID: randomUUID(), Reason: 'bench' },
        })
      }),
      probe(20, reporter.report),
      probe(100, async () => {
        peakMb = Math.max(peakMb, Math.round(await target.memoryMb()))
      }),
    ])
    const tries = await work()
    going = false
    const [trip, puback] = await probes
    return { tries, peakMb, trip, puback }
  }
}

const figures = (ms: readonly number[]) => ({
  count: ms.length,
  medianMs: Math.round(median(ms)),
  p99Ms: Math.round(percentile(ms, 0.99)),
  maxMs: Math.round(Math.max(...ms)),
})

async function flood(target: Field, client: Client, kind: FloodKind, seconds: number): Promise<number> {
  const tickets = kind === 'watch' ? await Promise.all(Array.from({ length: 5 }, () => client.call(liveTicket, {}))) : []
  const child = fork('bench/flood.ts', { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const order: FloodOrder = { kind, port, mqttPort: target.mqttPort, seconds, tickets: tickets.map(({ Ticket }) => Ticket) }
  return new Promise((resolve, reject) => {
    child.on('message', ({ tries }: { tries: number }) => resolve(tries))
    child.on('exit', (code) => reject(new Error(`the flood ended with ${code}`)))
    child.send(order)
  })
}

/** What the server holds, MB: the allocator of the system keeps what was given back, so that resident memory (`peakMb`) does not fall. */
async function inUseMb({ url }: Field): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text()
  const bytes = (name: string) => Number(new RegExp(`^${name} (\\d+)`, 'm').exec(metrics)?.[1])
  return (bytes('nodejs_heap_size_used_bytes') + bytes('nodejs_external_memory_bytes')) / 1_048_576
}

/** Seconds until the server holds no more than a quarter or 50 MB above what it held; null: not within a minute. */
async function memoryBack(target: Field, beforeMb: number): Promise<number | null> {
  const enough = beforeMb + Math.max(50, beforeMb / 4)
  for (let second = 0; second <= targets.memoryBackWithinS; second++) {
    if ((await inUseMb(target)) <= enough) return second
    await wait(1_000)
  }
  return null
}

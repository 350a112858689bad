import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { GatewayPlan } from '@linewarden/simulator'
import { serverFlags } from '../scripts/node-flags.mjs'
import { median } from './calibrate.ts'
import type { Order, Used, Watching } from './detectors-server.ts'
import { profiling, traffic } from './field.ts'
import { report } from './report.ts'

const targets = { cpuCostPercent: 5 }
const warmUpMs = 10_000
/** What was under way when they were switched, and lines that are met for the first time, belong to neither half. */
const settleMs = 1_000

interface Stretch {
  readonly perSecond: number
  readonly cpuMicros: number
}

/**
 * What the live detectors of early warning cost of ingest: one server takes as many messages as it can, and its detectors watch and do not in
 * turn, in pairs of which each second one is the other way round. `--pairs`, `--seconds` of each half. The verdict is by the processor's time
 * for a message, which the server's process itself counts at one moment with its messages: it hardly changes with what else the machine does.
 */
export async function detectors({ pairs = 10, seconds = 5, gateways = 100 }: Record<string, number>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'lw-bench-'))
  const child = fork('bench/detectors-server.ts', {
    execArgv: [...serverFlags, ...profiling()],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  process.once('exit', () => child.kill('SIGTERM'))
  const order: Order = { dataDir, gateways, linesPerGateway: 20 }
  const started = await asked<{ mqttPort: number; gateways: readonly GatewayPlan[] }>(child, order)
  const running = traffic(started, started.gateways, 0, (warmUpMs + pairs * 2 * (seconds * 1_000 + settleMs)) / 1_000 + 5)
  try {
    await wait(warmUpMs)
    const made: (readonly [watching: Stretch, not: Stretch])[] = []
    for (let pair = 0; pair < pairs; pair++) {
      const first = await stretch(child, pair % 2 === 0, seconds)
      const second = await stretch(child, pair % 2 !== 0, seconds)
      made.push(pair % 2 === 0 ? [first, second] : [second, first])
    }
    const costs = made.map(([watching, not]) => 100 * (1 - watching.perSecond / not.perSecond))
    const cpuCosts = made.map(([watching, not]) => 100 * (watching.cpuMicros / not.cpuMicros - 1))
    const of = (which: 0 | 1, what: keyof Stretch) => median(made.map((pair) => pair[which][what]))
    const costPercent = Math.round(10 * median(costs)) / 10
    const cpuCostPercent = Math.round(10 * median(cpuCosts)) / 10
    report('detectors', {
      ...{ pairs, seconds, lines: gateways * 20 },
      messagesPerSecond: { watching: Math.round(of(0, 'perSecond')), not: Math.round(of(1, 'perSecond')) },
      cpuCostsPercent: cpuCosts.map((each) => Math.round(10 * each) / 10),
      cpuMicrosPerMessage: { watching: Math.round(10 * of(0, 'cpuMicros')) / 10, not: Math.round(10 * of(1, 'cpuMicros')) / 10 },
      costsPercent: costs.map((each) => Math.round(10 * each) / 10),
      ...{ costPercent, cpuCostPercent, targets },
      // Of the process that evaluates alone: the database's share of ingest, which they do not touch, would make it less.
      verdict: cpuCostPercent <= targets.cpuCostPercent,
    })
  } finally {
    await running.done.catch(() => undefined)
    child.kill('SIGTERM')
    await once(child, 'exit')
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Messages a second and microseconds of the server's processor for each, with the detectors watching or not. */
async function stretch(child: ChildProcess, watching: boolean, seconds: number): Promise<Stretch> {
  const switched: Watching = { watching }
  await asked(child, switched)
  await wait(settleMs)
  const before = await asked<Used>(child, switched)
  const began = performance.now()
  await wait(seconds * 1_000)
  const after = await asked<Used>(child, switched)
  const messages = after.messages - before.messages
  return {
    perSecond: (1_000 * messages) / (performance.now() - began),
    cpuMicros: (after.cpu.user + after.cpu.system - before.cpu.user - before.cpu.system) / messages,
  }
}

async function asked<T>(child: ChildProcess, what: object): Promise<T> {
  child.send(what)
  const [answer] = await once(child, 'message')
  return answer
}

import { setTimeout as wait } from 'node:timers/promises'
import { generatedPlan } from '@linewarden/simulator'
import { rawCopyRate } from './calibrate.ts'
import { field, traffic } from './field.ts'
import { report } from './report.ts'

const targets = { messagesPerSecond: 25_000, shareOfRawCopy: 0.12, memoryMb: 600, missing: 0 }

/** How many messages of 17 values a second are ingested, evaluated, committed and only then acknowledged, generator on the same machine. */
export async function ingest(options: { seconds?: number }): Promise<void> {
  const seconds = options.seconds ?? 120
  const target = await field(generatedPlan({ gateways: 200, linesPerGateway: 20 }), 18_090)
  const client = await target.database()
  const rawCopyRowsPerSecond = await rawCopyRate(client, 10)
  const running = traffic(target, target.gateways, 0, seconds)
  const memory: number[] = []
  let over = false
  void running.done.finally(() => {
    over = true
  })
  while (!over) {
    await wait(1_000)
    memory.push(Math.round(await target.memoryMb()))
  }
  const { acknowledged, sent, perSecond } = await running.done
  const { rows } = await client.query<{ stored: string }>(`select count(*) as stored from reading`)
  // Each line's birth stored one row more.
  const stored = Number(rows[0]?.stored) - 200 * 20
  await client.end()
  await target.close()

  // Flat: the second half is not above the first by more than a tenth.
  const half = Math.floor(memory.length / 2)
  const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / Math.max(1, values.length)
  const memoryGrowth = mean(memory.slice(half)) / mean(memory.slice(Math.min(10, half), half)) - 1
  const messagesPerSecond = Math.round(perSecond)
  const shareOfRawCopy = Number((perSecond / rawCopyRowsPerSecond).toFixed(3))
  const missing = acknowledged - stored
  report('ingest', {
    messagesPerSecond,
    rawCopyRowsPerSecond,
    shareOfRawCopy,
    seconds,
    sent,
    acknowledged,
    stored,
    missing,
    memoryMaxMb: Math.max(...memory),
    memoryGrowth: Number(memoryGrowth.toFixed(3)),
    targets,
    verdict:
      messagesPerSecond >= targets.messagesPerSecond &&
      shareOfRawCopy >= targets.shareOfRawCopy &&
      Math.max(...memory) < targets.memoryMb &&
      memoryGrowth < 0.1 &&
      missing === targets.missing,
  })
}

import type { Client } from '@linewarden/client'
import type { Request } from '@linewarden/contract'
import { listWarningRules, previewWarningRule, queryWarnings } from '@linewarden/contract'
import { signedIn } from '../tests/kit/stack.ts'
import { seedBackTest } from './back-test-seed.ts'
import { percentile, rawCopyRate } from './calibrate.ts'
import { field } from './field.ts'
import { ownerName, password } from './lists-seed.ts'
import { report } from './report.ts'

const targets = { dailyS: 20, durationS: 30, pageP95Ms: 200 }
const pages = 40

type Asked = Request<typeof queryWarnings>['body']

/**
 * What it takes to show what a rule would have raised in the last 30 days, rule by rule, and to list findings. `--lines`, `--findings`;
 * `--candidates`: of how many in a thousand hours the samples are read.
 */
export async function backTest(options: Record<string, number>): Promise<void> {
  const size = {
    lines: options.lines ?? 10_000,
    findings: options.findings ?? 50_000,
    candidates: (options.candidates ?? 5) / 1_000,
  }
  const started = performance.now()
  const target = await field([], 18_240, { seed: (server) => seedBackTest(server, size) })
  const seedSeconds = Math.round((performance.now() - started) / 1_000)
  process.stderr.write(`seeded and started in ${seedSeconds} s\n`)
  try {
    const client = await signedIn(target.url, { userName: ownerName(0), password })
    const pageP95Ms = await pageTimes(client)
    const daily = ['leakage.step', 'leakage.drift', 'contact', 'voltage.range']
    const seconds: Record<string, number> = {}
    for (const key of [...daily, 'overcurrent']) {
      seconds[key] = await secondsOf(client, key)
      process.stderr.write(`${key}: ${seconds[key]} s\n`)
    }
    const dailyS = Math.max(...daily.map((key) => seconds[key] ?? Number.NaN))
    const durationS = seconds.overcurrent ?? Number.NaN
    const database = await target.database()
    const copyRowsPerSecond = await rawCopyRate(database, 2).finally(() => database.end())
    report('back-test', {
      ...{
        ...size,
        seconds,
        dailyS,
        durationS,
        pageP95Ms,
        memoryMb: await target.memoryMb(),
        copyRowsPerSecond,
        seedSeconds,
        targets,
      },
      verdict: dailyS <= targets.dailyS && durationS <= targets.durationS && pageP95Ms <= targets.pageP95Ms,
    })
  } finally {
    await target.close()
  }
}

async function secondsOf(client: Client, Key: string): Promise<number> {
  const { items } = await client.call(listWarningRules, { query: {} })
  const rule = items.find((each) => each.Key === Key)
  if (!rule) throw new Error(Key)
  const { Enabled, Priority, Targets, Except } = rule
  const began = performance.now()
  await client.call(previewWarningRule, { body: { Key, Enabled, Params: [], Priority, Targets, Except } })
  return Math.round((performance.now() - began) / 100) / 10
}

async function pageTimes(client: Client): Promise<number> {
  const asked: readonly Asked[] = [{}, { Levels: ['alarm'] }, { Acknowledged: false }, { Keys: ['contact'] }, { Page: 20 }]
  const times: number[] = []
  for (let i = 0; i < pages; i++) {
    const began = performance.now()
    await client.call(queryWarnings, { body: { Size: 50, ...asked[i % asked.length] } })
    times.push(performance.now() - began)
  }
  return Math.round(percentile(times, 0.95))
}

import { createHash } from 'node:crypto'
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
    const found = ['leakage.step', 'leakage.drift', 'contact', 'overcurrent']
    const daily = ['leakage.step', 'leakage.drift', 'contact', 'voltage.range']
    const seconds: Record<string, number> = {}
    const raised: Record<string, number> = {}
    const evaluated: Record<string, number> = {}
    for (const key of [...daily, 'overcurrent']) {
      const tried = await tryOut(client, key)
      seconds[key] = tried.seconds
      raised[key] = tried.findings
      evaluated[key] = tried.evaluated
      process.stderr.write(
        `${key}: ${tried.seconds} s, ${tried.findings} findings on ${tried.evaluated} evaluated lines, replies ${tried.digest}\n`,
      )
    }
    const dailyS = Math.max(...daily.map((key) => seconds[key] ?? Number.NaN))
    const durationS = seconds.overcurrent ?? Number.NaN
    const database = await target.database()
    const copyRowsPerSecond = await rawCopyRate(database, 2).finally(() => database.end())
    report('back-test', {
      ...{
        ...size,
        seconds,
        raised,
        evaluated,
        dailyS,
        durationS,
        pageP95Ms,
        memoryMb: await target.memoryMb(),
        copyRowsPerSecond,
        seedSeconds,
        targets,
      },
      // A rule that could say nothing, or had nothing to find, was not measured.
      verdict:
        daily.every((key) => evaluated[key] === size.lines) &&
        found.every((key) => (raised[key] ?? 0) > 0) &&
        dailyS <= targets.dailyS &&
        durationS <= targets.durationS &&
        pageP95Ms <= targets.pageP95Ms,
    })
  } finally {
    await target.close()
  }
}

/** One figure of each rule is changed, so that two rules are tried, as from a form. */
const changed: Readonly<Record<string, Request<typeof previewWarningRule>['body']['Params']>> = {
  'leakage.step': [{ Name: 'decision', Value: 6.5 }],
  'leakage.drift': [{ Name: 'significance', Value: 4.5 }],
  contact: [{ Name: 'noticeK', Value: 5 }],
  'voltage.range': [{ Name: 'share', Value: 6 }],
  overcurrent: [{ Name: 'minutes', Value: 12 }],
}

const withoutTimes = (key: string, value: unknown) => (['From', 'To', 'TookMs'].includes(key) ? undefined : value)

async function tryOut(client: Client, Key: string) {
  const { items } = await client.call(listWarningRules, { query: {} })
  const rule = items.find((each) => each.Key === Key)
  if (!rule) throw new Error(Key)
  const { Enabled, Priority, Targets, Except } = rule
  const began = performance.now()
  const body = { Key, Enabled, Params: changed[Key] ?? [], Priority, Targets, Except }
  const reply = await client.call(previewWarningRule, { body })
  return {
    seconds: Math.round((performance.now() - began) / 100) / 10,
    findings: reply.Present.Findings,
    evaluated: reply.Evaluated,
    // The same for the same seed on the same day, whatever was made faster.
    digest: createHash('sha256').update(JSON.stringify(reply, withoutTimes)).digest('hex').slice(0, 12),
  }
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

import type { Client } from '@linewarden/client'
import type { Request } from '@linewarden/contract'
import { analyseAlarms, listEvents, tree } from '@linewarden/contract'
import { recountAll } from '../apps/server/src/store/hazard/count.ts'
import { signedIn } from '../tests/kit/stack.ts'
import { seedAlarms } from './alarms-seed.ts'
import { percentile, rawCopyRate } from './calibrate.ts'
import { field } from './field.ts'
import { ownerName, password } from './lists-seed.ts'

const targets = { analysisP95Ms: 1_000 }
const [dayMs, yearDays] = [86_400_000, 365]

type Asked = Request<typeof analyseAlarms>['body']

/** A year of alarms as their statistics, compared with the year before, of everything and narrowed, as two people ask; and the list behind. */
export async function analysis(events: number, rounds: number) {
  let countedS = Number.NaN
  const target = await field([], 18_195, {
    seed: async (server) => {
      // Over two years, of which the last is asked for.
      await seedAlarms(server, { open: Math.ceil(events / 100), past: 2 * events })
      const client = await server.database.connect()
      const began = performance.now()
      await client.query('truncate event_step_due')
      await recountAll(client).finally(() => client.end())
      countedS = Math.round((performance.now() - began) / 1_000)
    },
  })
  try {
    const database = await target.database()
    const rawCopyRowsPerSecond = await rawCopyRate(database, 3)
    await database.query('vacuum analyze event_ten, event_day, event_counted')
    await database.end()
    const people = {
      platform: await signedIn(target.url, target.admin),
      owner: await signedIn(target.url, { userName: ownerName(0), password }),
    }
    const times: { what: string; p95: number }[] = []
    let announced = 0
    for (const [who, client] of Object.entries(people))
      for (const [what, body] of await questions(client)) {
        const found = await client.call(analyseAlarms, { body })
        announced = Math.max(announced, found.Total.Announced)
        times.push({ what: `${what} (${who})`, p95: await p95Of(rounds, () => client.call(analyseAlarms, { body })) })
      }
    times.sort((a, b) => b.p95 - a.p95)
    for (const { what, p95 } of times) process.stderr.write(`${what}: ${p95} ms\n`)
    const analysisP95Ms = times[0]?.p95 ?? Number.NaN
    const behindMs = await p95Of(rounds, () => people.platform.call(listEvents, { body: { Counted: behind(), Size: 100 } }))
    return {
      figures: {
        ...{ events, announced, rounds, analysisP95Ms, worst: times.slice(0, 3).map(({ what, p95 }) => `${what} ${p95}`) },
        ...{ listOf30DaysMs: behindMs, countedS, calibrator: { rawCopyRowsPerSecond }, targets },
      },
      verdict: announced >= events * 0.9 && analysisP95Ms <= targets.analysisP95Ms,
    }
  } finally {
    await target.close()
  }
}

const dayText = (at: number): string => new Date(at).toISOString().slice(0, 10)
const year = () => ({ FromDay: dayText(Date.now() - (yearDays - 1) * dayMs), ToDay: dayText(Date.now()) })
const behind = () => ({ As: 'announced', From: Date.now() - 30 * dayMs, To: Date.now() }) as const

async function questions(client: Client): Promise<readonly (readonly [string, Asked])[]> {
  const { Groups } = await client.call(tree, { query: { Depth: 'projects' } })
  const HouseID = Groups.flatMap(({ Houses }) => Houses)[0]?.HouseID ?? 0
  return [
    ['a year and the one before', { ...year(), Compare: true }],
    ['a year alone', { ...year(), Compare: false }],
    ['of one project', { ...year(), HouseID }],
    ['of one alarm', { ...year(), Keys: ['trip.short'] }],
    ['critical', { ...year(), Priorities: ['critical'] }],
    ['30 days', { ...year(), FromDay: dayText(Date.now() - 29 * dayMs) }],
  ]
}

async function p95Of(rounds: number, ask: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const began = performance.now()
    await ask()
    times.push(performance.now() - began)
  }
  return Math.round(percentile(times, 0.95) * 10) / 10
}

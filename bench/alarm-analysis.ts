import type { Client } from '@linewarden/client'
import type { Request } from '@linewarden/contract'
import { analyseAlarms, listEvents, tree } from '@linewarden/contract'
import { alarmKinds } from '@linewarden/equipment'
import { recountAll } from '../apps/server/src/store/hazard/count.ts'
import { signedIn } from '../tests/kit/stack.ts'
import { seedAlarms } from './alarms-seed.ts'
import { percentile, rawCopyRate } from './calibrate.ts'
import { field } from './field.ts'
import { ownerName, password } from './lists-seed.ts'

const targets = { analysisP95Ms: 1_000, behindP95Ms: 150, countedS: 60 }
const [dayMs, yearDays] = [86_400_000, 365]

type Asked = Request<typeof analyseAlarms>['body']

/**
 * A year of alarms as their statistics, compared with the year before, of everything and narrowed, as two people ask; the lists behind; and how
 * long it takes to count all of it anew.
 */
export async function analysis(events: number, rounds: number) {
  let countedS = Number.NaN
  const started = performance.now()
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
  const seedSeconds = Math.round((performance.now() - started) / 1_000)
  try {
    const database = await target.database()
    const rawCopyRowsPerSecond = await rawCopyRate(database, 3)
    await database.query(
      'vacuum analyze event_place, event_ten, event_day, event_ack, event_ten_sum, event_day_sum, event_ack_sum, event_counted',
    )
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
    const behind: { what: string; p95: number }[] = []
    for (const [who, client] of Object.entries(people))
      for (const [what, body] of await listsBehind(client))
        behind.push({ what: `${what} (${who})`, p95: await p95Of(rounds, () => client.call(listEvents, { body })) })
    behind.sort((a, b) => b.p95 - a.p95)
    for (const { what, p95 } of behind) process.stderr.write(`behind ${what}: ${p95} ms\n`)
    const behindP95Ms = behind[0]?.p95 ?? Number.NaN
    return {
      figures: {
        ...{ events, announced, rounds, analysisP95Ms, worst: times.slice(0, 3).map(({ what, p95 }) => `${what} ${p95}`) },
        ...{ behindP95Ms, behindWorst: behind.slice(0, 3).map(({ what, p95 }) => `${what} ${p95}`) },
        ...{ countedS, seedSeconds, calibrator: { rawCopyRowsPerSecond }, targets },
      },
      verdict:
        announced >= events * 0.9 &&
        analysisP95Ms <= targets.analysisP95Ms &&
        behindP95Ms <= targets.behindP95Ms &&
        countedS <= targets.countedS,
    }
  } finally {
    await target.close()
  }
}

const dayText = (at: number): string => new Date(at).toISOString().slice(0, 10)
const year = () => ({ FromDay: dayText(Date.now() - (yearDays - 1) * dayMs), ToDay: dayText(Date.now()) })

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

/** What 30 days opened as announced, in each order and narrowed; and what a day a year ago did. */
async function listsBehind(client: Client): Promise<readonly (readonly [string, Request<typeof listEvents>['body']])[]> {
  const { Groups } = await client.call(tree, { query: { Depth: 'projects' } })
  const HouseID = Groups.flatMap(({ Houses }) => Houses)[0]?.HouseID ?? 0
  const Kinds = [...alarmKinds]
  const now = Date.now()
  const Counted = { As: 'announced', From: now - 30 * dayMs, To: now } as const
  const Hour = { Weekday: 2, Hour: 10, TimeZone: 'Asia/Shanghai' }
  const sorts = [undefined, '-Priority', 'Priority', '-RaisedAt', 'RaisedAt', '-Raises'] as const
  return [
    ...sorts.map((Sort) => [`30 days ${Sort ?? ''}`, { Counted, Kinds, Size: 100, ...(Sort && { Sort }) }] as const),
    ['30 days of one project', { Counted, Kinds, HouseID }],
    ['30 days of one alarm', { Counted, Kinds, Keys: ['trip.short'] }],
    ['30 days critical', { Counted, Kinds, Priorities: ['critical'] }],
    ['30 days open', { Counted, Kinds, Open: true }],
    ['an hour of the week', { Counted: { ...Counted, Hour }, Kinds }],
    [
      'a day a year ago',
      { Counted: { As: 'raised', FromDay: dayText(now - 365 * dayMs), ToDay: dayText(now - 365 * dayMs) }, Kinds },
    ],
    ['30 days a year ago', { Counted: { As: 'announced', From: now - 395 * dayMs, To: now - 365 * dayMs }, Kinds }],
    [
      'acknowledged in 30 days',
      { Counted: { As: 'acknowledged', FromDay: dayText(now - 30 * dayMs), ToDay: dayText(now) }, Kinds },
    ],
  ]
}

/** The first is not counted. */
async function p95Of(rounds: number, ask: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let round = -1; round < rounds; round++) {
    const began = performance.now()
    await ask()
    if (round >= 0) times.push(performance.now() - began)
  }
  return Math.round(percentile(times, 0.95) * 10) / 10
}

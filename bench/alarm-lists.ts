import type { Client } from '@linewarden/client'
import type { Request } from '@linewarden/contract'
import { acknowledgeEvents, acknowledgeMatching, listEvents, tree } from '@linewarden/contract'
import { alarmKinds } from '@linewarden/equipment'
import { signedIn } from '../tests/kit/stack.ts'
import type { AlarmsSize } from './alarms-seed.ts'
import { seedAlarms } from './alarms-seed.ts'
import { percentile, rawCopyRate } from './calibrate.ts'
import type { Field } from './field.ts'
import { field } from './field.ts'
import { ownerName, password, subName } from './lists-seed.ts'

const targets = { listP95Ms: 150, deepPageRatio: 1.5, acknowledge500Ms: 500, acknowledgeMatchingS: 10 }
const deepPage = 1_000

type Asked = Request<typeof listEvents>['body']

/**
 * The alarm list over a hundred thousand open and five million past events: every filter with every order, as the platform administrator, a
 * project administrator and a sub-user ask; a page far down by its cursor; what one press acknowledges.
 */
export async function alarmLists(size: AlarmsSize, rounds: number) {
  const started = performance.now()
  const target = await field([], 18_180, { seed: (server) => seedAlarms(server, size) })
  const seedSeconds = Math.round((performance.now() - started) / 1_000)
  process.stderr.write(`seeded and started in ${seedSeconds} s\n`)
  const { times, ...figures } = await measure(target, rounds).finally(() => target.close())
  times.sort((a, b) => b.p95 - a.p95)
  for (const { who, what, median, p95 } of times.slice(0, 15)) process.stderr.write(`${what} (${who}): ${median}, ${p95} ms\n`)
  const listP95Ms = times[0]?.p95 ?? Number.NaN
  return {
    figures: {
      ...size,
      ...{ lists: times.length, rounds, listP95Ms, listMedianMs: Math.max(...times.map(({ median }) => median)) },
      worst: times.slice(0, 3).map(({ who, what, p95 }) => `${what} (${who}) ${p95}`),
      ...figures,
      ...{ seedSeconds, targets },
    },
    verdict:
      listP95Ms <= targets.listP95Ms &&
      figures.deepPageMs <= figures.firstPageMs * targets.deepPageRatio + 5 &&
      figures.acknowledge500Ms <= targets.acknowledge500Ms &&
      figures.acknowledgeMatchingS <= targets.acknowledgeMatchingS,
  }
}

async function measure(target: Field, rounds: number) {
  const database = await target.database()
  const rawCopyRowsPerSecond = await rawCopyRate(database, 3)
  await database.end()
  const people = {
    platform: await signedIn(target.url, target.admin),
    owner: await signedIn(target.url, { userName: ownerName(0), password }),
    sub: await signedIn(target.url, { userName: subName(0), password }),
  }
  const times: ({ who: string; what: string } & Measured)[] = []
  for (const [who, client] of Object.entries(people))
    for (const { what, body } of await questions(client))
      times.push({ who, what, ...(await timesOf(rounds, () => client.call(listEvents, { body }))) })
  const { platform } = people
  const paged = await pages(platform, rounds)
  const memoryMb = Math.round(await target.memoryMb())
  return { times, ...paged, ...(await acknowledging(platform)), memoryMb, calibrator: { rawCopyRowsPerSecond } }
}

/** Every filter in every order: what the page of alarms asks itself, and what else can be asked. */
async function questions(client: Client): Promise<{ what: string; body: Asked }[]> {
  const { Groups } = await client.call(tree, { query: { Depth: 'projects' } })
  const CityID = Groups[0]?.CityID ?? 0
  const HouseID = Groups.flatMap(({ Houses }) => Houses)[0]?.HouseID ?? 0
  const one = await client.call(tree, { query: { HouseID } })
  const gateway = one.Groups[0]?.Houses[0]?.Devices[0]
  const device = gateway?.Devices[0]
  const day = 86_400_000
  const now = Date.now()
  // What the page of alarms lists: what has a life of its own.
  const Kinds = [...alarmKinds]
  const filters: readonly Asked[] = [
    { Open: true, Folded: false, Kinds },
    { Open: true, Folded: false, Kinds, HouseID },
    { Open: true, Folded: false, Kinds, Shelved: true },
    { Folded: false, Kinds },
    { Open: true, Kinds, Newest: true },
    { Kinds, Newest: true, From: now - 7 * day },
    { Open: true, Folded: true },
    { Shelved: false, Open: true },
    { HouseID, Here: true },
    { Counted: { As: 'longActive', From: now - 7 * day } },
    {},
    { Open: true },
    { States: ['active', 'returned'] },
    { States: ['returned'] },
    { HouseID },
    { CityID },
    { DeviceID: gateway?.DeviceID ?? 0 },
    { ControllerID: device?.ControllerID ?? '' },
    { LineID: device?.Lines[0]?.LineID ?? 0, Around: true },
    { Keys: ['trip.short'] },
    { Keys: ['water', 'tamper'] },
    { Kinds: ['fault'] },
    { Kinds: ['alarm'], Priorities: ['critical'], Open: true },
    { Priorities: ['low'] },
    { From: now - 7 * day },
    { From: now - 400 * day, To: now - 393 * day },
    { From: now - 400 * day, To: now - 30 * day, Priorities: ['critical'], HouseID },
    { Text: '短路' },
    { Text: '线路 77' },
    { Text: '没有这个' },
  ]
  const orders: readonly (Asked['Sort'] | undefined)[] = [undefined, '-Priority', 'Priority', '-RaisedAt', 'RaisedAt', '-Raises']
  return filters.flatMap((filter) =>
    orders.map((Sort) => ({ what: JSON.stringify({ ...filter, Sort }), body: { ...filter, Size: 50, ...(Sort && { Sort }) } })),
  )
}

/** The first page of all, and the thousandth by its cursor. */
async function pages(client: Client, rounds: number) {
  const body: Asked = { Size: 50 }
  let Before: string | null = null
  for (let page = 1; page < deepPage; page++) {
    const next: Awaited<ReturnType<typeof ask>> = await ask(Before)
    Before = next.about.Next
    if (Before === null) break
  }
  const [first, deep] = [await timesOf(rounds * 4, () => ask(null)), await timesOf(rounds * 4, () => ask(Before))]
  return { firstPageMs: first.p95, deepPageMs: deep.p95, firstPageMedianMs: first.median, deepPageMedianMs: deep.median }

  function ask(from: string | null) {
    return client.call(listEvents, { body: { ...body, ...(from !== null && { Before: from }) } })
  }
}

async function acknowledging(client: Client) {
  const EventIDs: string[] = []
  let [Before, UpTo, Mark]: [string | null, string, string] = [null, '0', '0']
  while (EventIDs.length < 500) {
    const page: Awaited<ReturnType<typeof next>> = await next(Before)
    EventIDs.push(...page.items.map(({ EventID }) => EventID))
    ;({ UpTo, Mark } = page.about)
    Before = page.about.Next
    if (Before === null) break
  }
  const began = performance.now()
  const { Acknowledged } = await client.call(acknowledgeEvents, { body: { EventIDs: EventIDs.slice(0, 500) } })
  const acknowledge500Ms = Math.round(performance.now() - began)
  // How many wait is told by who is refused.
  const all = { Filter: {}, UpTo, Mark, Expect: 1 }
  const waiting = await client.call(acknowledgeMatching, { body: all }).then(
    () => 0,
    (error) => Number(error.problem?.failure?.Detail?.now ?? 0),
  )
  const beganAll = performance.now()
  const done = await client.call(acknowledgeMatching, { body: { ...all, Expect: waiting } }, { timeoutMs: 600_000 })
  const acknowledgeMatchingS = Math.round((performance.now() - beganAll) / 100) / 10
  return { acknowledged: [Acknowledged, done.Acknowledged], acknowledge500Ms, acknowledgeMatchingS }

  function next(from: string | null) {
    return client.call(listEvents, {
      body: { States: ['active', 'returned'], Size: 200, ...(from !== null && { Before: from }) },
    })
  }
}

/** Milliseconds to one decimal. */
interface Measured {
  readonly median: number
  readonly p95: number
}

/** The first is not counted. */
async function timesOf(rounds: number, ask: () => Promise<unknown>): Promise<Measured> {
  const times: number[] = []
  for (let i = -1; i < rounds; i++) {
    const began = performance.now()
    await ask()
    if (i >= 0) times.push(performance.now() - began)
  }
  const at = (share: number) => Math.round(percentile(times, share) * 10) / 10
  return { median: at(0.5), p95: at(0.95) }
}

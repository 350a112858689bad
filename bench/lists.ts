import type { Client } from '@linewarden/client'
import { CallError } from '@linewarden/client'
import { searchTree, tree, userInfo } from '@linewarden/contract'
import { signedIn } from '../tests/kit/stack.ts'
import { percentile, rawCopyRate } from './calibrate.ts'
import type { Field } from './field.ts'
import { field } from './field.ts'
import type { Place } from './lists-requests.ts'
import { listRequests } from './lists-requests.ts'
import { full, ownerName, password, seedOrganisation, subName } from './lists-seed.ts'
import { shownTimes } from './lists-shown.ts'
import { report } from './report.ts'

const targets = { listP95Ms: 100, treeLevelP95Ms: 200, treeSearchP95Ms: 300, showP95Ms: 1_000 }
const roundsOnPage = 5

/**
 * Every list of the API, the tree and its search, as the platform administrator, a project administrator and a sub-user ask for them; then
 * the console's administration pages and its tree in a real browser.
 * `--projects`: fewer of them, and of what stands in them, to try something out.
 */
export async function lists(options: { rounds?: number; projects?: number }): Promise<void> {
  const share = (options.projects ?? full.projects) / full.projects
  const size = { ...full, projects: full.projects * share, gateways: full.gateways * share, lines: full.lines * share }
  const rounds = options.rounds ?? 20
  const started = performance.now()
  const target = await field([], 18_160, { seed: (server) => seedOrganisation(server, size) })
  const seedSeconds = Math.round((performance.now() - started) / 1_000)
  process.stderr.write(`seeded and started in ${seedSeconds} s\n`)
  const { measured, page } = await (async () => ({
    measured: await measure(target, rounds),
    page: await shownTimes(target, roundsOnPage),
  }))().finally(() => target.close())
  const { times, levels, searches, refusals, rawCopyRowsPerSecond, memoryMb } = measured
  if (refusals.length > 0) throw new Error(refusals.join('\n'))
  times.sort((a, b) => b.p95 - a.p95)
  for (const { who, what, p95 } of times.slice(0, 15)) process.stderr.write(`${what} (${who}): ${p95} ms\n`)
  const pages = times.filter(({ whole }) => !whole)
  const worst = pages.slice(0, 3).map(({ who, what, p95 }) => `${what} (${who}) ${p95}`)
  const listP95Ms = Math.max(...pages.map(({ p95 }) => p95))
  const treeLevelP95Ms = Math.max(...levels)
  const treeSearchP95Ms = Math.max(...searches)
  const showP95Ms = Math.max(...page.shown.map(({ p95 }) => p95))
  report('lists', {
    ...size,
    lists: pages.length,
    rounds,
    listP95Ms,
    worst,
    wholeP95Ms: times.filter(({ whole }) => whole).map(({ who, what, p95 }) => `${what} (${who}) ${p95}`),
    treeLevelP95Ms,
    treeSearchP95Ms,
    showP95Ms,
    shown: page.shown.map(({ what, p95 }) => `${what} ${p95}`),
    seedSeconds,
    memoryMb,
    calibrator: { rawCopyRowsPerSecond, scriptMs: page.calibratorMs },
    targets,
    verdict:
      listP95Ms < targets.listP95Ms &&
      treeLevelP95Ms < targets.treeLevelP95Ms &&
      treeSearchP95Ms < targets.treeSearchP95Ms &&
      showP95Ms < targets.showP95Ms,
  })
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
  const times: { who: string; what: string; whole: boolean; p95: number }[] = []
  const refusals: string[] = []
  const levels: number[] = []
  const searches: number[] = []
  for (const [who, client] of Object.entries(people)) {
    const place = await placeOf(client)
    for (const { call, whole, ask } of listRequests()) {
      const p95 = await p95Of(call.name, rounds, (i) => ask(client, place, i)).catch((error: Error) => {
        refusals.push(`${who} ${error.message}`)
        return null
      })
      // What somebody may not see has no figure.
      if (p95 !== null) times.push({ who, what: call.name, whole, p95 })
    }
    const { HouseID } = place
    levels.push((await p95Of('tree', rounds, () => client.call(tree, { query: { Depth: 'projects' } }))) ?? Number.NaN)
    levels.push((await p95Of('tree', rounds, () => client.call(tree, { query: { HouseID } }))) ?? Number.NaN)
    const texts = ['网关 1', 'C-GW007', '线路 77', '项目 9', '没有这个']
    searches.push(
      (await p95Of('searchTree', rounds, (i) => client.call(searchTree, { query: { Text: texts[i % 5] ?? '' } }))) ?? Number.NaN,
    )
  }
  const memoryMb = Math.round(await target.memoryMb())
  return { times, levels, searches, refusals, rawCopyRowsPerSecond, memoryMb }
}

/** Milliseconds to one decimal; null when it is denied to this person. The first two are not counted: nobody's page is the first of its day twice. */
async function p95Of(what: string, rounds: number, ask: (i: number) => Promise<unknown>): Promise<number | null> {
  const times: number[] = []
  for (let i = -2; i < rounds; i++) {
    const began = performance.now()
    try {
      await ask(Math.abs(i))
    } catch (error) {
      if (error instanceof CallError && error.message === 'access denied') return null
      throw error instanceof CallError ? new Error(`${what}: ${JSON.stringify(error.problem)}`) : error
    }
    if (i >= 0) times.push(performance.now() - began)
  }
  return Math.round(percentile(times, 0.95) * 10) / 10
}

/** Somewhere in the middle of what somebody sees. */
async function placeOf(client: Client): Promise<Place> {
  const { Groups } = await client.call(tree, { query: { Depth: 'projects' } })
  const houses = Groups.flatMap(({ CityID, Houses }) => Houses.map(({ HouseID }) => ({ CityID, HouseID })))
  const { CityID, HouseID } = houses[Math.floor(houses.length / 2)] ?? { CityID: 0, HouseID: 0 }
  const one = await client.call(tree, { query: { HouseID } })
  const gateway = one.Groups[0]?.Houses[0]?.Devices[0]
  const device = gateway?.Devices[0]
  return {
    HouseID,
    CityID,
    DeviceID: gateway?.DeviceID ?? 0,
    ControllerID: device?.ControllerID ?? '',
    LineID: device?.Lines[0]?.LineID ?? 0,
    UserName: subName(0),
    UserID: (await client.call(userInfo)).UserID,
  }
}

import { setTimeout as wait } from 'node:timers/promises'
import type { KilledServer } from '../../tests/kit/faults/killed-server.ts'
import type { DueField } from './due-field.ts'
import { until, within } from './due-field.ts'
import type { ClockStep } from './due-oracle.ts'
import type { DuePlan, PlannedFault, PlannedRise } from './due-plan.ts'
import { riseAboveA } from './due-plan.ts'
import { hangTag } from './due-store.ts'
import type { Rise } from './rise-oracle.ts'

export interface Happened {
  readonly clock: readonly ClockStep[]
  readonly rises: readonly Rise[]
  readonly tags: readonly { readonly line: number; readonly at: number }[]
  /** When the database was killed. */
  readonly databaseKills: readonly number[]
  readonly done: Readonly<Record<string, unknown>>
}

/** Nobody evaluates what a gateway reports to a server that stands still for longer than a moment. */
const longPauseMs = 10_000
const quietA = 10

/** Brings about what is planned, each at its time, until it is over or the time is. */
export async function bringAbout(field: DueField, plan: DuePlan, maxMs: number): Promise<Happened> {
  const clock: ClockStep[] = []
  const pauses: { readonly from: number; readonly to: number }[] = []
  const rises: Omit<Rise, 'mustAct'>[] = []
  const tags = plan.tags.filter(({ at }) => at === 0).map(({ line }) => ({ line, at: 0 }))
  const own: [number, number] = [0, 0]
  let dueMs = 0
  const startedMs: number[] = []
  const databaseKills: number[] = []
  const done = { kills: { first: 0, second: 0, database: 0 }, killsLeftOut: 0, pauses: 0, clockSteps: 0, startsThatFailed: 0 }
  const under: Promise<unknown>[] = []
  const busy = new Set<number>()
  const placeOf = (victim: 'first' | 'second') => (victim === 'first' ? 0 : 1)

  /** One server is killed, or stands still, at a time: where it is just coming up, or stands still, the other one is taken. */
  async function alone(preferred: number, work: (index: 0 | 1) => Promise<void>): Promise<boolean> {
    const index = ([preferred, 1 - preferred] as (0 | 1)[]).find((each) => !busy.has(each))
    if (index === undefined) return false
    busy.add(index)
    await work(index).finally(() => busy.delete(index))
    return true
  }
  const setClock = (victim: 'first' | 'second' | 'database', byMs: number) => {
    if (victim === 'database') {
      dueMs = byMs
      clock.push({ at: field.now(), aheadMs: byMs })
    } else own[placeOf(victim)] = byMs
    field.setClocks(dueMs, own)
    done.clockSteps += 1
  }
  async function kill(index: 0 | 1): Promise<void> {
    const server = field.servers[index]
    await within('the end of a server that was killed', 60_000, server.end())
    done.kills[index === 0 ? 'first' : 'second'] += 1
    const began = performance.now()
    await startAgain(server, () => {
      done.startsThatFailed += 1
    })
    startedMs.push(performance.now() - began)
  }
  async function fault(each: PlannedFault): Promise<void> {
    if (each.do === 'clock') {
      setClock(each.victim, each.byMs)
      await wait(each.forMs)
      return setClock(each.victim, 0)
    }
    if (each.victim === 'database') {
      // It may be coming up again from the kill before: then it is away all the same.
      databaseKills.push(field.now())
      process.kill(field.postgres.postmasterPid(), 'SIGKILL')
      done.kills.database += 1
      return
    }
    const { victim } = each
    if (each.do === 'kill') {
      if (!(await alone(placeOf(victim), kill))) done.killsLeftOut += 1
      return
    }
    await alone(placeOf(victim), async (index) => {
      const from = field.now()
      field.servers[index].standStill(true)
      done.pauses += 1
      await wait(each.forMs)
      field.servers[index].standStill(false)
      if (each.forMs > longPauseMs) pauses.push({ from, to: field.now() + longPauseMs })
    })
  }
  field.leap(plan.beginsAt)
  const planned = [
    ...plan.faults.map((each) => ({ at: each.at, work: () => fault(each) })),
    ...plan.rises.map((each) => ({ at: each.at, work: () => rise(field, plan, each).then((one) => rises.push(one)) })),
    ...plan.tags.flatMap((each) =>
      each.at > 0 ? [{ at: each.at, work: () => tag(field, each.line).then((one) => tags.push(one)) }] : [],
    ),
  ].toSorted((one, other) => one.at - other.at)
  const began = performance.now()
  for (const { at, work } of planned) {
    const left = plan.beginsAt + at - field.now()
    if (performance.now() - began + Math.max(0, left) > maxMs) break
    if (left > 0) await wait(left)
    under.push(work().catch((error) => process.stderr.write(`${error}\n`)))
  }
  const killedMs = performance.now() - began
  const left = Math.min(plan.endsAt + 61_000 - field.now(), maxMs - (performance.now() - began))
  if (left > 0) await wait(left)
  await within('the end of what was brought about', 600_000, Promise.all(under))
  const isLong = ({ from, to }: Omit<Rise, 'mustAct'>) => to - from > 60_000
  const isUnobserved = ({ from, to }: Omit<Rise, 'mustAct'>) => pauses.some((pause) => pause.from < to && pause.to > from)
  return {
    ...{ clock, tags, databaseKills, rises: rises.map((each) => ({ ...each, mustAct: isLong(each) && !isUnobserved(each) })) },
    done: {
      ...done,
      startMedianMs: Math.round(startedMs.toSorted((one, other) => one - other)[Math.floor(startedMs.length / 2)] ?? 0),
      msPerKill: Math.round(killedMs / Math.max(1, done.kills.first + done.kills.second + done.kills.database)),
    },
  }
}

/** The database may be away just then: whoever supervises a server starts it again. */
const startAgain = (server: KilledServer, failed: () => void): Promise<boolean> =>
  until('the start of a server', 180_000, async () => {
    try {
      await within('the start of a server', 120_000, server.start())
      return true
    } catch (error) {
      failed()
      await server.end()
      throw error
    }
  })

async function rise(field: DueField, { linkages }: DuePlan, { linkage, forMs }: PlannedRise): Promise<Omit<Rise, 'mustAct'>> {
  const source = linkages[linkage]?.source ?? 0
  const from = field.now()
  field.setLoad(source, riseAboveA + 5)
  await wait(forMs)
  field.setLoad(source, quietA)
  return { linkage, from, to: field.now() }
}

async function tag(field: DueField, line: number): Promise<Happened['tags'][number]> {
  await until('a tag', 120_000, () => hangTag(field, line).then(() => true))
  return { line, at: field.now() }
}

/** So much flows before anything rises. */
export function quieten(field: DueField, { linkages }: DuePlan): void {
  for (const { source } of linkages) field.setLoad(source, quietA)
}

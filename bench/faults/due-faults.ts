import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { rawCopyRate } from '../calibrate.ts'
import { report } from '../report.ts'
import type { DueField } from './due-field.ts'
import { controllerId, dueField, until, within } from './due-field.ts'
import type { ClockStep, Executed, StoredOutcome } from './due-oracle.ts'
import { compareDues } from './due-oracle.ts'
import type { DuePlan, PlannedFault } from './due-plan.ts'
import { planDues } from './due-plan.ts'

/** What has no end stored by then has none: a lease of a minute, a taking over, and closes that have their turns. */
const settleMs = 240_000

/**
 * Timers of one project while two servers on one database are killed, stand still, and have clocks that go wrong, on a night when clocks change.
 * What the equipment did and what is stored is held against the plan. `--seed N --kills N --minutes N --pauses N`
 */
export async function dueFaults(options: { seed?: number; kills?: number; minutes?: number; pauses?: number }): Promise<void> {
  const { seed = 1, kills = 1_000, minutes = 600, pauses = 300 } = options
  const plan = planDues(seed, { kills, maxPauseMs: pauses * 1_000 })
  const field = await dueField(plan)
  try {
    const calibratorRowsPerS = await field.withDatabase((client) => rawCopyRate(client, 3))
    await storeTimers(field, plan)
    const { clock, done } = await faults(field, plan, minutes * 60_000)
    // What was not due by the time it was ended is no part of it.
    const endedAt = field.now()
    const dues = plan.dues.map((due, index) => ({ ...due, index })).filter(({ dueAt }) => dueAt < endedAt - 60_000)
    const runs = await settledRuns(field, dues.length, endedAt - 60_000)
    const executed = (await field.executed()).flatMap((entry): Executed[] =>
      entry.controllerId === controllerId && entry.outcome === 'executed'
        ? [{ id: entry.id, line: entry.lineNo - 1, action: entry.action, at: entry.at }]
        : [],
    )
    const found = compareDues({ lines: plan.lines, dues: plan.dues, runs, executed, clock, until: endedAt - 60_000 })
    for (const [what, each] of Object.entries(found)) for (const one of each) process.stderr.write(`${what}: ${one}\n`)
    const counts = Object.fromEntries(Object.entries(found).map(([what, each]) => [what, each.length]))
    const actions = Object.groupBy(executed, ({ action }) => action)
    report('due-faults', {
      ...{ seed, night: plan.night, ...done, dues: dues.length, outcomes: counted(runs.map(outcomeOf)) },
      ...{ closesExecuted: actions.close?.length ?? 0, tripsExecuted: actions.trip?.length ?? 0 },
      ...{ ...counts, calibratorRowsPerS },
      targets: Object.fromEntries(Object.keys(counts).map((what) => [what, 0])),
      verdict: Object.values(counts).every((count) => count === 0) && (actions.close?.length ?? 0) > 0 && dues.length > 0,
    })
  } finally {
    await field.close()
  }
}

const outcomeOf = ({ state, why }: StoredOutcome): string => (why === null ? state : `${state} ${why}`)

function counted(words: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1
  return counts
}

/** As people would have stored them; the servers work out by themselves when each is due. A tag hangs, and owners are gone, from the start. */
async function storeTimers(field: DueField, { lines, dues, timeZone, beginsAt }: DuePlan): Promise<void> {
  const rows = dues.map(({ line, action, date, time }, index) => ({
    ...{ name: `d${index}`, line_id: field.lineIds[line], has_owner: lines[line] !== 'refused' },
    schedule: {
      period: { type: 'once', date, fromDate: null, toDate: null },
      points: [{ pointNo: 1, at: time, action }],
      exceptions: [],
    },
    action,
  }))
  const tagged = field.lineIds.filter((_, line) => lines[line] === 'tagged')
  await field.withDatabase(async (client) => {
    await client.query(
      `insert into tag (tag_id, line_id, kind, holder, reason, placed_at)
       select gen_random_uuid(), line_id, 'tag', 'somebody', 'at work', $2 from unnest($1::int[]) as t (line_id)`,
      [tagged, new Date(field.now())],
    )
    await client.query(
      `with r as (select * from jsonb_to_recordset($1::jsonb) as r (name text, line_id int, has_owner boolean, schedule jsonb, action text)),
         t as (insert into timer (project_id, name, function, schedule, keep_while_wanted, enabled, owner_id, owner_name, changed_at, changed_by)
           select $2, name, 'switch', schedule, false, true,
             case when has_owner then (select account_id from account where kind = 'platform' limit 1) end, 'due', $3, 'due' from r
           returning timer_id, name),
         l as (insert into timer_line (timer_id, position, line_id) select timer_id, 0, line_id from t join r using (name))
       insert into timer_due (timer_id, version, time_zone, point_no, due_at, action, zone_data, stale)
       select timer_id, 1, $4, 1, $5, action, '', true from t join r using (name)`,
      [JSON.stringify(rows), field.projectId, new Date(field.now()), timeZone, new Date(beginsAt + 86_400_000)],
    )
  })
  for (const server of field.servers) {
    await server.end()
    await within('the start of a server', 120_000, server.start())
  }
  await until('the due row of every timer', 120_000, () =>
    field.withDatabase(async (client) => {
      const { rows } = await client.query<{ name: string; due_at: Date }>(
        'select name, due_at from timer_due join timer using (timer_id) where not stale',
      )
      if (rows.length < dues.length) return null
      const wrong = rows.filter(({ name, due_at }) => due_at.getTime() !== dues[Number(name.slice(1))]?.dueAt)
      for (const { name, due_at } of wrong) process.stderr.write(`${name} is due at ${due_at.toISOString()}\n`)
      return true
    }),
  )
}

/** Brings about what is planned, each at its time, until it is over or the time is. */
async function faults(field: DueField, plan: DuePlan, maxMs: number) {
  const clock: ClockStep[] = []
  const own: [number, number] = [0, 0]
  let dueMs = 0
  const done = { kills: { first: 0, second: 0, database: 0 }, pauses: 0, clockSteps: 0, startsThatFailed: 0 }
  const under: Promise<unknown>[] = []
  const busy = new Set<number>()
  const serverOf = (victim: 'first' | 'second') => (victim === 'first' ? 0 : 1)

  /** One server is killed, or stands still, at a time; one that is just coming up is left to it. */
  async function alone(index: number, work: () => Promise<void>): Promise<void> {
    if (busy.has(index)) return
    busy.add(index)
    await work().finally(() => busy.delete(index))
  }
  const setClock = (victim: 'first' | 'second' | 'database', byMs: number) => {
    if (victim === 'database') {
      dueMs = byMs
      clock.push({ at: field.now(), aheadMs: byMs })
    } else own[serverOf(victim)] = byMs
    field.setClocks(dueMs, own)
    done.clockSteps += 1
  }
  async function bringAbout(fault: PlannedFault): Promise<void> {
    if (fault.do === 'clock') {
      setClock(fault.victim, fault.byMs)
      await wait(fault.forMs)
      return setClock(fault.victim, 0)
    }
    if (fault.victim === 'database') {
      process.kill(field.postgres.postmasterPid(), 'SIGKILL')
      done.kills.database += 1
      return
    }
    const { victim } = fault
    const server = field.servers[serverOf(victim)]
    await alone(serverOf(victim), async () => {
      if (fault.do === 'pause') {
        server.standStill(true)
        done.pauses += 1
        await wait(fault.forMs)
        return server.standStill(false)
      }
      await within('the end of a server that was killed', 60_000, server.end())
      done.kills[victim] += 1
      // The database may be away just then: whoever supervises a server starts it again.
      await until('the start of a server', 180_000, async () => {
        try {
          await within('the start of a server', 120_000, server.start())
          return true
        } catch (error) {
          done.startsThatFailed += 1
          await server.end()
          throw error
        }
      })
    })
  }

  field.leap(plan.beginsAt)
  const began = performance.now()
  for (const fault of plan.faults) {
    const left = plan.beginsAt + fault.at - field.now()
    if (performance.now() - began + Math.max(0, left) > maxMs) break
    if (left > 0) await wait(left)
    under.push(bringAbout(fault).catch((error) => process.stderr.write(`${error}\n`)))
  }
  const left = Math.min(plan.endsAt + 61_000 - field.now(), maxMs - (performance.now() - began))
  if (left > 0) await wait(left)
  await within('the end of what was brought about', 600_000, Promise.all(under))
  return { clock, done }
}

/** What is stored of every instant, once all that were due by then have an end, or none came. */
async function settledRuns(field: DueField, most: number, dueBefore: number): Promise<readonly StoredOutcome[]> {
  const read = () =>
    field.withDatabase(async (client: pg.Client) => {
      const { rows } = await client.query<
        Record<'name' | 'state', string> & { why: string | null; due: Date; ended: boolean; ids: string[] }
      >(
        `select timer.name, r.state, r.why, r.due_at as due, r.ended_at is not null as ended,
           coalesce((select array_agg(command_id::text) from operation_run o join operation_run_line using (run_id)
             where o.automation_run_id = r.run_id), '{}') as ids
         from automation_run r join timer on timer_id = source_id where source = 'timer'`,
      )
      return rows.map(({ name, state, why, due, ended, ids }): StoredOutcome => {
        return { due: Number(name.slice(1)), dueAt: due.getTime(), state, why, isEnded: ended, commandIds: ids }
      })
    })
  await until('the end of every run', settleMs, async () => {
    const ended = (await read()).filter(({ isEnded, dueAt }) => isEnded && dueAt < dueBefore)
    return ended.length >= most ? true : null
  }).catch((error) => process.stderr.write(`${error}\n`))
  return until('what is stored', 60_000, read)
}

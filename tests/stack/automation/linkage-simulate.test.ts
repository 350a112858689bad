import type { Client } from '@linewarden/client'
import type { LinkageSimulation, Request } from '@linewarden/contract'
import { simulateLinkage } from '@linewarden/contract'
import { dayMs, hourMs, minuteMs } from '@linewarden/equipment'
import { enabledLinkage, foldLinkage } from '@linewarden/rules/automation'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { signedIn, startStack } from '../../kit/stack.ts'

// A recorded hour of two lines that report each second, tried out afterwards. Noon in Shanghai, a Tuesday.
const now = Date.UTC(2026, 10, 24, 4)
const to = now - hourMs
const from = to - hourMs

let stack: Stack
let client: pg.Client
let part: Client

type Body = Request<typeof simulateLinkage>['body']
type Condition = Body['Conditions'][number]

const lineOf = (lineNo: number, device = 'A-T1') => {
  const line = stack.server.plant.lineAt(device, lineNo)
  if (!line) throw new Error('the small plan has eight lines')
  return line
}
const house = () => lineOf(1).device.gateway.project.id

/** kW of line 1 in each second: nothing between the 20th and the 25th minute; above 260 for a minute in the 10th, the 11th and the 40th. */
const powerAt = (second: number): number | null => {
  const minute = Math.floor(second / 60)
  if (minute >= 20 && minute < 25) return null
  if (minute === 10 || minute === 12 || minute === 40) return 280 + (second % 7)
  return 120 + (second % 11)
}
const samples = Array.from({ length: 3_600 }, (_, second) => ({ at: from + second * 1_000, value: powerAt(second) })).filter(
  (each): each is { at: number; value: number } => each.value !== null,
)

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, clock: () => now })
  client = await stack.server.database.connect()
  const run = (text: string, values: unknown[]) => client.query(text, values)
  await run(
    `insert into reading (line_id, at, received_at, quality, v9) select $1, at, at, 0, value
     from unnest($2::timestamptz[], $3::real[]) as own (at, value)`,
    [lineOf(1).id, samples.map(({ at }) => new Date(at)), samples.map(({ value }) => value)],
  )
  // Back-filled: it was never live.
  await run('insert into reading (line_id, at, received_at, quality, v9) values ($1, $2, $3, 2, 999)', [
    lineOf(1).id,
    new Date(from + 21 * minuteMs),
    new Date(now),
  ])
  const moved = (key: string, minute: number) =>
    run(
      `insert into event (kind, priority, key, label_zh, label_en, project_id, gateway_id, line_id, raised_at, stored_at)
       values ('journal', 'low', $1, '', '', $2, $3, $4, $5, $5)`,
      [key, house(), lineOf(2).device.gateway.id, lineOf(2).id, new Date(from + minute * minuteMs)],
    )
  await moved('position.closed', -30)
  await moved('position.open', 30)
  const { accounts } = stack.server
  const roleId = await accounts.createRole({ number: 'b', name: 'b', privileges: ['timer', 'linkage.list'], buttons: [] })
  const other = lineOf(1, 'B-T1').device.gateway.project.id
  await accounts.createAccount({ userName: 'other', password: 'Duty-7391', kind: 'sub', roleId, projectIds: [other] })
  part = await signedIn(stack.url, { userName: 'other', password: 'Duty-7391' }, () => now)
})
afterAll(async () => {
  await client?.end()
  await stack?.close()
})

const power: Condition = {
  ...{ Kind: 'point', ControllerID: 'A-T1', LineNo: 1, Key: 'power.total', Op: '>', Value: 260, Release: 13, ForS: 0 },
}
const opened: Condition = {
  ...{ Kind: 'state', ControllerID: 'A-T1', LineNo: 2, Key: 'position', Op: '=', Value: 0, Release: null, ForS: 0 },
}
const asked = (change: Partial<Body> = {}): Body => ({
  ...{ HouseID: house(), Name: '', Enabled: true, Mode: 'live', Match: 'all', Conditions: [power], ActiveHours: [] },
  ...{ Actions: [{ Kind: 'trip', ControllerID: 'A-T1', LineNo: 3, DelayS: 0 }], CooldownS: 60, MaxPerHour: 20, MaxPerDay: 100 },
  ...{ MayClose: false, From: from, To: to, ...change },
})
const simulate = (change: Partial<Body> = {}): Promise<LinkageSimulation> =>
  stack.client.call(simulateLinkage, { body: asked(change) })
const minutesOf = ({ Firings }: LinkageSimulation) => Firings.map(({ At, Outcome }) => [(At - from) / minuteMs, Outcome])

test.each([0, 10, 90])('what is found is what the rule that acts finds in the same readings, after %i s', async (ForS) => {
  const line = String(lineOf(1).id)
  const condition = {
    kind: 'point' as const,
    line,
    key: 'x',
    op: '>' as const,
    value: 260,
    release: 13,
    forS: ForS,
    periodMs: 1_000,
  }
  const rule = { match: 'all' as const, conditions: [condition] }
  const pictures = samples.map(({ at, value }) => ({ at, mark: 'live' as const, values: [{ line, key: 'x', value }] }))
  const { firings } = foldLinkage(rule, enabledLinkage(rule, from), pictures, to - 1)
  const { Firings, Conditions, CoveragePercent } = await simulate({ Conditions: [{ ...power, ForS }] })
  expect(Firings.map(({ At }) => At)).toEqual(firings.map(({ at }) => at))
  if (ForS < 60) expect(Firings.length).toBe(3)
  for (const { At, Values } of Firings) expect(Values).toEqual([powerAt((At - from) / 1_000)])
  // Known for three seconds after the last report.
  const gap = [from + 20 * minuteMs + 2_001, from + 25 * minuteMs]
  expect(Conditions[0]?.Gaps).toEqual([gap])
  expect(CoveragePercent).toBeCloseTo(91.7, 1)
  expect(Conditions[0]?.Recorded).toBe(true)
})

test('a firing within the cooldown is suppressed, and so is one out of hours', async () => {
  expect(minutesOf(await simulate({ CooldownS: 300 }))).toEqual([
    [10, 'fired'],
    [12, 'cooldown'],
    [40, 'fired'],
  ])
  // 10:30 in Shanghai is the 30th minute.
  const ActiveHours = [{ Days: 127, From: '10:30', To: '18:00' }]
  expect(minutesOf(await simulate({ ActiveHours })).map(([, outcome]) => outcome)).toEqual([
    'outsideHours',
    'outsideHours',
    'fired',
  ])
})

test('past its limit it would have stopped itself', async () => {
  const found = await simulate({ MaxPerHour: 1 })
  expect(minutesOf(found).map(([, outcome]) => outcome)).toEqual(['fired', 'maxPerHour', 'halted'])
  expect(found.HaltedAt).toBe(from + 12 * minuteMs)
  expect(found.Counts).toEqual([
    { Outcome: 'fired', Count: 1 },
    { Outcome: 'maxPerHour', Count: 1 },
    { Outcome: 'halted', Count: 1 },
  ])
})

test('a position is known by its journal, and both conditions decide together', async () => {
  const both = await simulate({ Conditions: [power, opened] })
  expect(minutesOf(both)).toEqual([[40, 'fired']])
  expect(both.Firings[0]?.Values).toEqual([powerAt(2_400), 0])
  expect(both.Conditions[1]).toEqual({
    ...{ Recorded: true, CoveragePercent: 100, Gaps: [], Steps: true },
    ...{ At: [from, from + 30 * minuteMs], Min: [1, 0], Max: [1, 0] },
  })
  expect(minutesOf(await simulate({ Match: 'any', Conditions: [power, opened] })).map(([minute]) => minute)).toEqual([10, 12, 30])
})

test('a state of which nothing is stored counts as unknown, and is named', async () => {
  const lock: Condition = { ...opened, Key: 'lock.local', Value: 1 }
  const found = await simulate({ Conditions: [power, lock] })
  expect(found.Firings).toEqual([])
  expect(found.Conditions[1]).toMatchObject({ Recorded: false, CoveragePercent: null })
})

test('a stretch is at most 30 days, and ends after it begins', async () => {
  const refused = (change: Partial<Body>) => outcomeOf(simulate(change))
  expect(await refused({ From: to - 31 * dayMs })).toBe('invalid parameter')
  expect(await refused({ From: to })).toBe('invalid parameter')
})

test('a line that a person does not see does not exist for them, nor does the project', async () => {
  const theirs = { HouseID: lineOf(1, 'B-T1').device.gateway.project.id }
  expect(await outcomeOf(part.call(simulateLinkage, { body: asked(theirs) }))).toBe('device not exists')
  expect(await outcomeOf(part.call(simulateLinkage, { body: asked() }))).not.toBe('done')
})

test('whoever leaves ends it, and may ask again', async () => {
  const gone = new AbortController()
  const left = stack.client.call(simulateLinkage, { body: asked() }, { signal: gone.signal })
  gone.abort()
  await expect(left).rejects.toThrow()
  // Until the server has noticed, one of them is under way.
  await vi.waitFor(async () => expect((await simulate()).Firings.length).toBe(3), { interval: 100 })
})

import { dayMs } from '@linewarden/equipment'
import { Nightly } from '@linewarden/server/nightly'
import type pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { startStack } from '../../kit/stack.ts'
import { diceOf } from '../../kit/warning-truth/dice.ts'
import type { TrueFault } from '../../kit/warning-truth/line-truth.ts'
import { lineTruth } from '../../kit/warning-truth/line-truth.ts'
import { firstDayOf, makeOfPlan, storeHours } from '../../kit/warning-truth/seeded-hours.ts'

// Lines of which months of hours are known, evaluated night by night: what becomes of findings in the database. Noon in Shanghai.
const now = Date.UTC(2026, 10, 24, 4)
const [today, offsetHours] = [Math.floor(now / dayMs), 8]
const days = 63
const firstDay = firstDayOf(today, days)
const faultDay = 50

type PlantLine = NonNullable<ReturnType<Stack['server']['plant']['lineAt']>>

let stack: Stack
let client: pg.Client

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, clock: () => now, expects: /early warning/ })
  client = await stack.server.database.connect()
  for (const line of stack.server.plant.lines.values()) line.reported.set('leakage.trip', 300)
})
afterAll(async () => {
  await client?.end()
  await stack?.close()
})

function lineOf(lineNo: number): PlantLine {
  const line = stack.server.plant.lineAt('A-T1', lineNo)
  if (!line) throw new Error('the small plan has eight lines')
  return line
}

const truth = (seed: number, faults: readonly TrueFault[] = []) =>
  lineTruth(seed, today - firstDay, makeOfPlan(diceOf(seed)), faults)
const step: TrueFault = { kind: 'leakageStep', startHour: faultDay * 24, sizeMa: 60 }
const hot: TrueFault = { kind: 'hotContact', startHour: faultDay * 24, terminal: 1, atRatedK: 45, perDayK: 0 }

/** As if the line had just been added, with a past. */
const store = async (line: PlantLine, faults: readonly TrueFault[]) => {
  await client.query('delete from line_look where line_id = $1', [line.id])
  await storeLate(line, faults)
}
const storeLate = (line: PlantLine, faults: readonly TrueFault[], wanted?: (hour: number) => boolean) =>
  storeHours(client, line, truth(7 + line.lineNo, faults), { firstDay, offsetHours, ...(wanted && { wanted }) })

interface Found {
  readonly event_id: string
  readonly key: string
  readonly point: string | null
  readonly state: string
  readonly announced: number
  readonly raises: number
  readonly level: string
  readonly priority: string
}
const found = async ({ id }: PlantLine): Promise<Found[]> =>
  (
    await client.query<Found>(
      `select event_id, key, point, state, announced, raises, level, priority from event join warning_evidence using (event_id)
       where line_id = $1 order by event_id`,
      [id],
    )
  ).rows
const lookAt = async ({ id }: PlantLine) =>
  (await client.query('select day, reason, outcomes, learnt_from from line_look where line_id = $1', [id])).rows[0]

const look = () => stack.server.warning.nightly.look()
const due = async () => Number((await client.query('select count(*) from line_day_due')).rows[0].count)

/** A second server on the same database. */
async function anotherServer() {
  const { server } = stack
  const { database, plant, hub, warning } = server
  return new Nightly({ database, plant, hub, clock: () => now, log: pino({ level: 'silent' }), rules: warning.rules })
}

test('a fault is one finding with its proof, however many nights it is seen, and a sound line is none', async () => {
  const [sound, leaking, heating] = [lineOf(1), lineOf(2), lineOf(3)]
  await store(sound, [])
  await store(leaking, [step])
  await store(heating, [hot])
  await look()
  expect(await found(sound)).toEqual([])
  expect(await found(leaking)).toMatchObject([{ key: 'leakage.step', point: 'residual', announced: 1, raises: 1 }])
  expect(await found(heating)).toMatchObject([{ key: 'contact', point: 'temperature.b', state: 'active', raises: 1 }])
  const { rows } = await client.query(
    'select evidence, coverage, rule_id, rule_version, day, evidence_day from warning_evidence order by event_id',
  )
  expect(rows[0]).toMatchObject({ evidence: { unit: 'mA' }, rule_id: null, rule_version: 0 })
  // Raised now, by what was evaluated of a day long past: that day is kept.
  expect(rows[0]?.day).toBeGreaterThanOrEqual(firstDay + faultDay)
  expect(rows[0]?.day).toBeLessThan(firstDay + faultDay + 5)
  // It was found night after night since: its figures are those of the newest.
  const { outcomes } = await lookAt(leaking)
  expect(rows[0]).toMatchObject({ evidence_day: today - 1, evidence: outcomes['leakage.step'].evidence })
  expect(await lookAt(sound)).toMatchObject({
    day: today - 1,
    reason: null,
    outcomes: { contact: { is: 'sound' } },
    learnt_from: firstDay,
  })
  const before = [...(await found(leaking)), ...(await found(heating))]
  await look()
  expect([...(await found(leaking)), ...(await found(heating))]).toEqual(before)
  expect(await due()).toBe(0)
})

test('two servers that evaluate at once raise each finding once, and find what one would: day after day', async () => {
  const line = lineOf(4)
  const named = async () => (await found(line)).map(({ key, raises, level }) => `${key} ${raises} ${level}`).toSorted()
  await store(line, [step, hot])
  const other = await anotherServer()
  await Promise.all([look(), other.look(), look(), other.look()])
  await other.close()
  await look()
  const byTwo = await named()
  expect(await due()).toBe(0)
  await client.query('delete from event where line_id = $1', [line.id])
  await store(line, [step, hot])
  await look()
  expect([byTwo, byTwo.length > 1]).toEqual([await named(), true])
})

test('whoever is interrupted leaves the day due, and nothing of it is kept', async () => {
  const line = lineOf(5)
  await store(line, [step])
  await client.query(`create function away() returns trigger language plpgsql as $$ begin raise exception 'away'; end $$`)
  await client.query('create trigger away before insert on warning_evidence for each row execute function away()')
  const notes = await due()
  await look()
  await client.query('drop trigger away on warning_evidence; drop function away')
  // Days before the finding are done; the one that raises it, and those after it, are not.
  expect(await due()).toBeLessThan(notes)
  expect(await due()).toBeGreaterThan(0)
  expect([await found(line), (await client.query('select from event where line_id = $1', [line.id])).rowCount]).toEqual([[], 0])
  await look()
  expect(await found(line)).toMatchObject([{ key: 'leakage.step', raises: 1, announced: 1 }])
})

test('a line that cannot be evaluated keeps no other from being evaluated, and stays due until it can', async () => {
  const [strange, leaking] = [lineOf(5), lineOf(4)]
  await client.query('delete from event where line_id = $1', [leaking.id])
  await store(leaking, [step])
  await client.query(`update line_look set learnt_of = 'null' where line_id = $1`, [strange.id])
  await client.query('insert into line_day_due values ($1, $2), ($1, $3)', [strange.id, firstDay, today - 1])
  await look()
  expect((await found(leaking)).map(({ key }) => key)).toContain('leakage.step')
  const { rows } = await client.query('select line_id, day from line_day_due order by day')
  expect(rows).toEqual([firstDay, today - 1].map((day) => ({ line_id: strange.id, day })))
  const learntOf = { ratedA: null, tripMa: null, model: '' }
  await client.query('update line_look set learnt_of = $2 where line_id = $1', [strange.id, learntOf])
  await look()
  expect(await due()).toBe(0)
})

test('days that come late find what they would have found, and call for nobody', async () => {
  const line = lineOf(6)
  // Of the days of the fault only two hours each have come: nothing can be said of them.
  await client.query('delete from line_look where line_id = $1', [line.id])
  await storeLate(line, [step], (hour) => hour < faultDay * 24 || hour % 24 < 2)
  await look()
  expect(await found(line)).toEqual([])
  expect(await lookAt(line)).toMatchObject({ reason: 'coverage' })
  await storeLate(line, [step])
  await look()
  expect(await found(line)).toMatchObject([{ key: 'leakage.step', state: 'active', announced: 0, raises: 1 }])
  const { rows } = await client.query('select from announcement join event using (event_id) where line_id = $1', [line.id])
  expect(rows).toHaveLength(0)
})

test('what was over before anybody looked calls for nobody; what is there still calls once, on the last day', async () => {
  const line = lineOf(4)
  await client.query('delete from event where line_id = $1', [line.id])
  await client.query('delete from line_look where line_id = $1', [line.id])
  // Mended after six days, of which the server knew nothing.
  const mended = (faultDay + 6) * 24
  await storeLate(line, [step], (hour) => hour < mended)
  await storeLate(line, [], (hour) => hour >= mended)
  await look()
  const calls = async () =>
    (await client.query('select why from announcement join event using (event_id) where line_id = $1', [line.id])).rowCount
  expect(await found(line)).toMatchObject([{ key: 'leakage.step', state: 'returned', announced: 0, raises: 1 }])
  expect(await calls()).toBe(0)

  await client.query('delete from event where line_id = $1', [line.id])
  await store(line, [step])
  await look()
  const steps = (await found(line)).filter(({ key }) => key === 'leakage.step')
  expect(steps).toMatchObject([{ state: 'active', announced: 1, raises: 1 }])
  expect(await calls()).toBe(1)
  await client.query('insert into line_day_due values ($1, $2)', [line.id, today - 1])
  await look()
  expect(await calls()).toBe(1)
})

test('a line is learnt for two weeks, and under a tag or in an inspection nothing is said of it', async () => {
  const line = lineOf(7)
  await client.query('delete from line_look where line_id = $1', [line.id])
  await storeLate(line, [], (hour) => hour >= (today - firstDay - 10) * 24)
  await look()
  expect(await lookAt(line)).toMatchObject({
    learnt_from: today - 10,
    outcomes: { contact: { is: 'notEvaluated', reason: 'learning', have: 9, need: 14 }, 'voltage.range': { reason: 'coverage' } },
  })
  line.inspectionUntil = now + dayMs
  await client.query('insert into line_day_due values ($1, $2)', [line.id, today - 1])
  await look()
  line.inspectionUntil = null
  expect(await lookAt(line)).toMatchObject({ reason: 'inspected' })
})

test('a line that reported nothing on a day is looked at all the same, and says so', async () => {
  const line = lineOf(8)
  expect(await lookAt(line)).toMatchObject({ day: today - 1, reason: 'learning', outcomes: { contact: { have: 0 } } })
})

test('hours that are missing make no finding of a sound line, however many and whichever they are', async () => {
  const line = lineOf(8)
  const dice = diceOf(80)
  // A third of the hours at random, and whole days now and then.
  const missing = new Set<number>()
  for (let hour = 0; hour < (today - firstDay) * 24; hour++) if (dice.chance(0.33)) missing.add(hour)
  for (let day = 3; day < today - firstDay; day += 9) for (let hour = 0; hour < 24; hour++) missing.add(day * 24 + hour)
  await client.query('delete from line_look where line_id = $1', [line.id])
  await storeLate(line, [], (hour) => !missing.has(hour))
  await look()
  expect(await found(line)).toEqual([])
  expect(await lookAt(line)).toMatchObject({ day: today - 1, outcomes: { 'leakage.step': { is: 'sound' } } })
})

test('a finding that becomes graver is the same event with another priority, and waits for somebody again', async () => {
  const line = lineOf(2)
  const [open] = await found(line)
  expect(open).toMatchObject({ state: 'active', level: 'notice', priority: 'low' })
  // It leaks more than a device may trip from.
  const hours = (sizeMa: number) => truth(7 + line.lineNo, [{ ...step, sizeMa }])
  const place = { firstDay, offsetHours }
  await client.query('update event set acknowledged_at = now(), acknowledged_by = $2, state = $3 where event_id = $1', [
    open?.event_id,
    'a',
    'acknowledged',
  ])
  await storeHours(client, line, hours(150), { ...place, wanted: (hour) => hour >= (faultDay + 3) * 24 })
  await look()
  expect(await found(line)).toMatchObject([
    { event_id: open?.event_id, state: 'active', level: 'alarm', priority: 'high', raises: 1 },
  ])
})

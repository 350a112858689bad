import type { Client } from '@linewarden/client'
import type { Request } from '@linewarden/contract'
import { getBalance, getEnergy, insertMeter, listMeters, removeMeter, updateMeter } from '@linewarden/contract'
import { hourMs } from '@linewarden/equipment'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDueQuarters } from '../../../apps/server/src/store/energy/due.ts'
import { makeDueProfiles } from '../../../apps/server/src/store/energy/make-profiles.ts'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { signedIn, startStack } from '../../kit/stack.ts'

// Meters of lines: a wrong multiplier and a replaced meter make the energy of their time anew, and nothing else.
let stack: Stack
let manager: Client
let reader: Client
let guest: Client
let houseId = 0
const password = 'Meter-7391'
/** Midnight in Shanghai, of 15 January 2025. */
const midnight = Date.UTC(2025, 0, 14, 16)
const lineOf = (lineNo: number, device = 'A-T1') => stack.server.plant.lineAt(device, lineNo)?.id ?? 0

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, env: { LINEWARDEN_RAW_DAYS: '3650' }, fleet: { ticking: false } })
  const { accounts, plant, database } = stack.server
  houseId = plant.lineAt('A-T1', 1)?.device.gateway.project.id ?? 0
  const client = await database.connect()
  try {
    // Line 2 shows twice what it uses, and line 1 feeds it.
    await client.query(
      `insert into reading (line_id, at, received_at, quality, v0, counter)
       select line_id, at, at, 0, 1, 100 + pace * extract(epoch from at - $1::timestamptz) / 3600
       from unnest($2::int[], '{6,12,4}'::float8[]) as t (line_id, pace), generate_series($1::timestamptz, $1::timestamptz + interval '48 hours', '5 min') as at`,
      [new Date(midnight), [1, 2, 3].map((no) => lineOf(no))],
    )
    await client.query("insert into feed_span (line_id, fed_by, starts) values ($1, $2, '-infinity')", [lineOf(2), lineOf(1)])
    await client.query(
      `insert into energy_due (line_id, starts, ends) select id, $2::timestamptz, $2::timestamptz + interval '48 hours' from unnest($1::int[]) as t (id)`,
      [[1, 2, 3].map((no) => lineOf(no)), new Date(midnight)],
    )
  } finally {
    await client.end()
  }
  await made()
  const role = (number: string, privileges: string[]) => accounts.createRole({ number, name: number, privileges, buttons: [] })
  const manages = await role('manages', ['energy', 'energy.energy', 'system', 'system.project'])
  const reads = await role('reads', ['energy', 'energy.energy'])
  const person = async (userName: string, roleId: number, kind: 'sub' | 'shared' = 'sub'): Promise<Client> => {
    await accounts.createAccount({ userName, password, kind, roleId, projectIds: [houseId] })
    return signedIn(stack.url, { userName, password })
  }
  manager = await person('13800000041', manages)
  reader = await person('13800000042', reads)
  guest = await person('13800000043', manages, 'shared')
})
afterAll(() => stack?.close())

/** What the server does by itself within minutes. */
async function made(): Promise<void> {
  const client = await stack.server.database.connect()
  try {
    await makeDueQuarters(client, Date.now())
    await makeDueProfiles(client, Date.now())
  } finally {
    await client.end()
  }
}

const dates = { From: '2025-01-15', To: '2025-01-17' }
const used = async (lineNo: number) => {
  const { Bars } = await reader.call(getEnergy, { query: { LineID: lineOf(lineNo), Unit: 'day', ...dates } })
  return Bars.map(({ Wh }) => Wh)
}
const of = async (lineNo: number, client = reader) =>
  (await client.call(listMeters, { query: { HouseID: houseId } })).items.find(({ LineID }) => LineID === lineOf(lineNo))

type Update = Request<typeof updateMeter>['body']
const fields = {
  ...{ Serial: 'DTSD 1', Multiplier: 1, AccuracyPercent: 0.5, RegisterMaxKwh: null, StartRegisterKwh: null, Reason: '现场核对' },
}
const correction = (lineNo: number, more: Partial<Update> = {}): Update => ({
  ...{
    HouseID: houseId,
    LineID: lineOf(lineNo),
    Version: 0,
    MeterID: null,
    From: null,
    EndRegisterKwh: null,
    ...fields,
    ...more,
  },
})
const replacement = (lineNo: number, more: Partial<Request<typeof insertMeter>['body']> = {}) => ({
  ...{
    HouseID: houseId,
    LineID: lineOf(lineNo),
    Version: 0,
    From: midnight + 24 * hourMs,
    FormerEndKwh: null,
    ...fields,
    ...more,
  },
})
const problemsOf = (promise: Promise<unknown>) =>
  promise.then(
    () => [],
    (error) =>
      (error.problem?.failure?.Problems ?? []).map(({ Path, Text }: { Path: string; Text: { en: string } }) => [Path, Text.en]),
  )

test('a line that shows twice too much is put right by its multiplier, and its feeder agrees with it', async () => {
  const balance = async () => {
    const { Lines } = await reader.call(getBalance, { query: { LineID: lineOf(1), ...dates } })
    return Lines.map(({ Verdict, RestWh, Causes }) => [Verdict, RestWh, Causes.map(({ Cause }) => Cause)])
  }
  expect(await balance()).toEqual([['partsAboveWhole', -288_000, ['double']]])
  const saved = await manager.call(updateMeter, { body: correction(2, { Multiplier: 0.5 }) })
  expect(saved).toMatchObject({
    Due: true,
    Meters: [{ From: null, To: null, Multiplier: 0.5, Serial: 'DTSD 1', Reason: '现场核对', TypedBy: '13800000041' }],
  })
  await made()
  expect(await used(2)).toEqual([144_000, 144_000])
  expect(await balance()).toEqual([['withinError', 0, []]])
  expect(await of(2)).toMatchObject({ Due: false, Version: saved.Version })
  // What was reported stays as it was.
  const last = await stack.server.database.general
    .selectFrom('reading')
    .select('counter')
    .where('line_id', '=', lineOf(2))
    .where('at', '=', new Date(midnight + 48 * hourMs))
    .executeTakeFirst()
  expect(last).toEqual({ counter: 676 })
})

test('a replaced meter goes by its own multiplier from then on, and nothing before it moves', async () => {
  const saved = await manager.call(insertMeter, { body: replacement(3, { Multiplier: 10, FormerEndKwh: 196 }) })
  await made()
  expect(await used(3)).toEqual([96_000, 960_000])
  // Taken out again, it was never there.
  const [former, current] = saved.Meters
  const body = { HouseID: houseId, LineID: lineOf(3), Reason: '录错线路' }
  const removed = await manager.call(removeMeter, { body: { ...body, Version: saved.Version, MeterID: current?.MeterID ?? 0 } })
  await made()
  expect(await used(3)).toEqual([96_000, 96_000])
  expect(removed.Meters).toMatchObject([{ MeterID: former?.MeterID, To: null, Multiplier: 1 }])
  await manager.call(removeMeter, { body: { ...body, Version: removed.Version, MeterID: former?.MeterID ?? 0 } })
  expect(await of(3)).toMatchObject({ Meters: [], Version: 0 })
})

test('registers that readings contradict are asked once more, and stored where somebody says that they are right', async () => {
  const contradicted = replacement(3, { FormerEndKwh: 150, StartRegisterKwh: 400 })
  expect(await outcomeOf(manager.call(insertMeter, { body: contradicted }))).toBe('meter doubtful')
  expect(await problemsOf(manager.call(insertMeter, { body: contradicted }))).toEqual([
    ['body.FormerEndKwh', 'It is below the last reading: 195.667 kWh at 2025-01-15 23:55'],
    ['body.StartRegisterKwh', 'It is above the first reading: 196 kWh at 2025-01-16 00:00'],
  ])
  const saved = await manager.call(insertMeter, { body: { ...contradicted, Anyway: true } })
  expect(saved.Meters).toMatchObject([{ EndRegisterKwh: 150 }, { StartRegisterKwh: 400 }])
  await made()
  // An end below the last reading counts nothing more, and too high a beginning nothing at all.
  expect((await used(3)).every((wh) => (wh ?? 0) <= 96_000)).toBe(true)
})

test('what cannot be is said at its field', async () => {
  const version = (await of(2))?.Version ?? 0
  const meter = (await of(2))?.Meters[0]?.MeterID ?? null
  const wrong = (more: Partial<Update>) =>
    problemsOf(manager.call(updateMeter, { body: correction(2, { MeterID: meter, Version: version, ...more }) }))
  expect(await wrong({ Multiplier: 0.33333 })).toEqual([
    ['body.Multiplier', 'A multiplier is above 0, at most 100000, and has at most 4 places'],
  ])
  expect(await wrong({ EndRegisterKwh: 700 })).toEqual([['body.EndRegisterKwh', 'A meter in use has no closing register']])
  expect(await wrong({ RegisterMaxKwh: 500 })).toEqual([
    ['body.RegisterMaxKwh', expect.stringMatching(/^It is below a reading: \d+(\.\d+)? kWh at /)],
  ])
  expect(await wrong({ From: midnight })).toEqual([['body.From', 'The first meter has no beginning to enter']])
  const later = replacement(2, { Version: version, From: Date.now() + hourMs })
  expect(await problemsOf(manager.call(insertMeter, { body: later }))).toEqual([
    ['body.From', 'It is not in the future, and lies between the meters before and after'],
  ])
})

test('who saw other meters, only reads, is a guest or means another project changes nothing', async () => {
  const before = await of(2)
  expect(await outcomeOf(manager.call(updateMeter, { body: correction(2, { MeterID: before?.Meters[0]?.MeterID ?? 0 }) }))).toBe(
    'changed meanwhile',
  )
  expect(await outcomeOf(reader.call(updateMeter, { body: correction(2) }))).toBe('access denied')
  expect(await outcomeOf(guest.call(updateMeter, { body: correction(2) }))).toBe('access denied')
  expect(await outcomeOf(manager.call(updateMeter, { body: { ...correction(2), LineID: lineOf(1, 'B-T1') } }))).toBe(
    'line not exists',
  )
  expect(await of(2)).toEqual(before)
  // Guests see what counts, and nobody.
  expect((await of(2, guest))?.Meters).toMatchObject([{ Multiplier: 0.5, TypedBy: null }])
})

test('each change stands in the log with its reason, by the line', async () => {
  const written = await stack.server.database.general
    .selectFrom('audit')
    .select(['action', 'target', 'after'])
    .where('action', 'like', 'meter.%')
    .where('outcome', '=', 'done')
    .orderBy('audit_id')
    .execute()
  expect(written.map(({ action, target }) => [action, target])).toEqual([
    ['meter.correct', 'A线2'],
    ['meter.replace', 'A线3'],
    ['meter.remove', 'A线3'],
    ['meter.remove', 'A线3'],
    ['meter.replace', 'A线3'],
  ])
  expect(written[0]?.after).toMatchObject({ reason: '现场核对', meters: [{ multiplier: 0.5 }] })
})

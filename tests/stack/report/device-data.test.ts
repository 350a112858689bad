import type { Client } from '@linewarden/client'
import type { Request } from '@linewarden/contract'
import { deviceData, exportDeviceData, getEnergy } from '@linewarden/contract'
import { dayMs, hourMs } from '@linewarden/equipment'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeDueQuarters } from '../../../apps/server/src/store/energy/due.ts'
import { columnOf, fileOf, rowsOf } from '../../kit/exported.ts'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { signedIn, startStack } from '../../kit/stack.ts'

// Tables of what lines measured and used, as rows and as files, and who gets them.

/** A time of the past that the simulated fleet does not speak of: a midnight in Berlin, of the day on which clocks are set back. */
const sunday = Date.UTC(2025, 9, 25, 22)
const quarterMs = hourMs / 4

let stack: Stack
let sub: Client
let lines: number[]
let other: number

beforeAll(async () => {
  const plan = smallPlan.map((project) => ({ ...project, timeZone: 'Europe/Berlin' }))
  stack = await startStack({ plan, env: { LINEWARDEN_RAW_DAYS: '3650' } })
  const { plant, database } = stack.server
  const lineOf = (device: string, lineNo: number) => plant.lineAt(device, lineNo)?.id ?? 0
  lines = [2, 1, 3].map((lineNo) => lineOf('A-T1', lineNo))
  other = lineOf('B-T1', 1)
  // The fleet of the tests reports in a hurry; this past was made by calmer equipment.
  for (const gateway of plant.gateways.values()) gateway.reportingPeriodMs = 60_000
  const client = await database.connect()
  // Each minute of 25 hours, but for the twelfth hour, whose first half was never reported and whose second half is back-filled. One kWh an hour.
  await client.query(
    `insert into reading (line_id, at, received_at, quality, v0, v3, counter)
     select line_id, at, at, case when at >= $1::timestamptz + interval '11 h 30 min' and at < $1::timestamptz + interval '12 h' then 2 else 0 end,
       10 + extract(minute from at), null, 100 + extract(epoch from at - $1::timestamptz) / 3600
     from unnest($2::int[]) as t (line_id), generate_series($1::timestamptz - interval '1 hour', $1::timestamptz + interval '25 hours', '1 min') as at
     where at < $1::timestamptz + interval '11 h' or at >= $1::timestamptz + interval '11 h 30 min'`,
    [new Date(sunday), [...lines.slice(0, 2), other]],
  )
  await client.query("insert into rollup_due select distinct date_trunc('hour', at) from reading on conflict do nothing")
  await client.query('insert into energy_due (line_id, starts, ends) select *, $2, $3 from unnest($1::int[])', [
    [...lines.slice(0, 2), other],
    ...[new Date(sunday - hourMs), new Date(sunday + 25 * hourMs)],
  ])
  await makeDueQuarters(client, Date.now())
  await client.end()
  sub = (await person('sub', 'A')).client
})
afterAll(() => stack?.close())

let made = 0
async function person(kind: 'sub' | 'shared', letter: string, privileges = ['system', 'system.report']) {
  const { accounts, plant } = stack.server
  const project = [...plant.projects.values()].find(({ name }) => name === `项目${letter}`)
  const userName = String(13_800_000_100 + made++)
  const roleId = await accounts.createRole({ number: userName, name: userName, privileges, buttons: [] })
  const account = { userName, password: 'Past-7391' }
  await accounts.createAccount({ ...account, kind, roleId, projectIds: [project?.id ?? 0] })
  return { client: await signedIn(stack.url, account), userName }
}

type Body = Request<typeof deviceData>['body']
const ask = (more: Partial<Body> = {}): Body => ({
  ...{ LineIDs: lines, Points: ['current.a', 'voltage.a', 'energy'], Step: 'hour' },
  ...{ From: sunday, To: sunday + 25 * hourMs, ...more },
})
const table = (more: Partial<Body> = {}, client = sub) => client.call(deviceData, { body: ask(more) })

/** Every row of a table, page by page, forwards. */
async function all(more: Partial<Body>) {
  const rows = []
  let After: Body['After']
  for (;;) {
    const { items, about } = await table({ ...more, ...(After && { After }) })
    rows.push(...items)
    const last = items.at(-1)
    if (!about.HasLater || !last) return rows
    After = { At: last.At, LineID: last.LineID }
  }
}

describe('a table', () => {
  test('has a row for each line and slot of a day of 25 hours, by time and then by line as they were asked for', async () => {
    const { items, total, about } = await table({ Size: 1_000 })
    expect([total, items.length, about.First, about.HasEarlier, about.HasLater]).toEqual([75, 75, 0, false, false])
    expect(items.slice(0, 4).map(({ At, LineID }) => [At, LineID])).toEqual([
      ...lines.map((id) => [sunday, id]),
      [sunday + hourMs, lines[0]],
    ])
    expect((await table({ Step: 'quarter' })).total).toBe(300)
    expect((await table({ Step: 'day' })).items.map(({ At }) => At)).toEqual([sunday, sunday, sunday])
  })

  test('says what was measured and used, and of what is missing that it is', async () => {
    const { items, about } = await table({ Size: 1_000 })
    expect(about.Points.map(({ Key, Unit, Counter }) => [Key, Unit, Counter])).toEqual([
      ['current.a', 'A', false],
      ['voltage.a', 'V', false],
      ['energy', 'kWh', true],
    ])
    const [whole, , silent] = items
    expect(whole).toMatchObject({ Complete: 100, Marks: [], Figures: [{ Min: 10, Max: 69 }, { Value: null }, {}] })
    expect(whole?.Figures[0]?.Value).toBeCloseTo(39.5)
    expect(whole?.Figures[2]?.Value).toBeCloseTo(1)
    // Nothing was ever reported of it: a dash, and never nought.
    expect(silent).toMatchObject({ LineID: lines[2], Complete: 0, Marks: [] })
    expect(silent?.Figures.map((each) => each?.Value)).toEqual([null, null, null])
    const half = items.find(({ At, LineID }) => At === sunday + 11 * hourMs && LineID === lines[0])
    // What was used in the silence is known, and its course is not.
    expect(half).toMatchObject({ Complete: 50, Marks: ['late', 'spread'] })
    expect(half?.Figures[2]?.Value).toBeCloseTo(1)
  })

  test('has the energy that the pages of energy have', async () => {
    const [LineID = 0] = lines
    const { items } = await table({ LineIDs: [LineID], Points: ['energy'], Size: 1_000 })
    const query = { LineID, Unit: 'hour', From: '2025-10-26', To: '2025-10-27' } as const
    const { Bars } = await stack.client.call(getEnergy, { query })
    const own = items.map(({ At, Figures }) => [At, Figures[0]?.Value ?? null])
    const theirs = Bars.map(({ Start, Wh }) => [Start, Wh === null ? null : Wh / 1_000])
    expect(own).toHaveLength(25)
    expect(own).toEqual(theirs)
  })

  test('adds up: quarters to hours, hours to the day', async () => {
    const used = async (Step: Body['Step']) => {
      const rows = (await all({ Step, LineIDs: lines.slice(0, 1), Points: ['energy'] })).map(
        ({ Figures }) => Figures[0]?.Value ?? 0,
      )
      return rows.reduce((sum, each) => sum + each, 0)
    }
    for (const step of ['quarter', 'hour', 'day'] as const) expect(await used(step)).toBeCloseTo(25 - 1 / 60, 1)
  })

  test('of readings has each as it was reported, with the reading of the counter', async () => {
    const { items, total, about } = await table({ Step: 'raw', LineIDs: lines.slice(0, 2), To: sunday + hourMs, Size: 3 })
    expect([total, about.IsTotalExact, about.HasLater]).toEqual([120, true, true])
    expect(
      items.map(({ At, LineID, Figures, Complete }) => [At - sunday, LineID, Figures[0]?.Value, Figures[2]?.Value, Complete]),
    ).toEqual([
      [0, lines[0], 10, 100, null],
      [0, lines[1], 10, 100, null],
      [60_000, lines[0], 11, 100.017, null],
    ])
  })

  test.each(['raw', 'quarter'] as const)(
    'of %s is turned page by page, to its end and back, and no row is lost',
    async (Step) => {
      const period = { Step, From: sunday + 10 * hourMs, To: sunday + 13 * hourMs } as const
      const whole = (await table({ ...period, Size: 1_000 })).items
      expect(whole.length).toBe(Step === 'raw' ? 300 : 36)
      expect(await all({ ...period, Size: 7 })).toEqual(whole)
      const back = []
      let { At, LineID } = whole.at(-1) ?? { At: 0, LineID: 0 }
      for (;;) {
        const { items, about } = await table({ ...period, Size: 7, Before: { At, LineID } })
        back.unshift(...items)
        if (!about.HasEarlier) break
        ;({ At, LineID } = items[0] ?? { At: 0, LineID: 0 })
      }
      expect(back).toEqual(whole.slice(0, -1))
    },
  )

  test('ends with now: a slot that is not over says so, and what has not begun has no row', async () => {
    const from = Math.floor(Date.now() / hourMs) * hourMs
    const { items, total } = await table({ LineIDs: lines.slice(0, 1), From: from - hourMs, To: from + 5 * dayMs })
    expect(items.length).toBe(total)
    const open = items.filter(({ Marks }) => Marks.includes('open'))
    expect(open.map(({ At }) => At)).toEqual([items.at(-1)?.At])
    expect((await table({ From: Date.now() + dayMs, To: Date.now() + 2 * dayMs })).total).toBe(0)
  })

  test('leaves empty what a line does not measure', async () => {
    const smoke = stack.server.plant.lineAt('A-Y1', 0)?.id ?? 0
    const { items } = await table({ LineIDs: [lines[0] ?? 0, smoke], Size: 2 })
    expect(items[1]?.Figures).toEqual([null, null, null])
  })
})

describe('refused is', () => {
  const wrong = async (more: Partial<Body>, path: string) =>
    expect(table(more)).rejects.toMatchObject({
      problem: { failure: { Message: 'invalid parameter', Problems: [{ Path: path }] } },
    })

  test('a line of another project, as if there were none, among any others', async () => {
    expect(await outcomeOf(table({ LineIDs: [...lines, other] }))).toBe('line not exists')
    expect(await outcomeOf(table({ LineIDs: [999_999] }))).toBe('line not exists')
    const as = { Format: 'csv', Language: 'CN' } as const
    expect(await outcomeOf(sub.call(exportDeviceData, { body: { ...ask({ LineIDs: [other] }), ...as } }))).toBe('line not exists')
  })

  test('lines of two projects, for whoever sees both', async () => {
    await expect(table({ LineIDs: [...lines, other] }, stack.client)).rejects.toMatchObject({
      problem: { failure: { Problems: [{ Path: 'body.LineIDs' }] } },
    })
  })

  test('a point that none of the lines has, no point, and too many', async () => {
    await wrong({ Points: ['current.a', 'gas.lel'] }, 'body.Points.1')
    await wrong({ Points: [] }, 'body.Points')
    await wrong({ Points: 'abcdefghi'.split('') }, 'body.Points')
    await wrong({ LineIDs: Array.from({ length: 201 }, (_, i) => i + 1) }, 'body.LineIDs')
    await wrong({ LineIDs: [lines[0] ?? 0, lines[0] ?? 0] }, 'body.LineIDs')
  })

  test('a period that ends before it begins, or is too long for its step', async () => {
    await wrong({ To: sunday }, 'body.To')
    await wrong({ Step: 'raw', To: sunday + 32 * dayMs }, 'body.To')
    await wrong({ Step: 'quarter', To: sunday + 93 * dayMs }, 'body.To')
    await wrong({ To: sunday + 367 * dayMs }, 'body.To')
    await wrong({ Size: 1_001 }, 'body.Size')
  })

  test('a page that begins at no row of the table', async () => {
    await wrong({ After: { At: sunday + 1, LineID: lines[0] ?? 0 } }, 'body.After')
    await wrong({ Before: { At: sunday, LineID: other } }, 'body.Before')
    const key = { At: sunday, LineID: lines[0] ?? 0 }
    await wrong({ After: key, Before: key }, 'body.Before')
  })

  test('whoever has not the page; an account that equipment is shared with has it', async () => {
    const reader = await person('sub', 'A', ['devmon', 'devmon.realtime'])
    expect(await outcomeOf(table({}, reader.client))).toBe('access denied')
    const guest = await person('shared', 'A')
    expect((await table({}, guest.client)).total).toBe(75)
    expect(await outcomeOf(table({ LineIDs: [other] }, guest.client))).toBe('line not exists')
  })
})

describe('a file', () => {
  type Wanted = Request<typeof exportDeviceData>['body']
  const prepare = (more: Partial<Wanted> = {}, client = sub) =>
    client.call(exportDeviceData, { body: { ...ask(), Format: 'csv', Language: 'CN', ...more } })

  test('has every row of the table, and tells the hour that comes twice apart', async () => {
    const file = await rowsOf(stack.url, prepare())
    expect(file[0]).toEqual([
      ...['时间 (Europe/Berlin)', 'UTC 偏移', '网关', '设备', '线路'],
      ...['A相电流 平均 (A)', 'A相电流 最小 (A)', 'A相电流 最大 (A)', 'A相电压 平均 (V)', 'A相电压 最小 (V)', 'A相电压 最大 (V)'],
      ...['电能 用量 (kWh)', '完整率 (%)', '质量'],
    ])
    expect(file).toHaveLength(76)
    const twice = file.filter(([at, , , , line]) => at === '2025-10-26 02:00:00' && line === 'A线2')
    expect(twice.map(([, offset]) => offset)).toEqual(['UTC+02:00', 'UTC+01:00'])
    expect(columnOf(file, '质量').slice(2, 3)).toEqual(['缺数'])
    expect(columnOf(file, 'A相电流 平均 (A)')[2]).toBe('')
    const english = await rowsOf(stack.url, prepare({ Language: 'EN', Step: 'raw', To: sunday + hourMs }))
    expect([english.length, english[0]?.slice(-4)]).toEqual([121, ['Current A (A)', 'Voltage A (V)', 'Energy (kWh)', 'Quality']])
  })

  test('of a workbook has one sheet of all, or one of each line by its name', async () => {
    const sheets = async (more: Partial<Wanted>) => {
      const files = unzipSync(await fileOf(stack.url, prepare({ Format: 'xlsx', ...more })))
      const names = new TextDecoder().decode(files['xl/workbook.xml']).matchAll(/<sheet name="([^"]+)"/g)
      const rows = (i: number) => new TextDecoder().decode(files[`xl/worksheets/sheet${i}.xml`]).match(/<row>/g)?.length
      return [...names].map(([, name], i) => [name, rows(i + 1)])
    }
    expect(await sheets({})).toEqual([['1', 76]])
    expect(await sheets({ Sheets: 'line' })).toEqual([
      ['1 A线2', 26],
      ['2 A线1', 26],
      ['3 A线3', 26],
    ])
    expect(await outcomeOf(prepare({ Sheets: 'line' }))).toBe('invalid parameter')
  })

  test('stands in the log before anybody gets it, with what it has and without names of people', async () => {
    const guest = await person('shared', 'A')
    const shown = (await rowsOf(stack.url, prepare({ Step: 'quarter' }, guest.client))).flat()
    expect(shown).not.toContain(guest.userName)
    const entries = await stack.server.database.general
      .selectFrom('audit')
      .select(['subject_kind', 'target', 'after', 'outcome'])
      .where('action', '=', 'deviceData.export')
      .where('actor', '=', guest.userName)
      .execute()
    expect(entries).toMatchObject([
      {
        ...{ subject_kind: 'project', target: '项目A', outcome: 'done' },
        after: { rows: 300, format: 'csv', sheets: 'one', step: 'quarter', lines: 3, points: ask().Points },
      },
    ])
  })
})

test('a quarter has what its own readings say', async () => {
  const { items } = await table({
    Step: 'quarter',
    LineIDs: lines.slice(0, 1),
    From: sunday + quarterMs,
    To: sunday + 2 * quarterMs,
  })
  expect(items.map(({ At, Figures }) => [At, Figures[0]?.Min, Figures[0]?.Max])).toEqual([[sunday + quarterMs, 25, 39]])
})

import type { Client } from '@linewarden/client'
import { downloadPath, downloadProgress, exportHistory, history, logout, userInfo } from '@linewarden/contract'
import { hourMs } from '@linewarden/equipment'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { signedIn, startStack } from '../../kit/stack.ts'

/** A time of the past that the simulated fleet does not speak of. */
const start = Date.UTC(2026, 0, 15, 0)

let stack: Stack
let sub: Client
let lineA: number
let lineB: number

beforeAll(async () => {
  // What lies so far back must outlive a run of the nightly clean-up.
  stack = await startStack({ plan: smallPlan, env: { LINEWARDEN_RAW_DAYS: '3650' } })
  const { accounts, plant, database } = stack.server
  lineA = plant.lineAt('A-T1', 1)?.id ?? 0
  lineB = plant.lineAt('B-T1', 1)?.id ?? 0
  // The fleet of the tests reports in a hurry; this history was made by calmer equipment.
  for (const gateway of plant.gateways.values()) gateway.reportingPeriodMs = 10_000
  const client = await database.connect()
  // An hour of samples every ten seconds, ten minutes of silence, ten minutes back-filled; the counter rises by 1 a minute.
  await client.query(
    `insert into reading (line_id, at, received_at, quality, v0, v3, counter)
     select line_id, at, at, case when at >= $1::timestamptz + interval '70 min' then 2 else 0 end, 10 + extract(minute from at),
       230, extract(epoch from at - $1::timestamptz) / 60
     from unnest($2::int[]) as t (line_id), generate_series($1::timestamptz, $1::timestamptz + interval '80 min', '10 s') as at
     where at < $1::timestamptz + interval '60 min' or at >= $1::timestamptz + interval '70 min'`,
    [new Date(start), [lineA, lineB]],
  )
  await client.query("insert into rollup_due select distinct date_trunc('hour', at) from reading on conflict do nothing")
  await client.query(
    `insert into event (kind, priority, key, label_zh, label_en, state, project_id, gateway_id, line_id, raised_at, stored_at)
     select 'warning', 'low', 'test', '测试', 'test', 'normal', project_id, gateway_id, line_id, $1, $1
     from line join device using (device_id) join gateway using (gateway_id) where line_id = any($2)`,
    [new Date(start + 30 * 60_000), [lineA, lineB]],
  )
  await client.end()
  const a = [...plant.projects.values()].find(({ name }) => name === '项目A')
  const role = { number: 'history', name: '历史', privileges: ['devmon', 'devmon.hisdata'], buttons: [] }
  const roleId = await accounts.createRole(role)
  const account = { userName: '13800000009', password: 'Past-7391' }
  await accounts.createAccount({ ...account, kind: 'sub', roleId, projectIds: [a?.id ?? 0] })
  sub = await signedIn(stack.url, account)
})
afterAll(() => stack?.close())

const point = (LineID: number, Point = 'current.a') => ({ LineID, Point })
const ask = (more: object = {}) => ({ Points: [point(lineA)], From: start, To: start + 2 * hourMs, Width: 1_000, ...more })
const refused = (promise: Promise<unknown>, message: string, path?: string) =>
  expect(promise).rejects.toMatchObject({
    problem: { kind: 'refusal', failure: { Message: message, ...(path && { Problems: [{ Path: path }] }) } },
  })

test('samples come as they were reported, with the silence and what was back-filled', async () => {
  const { Series, Events } = await sub.call(history, { body: ask() })
  const [series] = Series
  expect(series).toMatchObject({ LineID: lineA, Point: 'current.a', Level: 'raw', BucketMs: 0, Min: [], Max: [] })
  expect(series?.Gaps).toEqual([
    [start + 59 * 60_000 + 50_000, start + 70 * 60_000],
    [start + 80 * 60_000, start + 2 * hourMs],
  ])
  expect(series?.Late).toEqual([[start + 70 * 60_000, start + 80 * 60_000]])
  const silent = series?.At.findIndex((at) => at > start + 59 * 60_000 + 50_000) ?? 0
  expect(series?.Value.slice(silent - 1, silent + 2)).toEqual([69, null, 20])
  expect(Events.map(({ LineID, Key }) => [LineID, Key])).toEqual([[lineA, 'test']])
})

test('a longer range comes in bands, and energy as what was used', async () => {
  const { Series } = await stack.client.call(history, {
    body: ask({ Points: [point(lineA), point(lineA, 'energy'), point(lineB, 'voltage.a')], To: start + 12 * hourMs, Width: 200 }),
  })
  const [current, energy, voltage] = Series
  expect(current?.BucketMs).toBeGreaterThan(0)
  for (const [i, value] of (current?.Value ?? []).entries()) {
    if (value === null) continue
    expect(current?.Min[i]).toBeLessThanOrEqual(value)
    expect(current?.Max[i]).toBeGreaterThanOrEqual(value)
  }
  expect((energy?.Value ?? []).reduce((sum: number, each) => sum + (each ?? 0), 0)).toBeCloseTo(80, 1)
  expect(voltage?.LineID).toBe(lineB)
})

test('the previous period comes at its own times', async () => {
  const { Series, Previous } = await sub.call(history, {
    body: ask({ From: start + hourMs, To: start + 2 * hourMs, Compare: true }),
  })
  expect(Series[0]?.At[0]).toBeGreaterThanOrEqual(start + hourMs)
  expect([Previous[0]?.At[0], Previous[0]?.At.at(-1)]).toEqual([start, start + hourMs - 10_000])
})

test('a shared account, which changes nothing, looks at it and takes it along', async () => {
  const { accounts, plant } = stack.server
  const a = [...plant.projects.values()].find(({ name }) => name === '项目A')
  const role = { number: 'looking', name: '查看', privileges: ['devmon', 'devmon.hisdata'], buttons: [] }
  const account = { userName: '13800000008', password: 'Past-7391' }
  const roleId = await accounts.createRole(role)
  await accounts.createAccount({ ...account, kind: 'shared', roleId, projectIds: [a?.id ?? 0] })
  const guest = await signedIn(stack.url, account)
  expect((await guest.call(history, { body: ask() })).Series).toHaveLength(1)
  const wanted = { Format: 'csv', Content: 'raw', Language: 'CN' } as const
  expect(await guest.call(exportHistory, { body: { ...ask(), ...wanted } })).toHaveProperty('Ticket')
})

test('a range without data is one gap and no values', async () => {
  const { Series } = await sub.call(history, { body: ask({ From: start - 2 * hourMs, To: start - hourMs }) })
  expect(Series[0]).toMatchObject({ At: [], Value: [], Gaps: [[start - 2 * hourMs, start - hourMs]] })
})

describe('refused is', () => {
  test('a line of another project, as if there were none', async () => {
    await refused(sub.call(history, { body: ask({ Points: [point(lineA), point(lineB)] }) }), 'device not exists')
    await refused(sub.call(history, { body: ask({ Points: [point(999_999)] }) }), 'device not exists')
    const wanted = { Format: 'csv', Content: 'raw', Language: 'CN' } as const
    await refused(sub.call(exportHistory, { body: { ...ask({ Points: [point(lineB)] }), ...wanted } }), 'device not exists')
  })

  test('a ninth point, none, and one twice', async () => {
    const keys = 'current.a current.b current.c voltage.a voltage.b voltage.c power.a power.b power.c'.split(' ')
    const nine = keys.map((key) => point(lineA, key))
    await refused(sub.call(history, { body: ask({ Points: nine }) }), 'invalid parameter', 'body.Points')
    await refused(sub.call(history, { body: ask({ Points: [] }) }), 'invalid parameter', 'body.Points')
    await refused(sub.call(history, { body: ask({ Points: [point(lineA), point(lineA)] }) }), 'invalid parameter', 'body.Points')
  })

  test('a point that the equipment does not have', () =>
    refused(sub.call(history, { body: ask({ Points: [point(lineA, 'smoke')] }) }), 'invalid parameter', 'body.Points.0.Point'))

  test.each([
    ['ends before it begins', { To: start - 1 }, 'body.To'],
    ['is empty', { To: start }, 'body.To'],
    ['is longer than ten years', { From: 0, To: start }, 'body.To'],
    ['begins before time', { From: -1 }, 'body.From'],
  ])('a range that %s', (_, more, path) => refused(sub.call(history, { body: ask(more) }), 'invalid parameter', path))

  test('an account without the page', async () => {
    const { accounts } = stack.server
    await accounts.createAccount({ userName: '13800000010', password: 'None-7391', kind: 'sub' })
    const nobody = await signedIn(stack.url, { userName: '13800000010', password: 'None-7391' })
    await refused(nobody.call(history, { body: ask() }), 'access denied')
  })
})

describe('an export', () => {
  const prepare = (more: object = {}, client = sub) =>
    client.call(exportHistory, {
      body: { ...ask(more), Format: 'csv', Content: 'raw', Language: 'EN', ...more } as never,
    })
  const fetchFile = (ticket: string) => fetch(`${stack.url}${downloadPath}${ticket}`)

  test('brings every reading, once, by the clock of the project', async () => {
    const { Ticket, FileName } = await prepare({ Points: [point(lineA), point(lineA, 'energy')] })
    expect(FileName).toBe('history-202601150800-202601151000.csv')
    const reply = await fetchFile(Ticket)
    expect(reply.headers.get('content-disposition')).toContain(FileName)
    const [head, ...rows] = (await reply.text()).trimEnd().split('\r\n')
    expect(head).toMatch(/^"Time \(Asia\/Shanghai\)","[^"]*Current A \(A\)","[^"]*Energy \(kWh\)","Quality"$/)
    expect(rows).toHaveLength(360 + 61)
    expect(rows[0]).toBe('2026-01-15 08:00:00,10,0,""')
    expect(rows.at(-1)).toBe('2026-01-15 09:20:00,30,80,"back-filled"')
    expect(await sub.call(downloadProgress, { params: { Ticket } })).toEqual({ State: 'done', Rows: 421, Share: 1 })
    expect((await fetchFile(Ticket)).status).toBe(404)
  })

  test('as a workbook holds numbers and times', async () => {
    const { Ticket } = await prepare({ Format: 'xlsx' })
    const files = unzipSync(new Uint8Array(await (await fetchFile(Ticket)).arrayBuffer()))
    const sheet = new TextDecoder().decode(files['xl/worksheets/sheet1.xml'])
    expect(sheet.match(/<row>/g)).toHaveLength(422)
    const day = (start + 8 * hourMs) / 86_400_000 + 25_569
    expect(sheet).toContain(`<row><c s="1"><v>${day}</v></c><c><v>10</v></c></row>`)
  })

  test('of what is shown has least and most beside the mean', async () => {
    const { Ticket } = await prepare({ Content: 'shown', Width: 50, To: start + 24 * hourMs })
    const [head, first] = (await (await fetchFile(Ticket)).text()).split('\r\n')
    expect(head?.match(/mean|min|max/g)).toEqual(['mean', 'min', 'max'])
    expect(first).toMatch(/^2026-01-15 08:00:00,[\d.]+,10,/)
  })

  test('that nobody prepared does not exist, and one of somebody else tells nothing', async () => {
    expect((await fetchFile('nothing')).status).toBe(404)
    const { Ticket } = await prepare()
    await refused(stack.client.call(downloadProgress, { params: { Ticket } }), 'download not exists')
    await (await fetchFile(Ticket)).arrayBuffer()
  })

  test('ends when its reader goes away, and takes no place from the next', async () => {
    const client = await stack.server.database.connect()
    await client.query(
      `insert into reading (line_id, at, received_at, quality, v0) select $1, at, at, 0, 1
       from generate_series($2::timestamptz, $2::timestamptz + interval '1 day', '500 ms') as at`,
      [lineA, new Date(start + 48 * hourMs)],
    )
    await client.end()
    const { Ticket } = await prepare({ From: start + 48 * hourMs, To: start + 72 * hourMs })
    const leave = new AbortController()
    const reply = await fetch(`${stack.url}${downloadPath}${Ticket}`, { signal: leave.signal })
    await reply.body?.getReader().read()
    leave.abort()
    const state = async () => (await sub.call(downloadProgress, { params: { Ticket } })).State
    await expect.poll(state).toBe('ended')
  })

  test('dies with the session that it was prepared in', async () => {
    const leaving = await signedIn(stack.url, stack.admin)
    const { UserID } = await leaving.call(userInfo, {})
    const { Ticket } = await prepare({}, leaving)
    await leaving.call(logout, { body: { UserID } })
    expect((await fetchFile(Ticket)).status).toBe(404)
  })

  test('beside two others of the same account waits', async () => {
    const waiting = [await prepare(), await prepare()]
    await refused(prepare(), 'too many downloads')
    for (const { Ticket } of waiting) await (await fetchFile(Ticket)).arrayBuffer()
    await prepare()
  })
})

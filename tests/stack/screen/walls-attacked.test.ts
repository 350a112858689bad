import type { Client } from '@linewarden/client'
import { addScreen, approveScreen, editScreen, openScreen, pairScreen, screenOfCode } from '@linewarden/contract'
import { hourMs } from '@linewarden/equipment'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { signedIn, startStack } from '../../kit/stack.ts'
import { linkOf, newLink, nobody, openWall } from '../../kit/walls.ts'

// What somebody tries who would see more by a wall than they may, or leave others without theirs.
let stack: Stack
let at = Date.now()
const now = () => at
let houseA = 0

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, clock: now, fleet: { now, ticking: false } })
  houseA = stack.server.plant.lineAt('A-T1', 1)?.device.gateway.project.id ?? 0
})
afterAll(() => stack?.close())

const admin = (): Promise<Client> => signedIn(stack.url, stack.admin, now)
const opens = (body: Parameters<typeof openWall>[1]) => outcomeOf(nobody(stack.url, now).call(openScreen, { body }))

test('whoever may not read what a wall shows makes, changes and gives none', async () => {
  const { accounts } = stack.server
  const [userName, password] = ['13800000061', 'Sub-73911']
  const privileges = ['system', 'system.project']
  const roleId = await accounts.createRole({ number: 'projects', name: '项目', privileges, buttons: [] })
  await accounts.createAccount({ userName, password, kind: 'sub', roleId, projectIds: [houseA] })
  const sub = await signedIn(stack.url, { userName, password }, now)
  const { Screen } = await newLink(await admin(), [houseA])
  const { Code } = await nobody(stack.url, now).call(pairScreen, { body: {} })
  const { ScreenID } = Screen
  expect(await outcomeOf(sub.call(addScreen, { body: linkOf([houseA]) }))).toBe('permission beyond own')
  expect(await outcomeOf(sub.call(editScreen, { body: { ScreenID, ...linkOf([houseA]), Version: 1 } }))).toBe(
    'permission beyond own',
  )
  expect(await outcomeOf(sub.call(approveScreen, { body: { Code, ScreenID } }))).toBe('permission beyond own')
})

test('browsers that wait for a place, and somebody who guesses, keep no wall of their network dark', async () => {
  const { Key } = await newLink(await admin(), [houseA], { MostSeats: 1 })
  const { opened } = await openWall(stack.url, { Key }, now)
  const waiting = await Promise.all(Array.from({ length: 40 }, () => opens({ Key })))
  expect(new Set(waiting)).toEqual(new Set(['screen in use']))
  const guesses = await Promise.all(Array.from({ length: 31 }, () => opens({ Key: 'Z'.repeat(26) })))
  expect(guesses.filter((each) => each === 'too many requests')).toHaveLength(1)
  expect(await opens({ Seat: opened.Seat ?? '' })).toBe('done')
})

test('whoever fills the list of codes from many networks takes the place of no wall', async () => {
  const client = await stack.server.database.connect()
  await client
    .query(
      `insert into screen_pairing (code, claim_hash, address, browser, expires_at)
       select 'x' || n, 'x' || n, '2001:db8:77:' || to_hex(n / 20) || '::1', '', $1::timestamptz + n * interval '1 millisecond'
       from generate_series(1, 1000) n
       union all select '654321', 'wall', '192.0.2.7', 'TV', $1::timestamptz`,
      [new Date(at + 300_000)],
    )
    .finally(() => client.end())
  const { Code } = await nobody(stack.url, now).call(pairScreen, { body: {} })
  const by = await admin()
  for (const each of ['654321', Code]) expect(await outcomeOf(by.call(screenOfCode, { params: { Code: each } }))).toBe('done')
  const { rows } = await stack.server.database.borrow((db) => db.query(`select count(*)::int as n from screen_pairing`))
  expect(rows).toEqual([{ n: 1_000 }])
})

test('many codes tried at once are no more tries than one after the other', async () => {
  const by = await admin()
  const codes = Array.from({ length: 20 }, (_, n) => String(100_000 + n))
  const answers = await Promise.all(codes.map((Code) => outcomeOf(by.call(screenOfCode, { params: { Code } }))))
  expect(answers.filter((each) => each === 'screen code wrong')).toHaveLength(5)
})

test('a secret that is good no more ends no seat by the key of another link', async () => {
  const { Key } = await newLink(await admin(), [houseA])
  const first = (await openWall(stack.url, { Key }, now)).opened.Seat ?? ''
  at += 23 * hourMs
  const next = (await openWall(stack.url, { Seat: first }, now)).opened.Seat ?? ''
  at += 25 * hourMs
  const other = await newLink(await admin(), [houseA])
  expect(await opens({ Key: other.Key, Seat: first })).toBe('done')
  expect(await opens({ Seat: next })).toBe('done')
})

test('of seats that are over so many stay as the list shows', async () => {
  const { Key, Screen } = await newLink(await admin(), [houseA])
  const client = await stack.server.database.connect()
  await client
    .query(
      `insert into screen_seat (seat_id, link_id, secret_hash, rotated_at, token, token_at, first_seen, last_beat, address, browser, ended_at, ended_why)
       select gen_random_uuid(), $1, 'over' || n, $2, '', $2, $2, $2, '', '', $2, 'taken' from generate_series(1, 250) n`,
      [Screen.ScreenID, new Date(at)],
    )
    .finally(() => client.end())
  await openWall(stack.url, { Key }, now)
  const { rows } = await stack.server.database.borrow((db) =>
    db.query(`select count(*)::int as n from screen_seat where link_id = $1`, [Screen.ScreenID]),
  )
  expect(rows).toEqual([{ n: 201 }])
})

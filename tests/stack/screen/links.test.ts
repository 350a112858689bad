import type { Client } from '@linewarden/client'
import type { Request } from '@linewarden/contract'
import {
  addRole,
  addScreen,
  addSharedAccount,
  addSubAccount,
  approveScreen,
  editScreen,
  listJournal,
  listScreenSeats,
  listScreens,
  openScreen,
  pairScreen,
  revokeScreen,
  screenOfCode,
} from '@linewarden/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { outcomeOf } from '../../kit/refused.ts'
import type { TwoOwners } from '../../kit/two-owners.ts'
import { newProject, startTwoOwners, subOf } from '../../kit/two-owners.ts'
import { linkOf, newLink, nobody, openWall } from '../../kit/walls.ts'

// Screen links, as those make them who may change projects.
let all: TwoOwners
let annas: { first: number; second: number }
let berts = 0
let sub: Client
let guest: Client

beforeAll(async () => {
  all = await startTwoOwners({ fleet: { ticking: false } })
  annas = {
    first: (await newProject(all.anna, '一号厂房')).HouseID,
    second: (await newProject(all.anna, '二号厂房')).HouseID,
  }
  berts = (await newProject(all.bert, '别人的')).HouseID
  const own = ['system', 'system.project', 'devmon', 'devmon.realtime', 'energy', 'energy.energy']
  const privileges = { Privileges: own, Buttons: [] }
  const { RoleID } = await all.anna.call(addRole, { body: { Number: 'links', Name: 'links', ...privileges } })
  const given = (userName: string) => ({ ...subOf(userName), RoleID, Assigned: { HouseIDs: [annas.first], DeviceIDs: [] } })
  await all.anna.call(addSubAccount, { body: given('13800000051') })
  await all.anna.call(addSharedAccount, { body: given('13800000052') })
  sub = await all.signIn('13800000051')
  guest = await all.signIn('13800000052')
})
afterAll(() => all?.close())

const owner = '13900000001'
const add = (client: Client, more: Partial<Request<typeof addScreen>['body']>) =>
  outcomeOf(client.call(addScreen, { body: linkOf([annas.first], more) }))

describe('a link is made', () => {
  test('with a key of 128 bits that is answered once and stored nowhere', async () => {
    const { Screen, Key } = await newLink(all.anna, [annas.first], { Name: '钥匙' })
    expect(Key).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/)
    expect(Screen).toMatchObject({
      Name: '钥匙',
      Scope: { CityID: null, HouseIDs: [annas.first] },
      Seats: 0,
      LastBeat: null,
      Version: 1,
    })
    const { items } = await all.anna.call(listScreens, { query: {} })
    expect(JSON.stringify(items)).not.toContain(Key)
    const rows = await all.stack.server.database.general.selectFrom('screen_link').selectAll().execute()
    const log = await all.stack.server.database.general.selectFrom('audit').selectAll().execute()
    expect(JSON.stringify([rows, log])).not.toContain(Key)
  })

  test.each<[string, () => Partial<Request<typeof addScreen>['body']>, string]>([
    ['a project of somebody else', () => ({ Scope: { CityID: null, HouseIDs: [berts] } }), 'project not exists'],
    ['one of them beside one’s own', () => ({ Scope: { CityID: null, HouseIDs: [annas.first, berts] } }), 'project not exists'],
    ['a project that there is not', () => ({ Scope: { CityID: null, HouseIDs: [99_999] } }), 'project not exists'],
    ['a group that there is not', () => ({ Scope: { CityID: 99_999, HouseIDs: [] } }), 'group not exists'],
    ['nothing', () => ({ Scope: { CityID: null, HouseIDs: [] } }), 'screen scope wrong'],
    ['a page of a project that it does not show', () => ({ Pages: [`/bigScreen/home/${annas.second}`] }), 'screen page wrong'],
    ['a page of equipment that it does not show', () => ({ Pages: ['/bigScreen/detail/A-T1'] }), 'screen page wrong'],
    ['an address elsewhere', () => ({ Pages: ['https://example.com'] }), 'invalid parameter'],
    ['pages that turn too fast', () => ({ DwellS: 9 }), 'invalid parameter'],
    ['pages that turn too slowly', () => ({ DwellS: 301 }), 'invalid parameter'],
    [
      'twenty-one pages',
      () => ({ Pages: Array.from({ length: 21 }, (_, at) => `/bigScreen/home/${at + 1}`) }),
      'invalid parameter',
    ],
    ['an end that is past', () => ({ HardUntil: 1 }), 'screen time past'],
    ['a name over two lines', () => ({ Name: '一\n二' }), 'invalid parameter'],
    ['pages of its own', () => ({ Pages: ['/bigScreen', `/bigScreen/home/${annas.first}`] }), 'done'],
  ])('of %s: %s', async (_, more, outcome) => expect(await add(all.anna, more())).toBe(outcome))

  test('by whoever runs the installation only of one owner at a time, whose it is then', async () => {
    expect(await add(all.platform, { Scope: { CityID: null, HouseIDs: [annas.first, berts] } })).toBe('screen scope wrong')
    const { Screen } = await newLink(all.platform, [berts], { Name: '平台建的' })
    const names = async (client: Client) =>
      (await client.call(listScreens, { query: { Size: 200 } })).items.map(({ Name }) => Name)
    expect(await names(all.bert)).toEqual(['平台建的'])
    expect(await names(all.anna)).not.toContain('平台建的')
    expect(await outcomeOf(all.anna.call(revokeScreen, { body: { ScreenID: Screen.ScreenID } }))).toBe('screen not exists')
  })
})

describe('somebody below the administrator', () => {
  test('has the links of projects that were given, and no others', async () => {
    const near = await newLink(all.anna, [annas.first], { Name: '近' })
    const far = await newLink(all.anna, [annas.first, annas.second], { Name: '远' })
    const { CityID } = await groupOf(annas.first)
    const ofGroup = await newLink(all.anna, [], { Name: '组', Scope: { CityID, HouseIDs: [] } })
    const seen = (await sub.call(listScreens, { query: { Size: 200 } })).items.map(({ Name }) => Name)
    expect(seen).toContain('近')
    expect(seen.filter((name) => name === '远' || name === '组')).toEqual([])
    for (const { Screen } of [far, ofGroup]) {
      const { ScreenID } = Screen
      expect(await outcomeOf(sub.call(listScreenSeats, { query: { ScreenID } }))).toBe('screen not exists')
      expect(await outcomeOf(sub.call(revokeScreen, { body: { ScreenID } }))).toBe('screen not exists')
    }
    expect(await add(sub, { Scope: { CityID, HouseIDs: [] } })).toBe('group not exists')
    expect(await add(sub, { Scope: { CityID: null, HouseIDs: [annas.second] } })).toBe('project not exists')
    expect(await outcomeOf(sub.call(revokeScreen, { body: { ScreenID: near.Screen.ScreenID } }))).toBe('done')
  })

  test('gives nothing away that was shared with them', async () => {
    expect(await outcomeOf(guest.call(listScreens, { query: {} }))).toBe('access denied')
    expect(await add(guest, {})).toBe('access denied')
  })
})

async function groupOf(projectId: number) {
  return { CityID: all.stack.server.plant.projects.get(projectId)?.cityId ?? 0 }
}

test('a change is refused over another one, and of a link that was revoked', async () => {
  const { Screen } = await newLink(all.anna, [annas.first], { Name: '改' })
  const { ScreenID } = Screen
  const edit = (Version: number) =>
    outcomeOf(all.anna.call(editScreen, { body: { ScreenID, ...linkOf([annas.second]), Version } }))
  expect(await edit(1)).toBe('done')
  expect(await edit(1)).toBe('changed meanwhile')
  await all.anna.call(revokeScreen, { body: { ScreenID } })
  expect(await edit(3)).toBe('screen over')
  expect(await outcomeOf(all.anna.call(revokeScreen, { body: { ScreenID } }))).toBe('screen over')
})

test('what was made, opened, taken over and revoked stands in the log of whose projects they are', async () => {
  const { Screen, Key } = await newLink(all.anna, [annas.first], { Name: '日志' })
  const { ScreenID } = Screen
  const { opened } = await openWall(all.stack.url, { Key })
  await all.anna.call(revokeScreen, { body: { ScreenID, SeatID: opened.UserID } })
  await all.anna.call(revokeScreen, { body: { ScreenID } })
  const { items } = await all.anna.call(listJournal, { body: { Size: 50 } })
  const entries = items.filter(({ Target }) => Target === '日志').map(({ Action, Actor }) => [Action, Actor])
  expect(entries).toEqual([
    ['screen.revoke', owner],
    ['screen.take', owner],
    ['screen.open', 'screen:日志'],
    ['screen.add', owner],
  ])
  expect((await all.bert.call(listJournal, { body: { Size: 50 } })).items.filter(({ Target }) => Target === '日志')).toEqual([])
})

describe('a wall without a key shows a code', () => {
  const pair = () => nobody(all.stack.url).call(pairScreen, { body: { Browser: 'TV 1' } })

  test('waits until somebody says which link it shows, and opens once', async () => {
    const { Screen } = await newLink(all.anna, [annas.first], { Name: '配对' })
    const { Code, Claim } = await pair()
    const claim = () => outcomeOf(nobody(all.stack.url).call(openScreen, { body: { Claim } }))
    expect(await claim()).toBe('screen waits')
    expect(await all.anna.call(screenOfCode, { params: { Code } })).toMatchObject({ Browser: 'TV 1' })
    expect((await all.anna.call(approveScreen, { body: { Code, ScreenID: Screen.ScreenID } })).Seats).toBe(0)
    expect(await outcomeOf(all.anna.call(approveScreen, { body: { Code, ScreenID: Screen.ScreenID } }))).toBe('screen code wrong')
    expect(await claim()).toBe('done')
    expect(await claim()).toBe('screen code wrong')
    const { items } = await all.anna.call(listScreenSeats, { query: { ScreenID: Screen.ScreenID } })
    expect(items).toHaveLength(1)
  })

  test('is given no link of somebody else, and opens nothing by its code alone', async () => {
    const { Screen } = await newLink(all.anna, [annas.first], { Name: '不给' })
    const { Code } = await pair()
    expect(await outcomeOf(all.bert.call(approveScreen, { body: { Code, ScreenID: Screen.ScreenID } }))).toBe('screen not exists')
    const guessed = 'A'.repeat(43)
    expect(await outcomeOf(nobody(all.stack.url).call(openScreen, { body: { Claim: guessed } }))).toBe('screen code wrong')
  })

  test('after five wrong codes nobody is answered for a while, right or wrong', async () => {
    const { Code } = await pair()
    const wrong = [...'0123456'].map((digit) => digit.repeat(6)).filter((each) => each !== Code)
    const look = (code: string) => outcomeOf(all.bert.call(screenOfCode, { params: { Code: code } }))
    for (const each of wrong.slice(0, 5)) expect(await look(each)).toMatch(/^(screen code wrong|too many requests)$/)
    expect(await look(Code)).toBe('too many requests')
  })
})

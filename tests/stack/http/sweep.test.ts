import type { Client, Session } from '@linewarden/client'
import type { Call, listJournal, Reply } from '@linewarden/contract'
import {
  addGateway,
  addGroup,
  addProject,
  addRole,
  addSharedAccount,
  addSubAccount,
  allCalls,
  buttons,
  isButtonPermission,
  pages,
  projectsByGroup,
  userInfo,
} from '@linewarden/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exampleOf, fieldsOf } from '../../kit/example.ts'
import { offenders } from '../../kit/offenders.ts'
import { sendRaw } from '../../kit/send-raw.ts'
import { sessionOf } from '../../kit/stack.ts'
import type { TwoOwners } from '../../kit/two-owners.ts'
import { newGateway, newProject, place, startTwoOwners, subOf } from '../../kit/two-owners.ts'

/**
 * Every call of the contract, as it is made by people who may not make it. Nothing here names a call that is only data: a new one is swept
 * the day it is declared.
 */

let all: TwoOwners
/** The clock is ours, so that sessions can grow old. */
let ahead = 0
const now = () => Date.now() + ahead
const who: Record<'stranger' | 'shared' | 'powerless' | 'narrow', Session> = {
  stranger: { userId: '', token: '' },
  shared: { userId: '', token: '' },
  powerless: { userId: '', token: '' },
  narrow: { userId: '', token: '' },
}
/** Things of Anna's tenant and of the platform's, which Bert may never touch. */
let theirs: Record<string, unknown>
/** Things of Anna's tenant that were not given to her narrow sub-user. Whatever of them has a name has this in it. */
let unseen: Record<string, unknown>
const hidden = 'HIDDEN'

const signIn = (userName: string, password: string) => sessionOf(all.stack.url, { userName, password }, now)

async function someone(
  client: Client,
  userName: string,
  add: typeof addSubAccount | typeof addSharedAccount,
  RoleID: number,
  HouseID: number,
  NickName = userName,
) {
  const body = { ...subOf(userName), NickName, RoleID, Assigned: { HouseIDs: [HouseID], DeviceIDs: [] } }
  const { AccountID } = await client.call(add, { body })
  return { AccountID, session: await signIn(userName, `Pass-${userName}-7`) }
}

const role = (client: Client, number: string, Privileges: string[], Buttons: string[]) =>
  client.call(addRole, { body: { Number: number, Name: number, Privileges, Buttons } })

beforeAll(async () => {
  all = await startTwoOwners({ clock: now, fleet: { now } })
  const every = pages.flatMap(({ key, subs }) => [key, ...subs.map((sub) => sub.key)])
  const { HouseID } = await newProject(all.anna, '安娜项目')
  const { Gateway } = await all.anna.call(addGateway, { body: { HouseID, ...newGateway('SWEEP-1') } })
  const mighty = await role(all.anna, 'mighty', every, Object.keys(buttons))
  const powerless = await role(all.anna, 'powerless', ['energy'], [])
  const victim = await someone(all.anna, '13400000001', addSubAccount, mighty.RoleID, HouseID)
  who.shared = (await someone(all.anna, '13400000002', addSharedAccount, mighty.RoleID, HouseID)).session
  who.powerless = (await someone(all.anna, '13400000003', addSubAccount, powerless.RoleID, HouseID)).session
  const { CityID } = await all.anna.call(addGroup, { body: { Name: `${hidden} group` } })
  const elsewhere = await all.anna.call(addProject, { body: { ...place, Name: `${hidden} project`, CityID } })
  const body = { HouseID: elsewhere.HouseID, ...newGateway(hidden) }
  const there = await all.anna.call(addGateway, { body })
  const beyond = await role(all.anna, hidden, ['energy'], [])
  const colleague = await someone(all.anna, '13400000004', addSubAccount, beyond.RoleID, elsewhere.HouseID, `${hidden} person`)
  const most = await role(
    all.anna,
    'narrow',
    every.filter((key) => key !== 'energy'),
    Object.keys(buttons),
  )
  who.narrow = (await someone(all.anna, '13400000005', addSubAccount, most.RoleID, HouseID)).session
  unseen = {
    ...{ HouseID: elsewhere.HouseID, HouseIDs: [elsewhere.HouseID], CityID },
    ...{ DeviceID: there.Gateway.DeviceID, DeviceIDs: [there.Gateway.DeviceID] },
    ...{ RoleID: beyond.RoleID, AccountID: colleague.AccountID, UserName: '13400000004' },
    ...{ ControllerID: 'A-T1', LineID: all.stack.server.plant.lineAt('A-T1', 1)?.id, LineNo: 1 },
  }
  who.stranger = await signIn('13900000002', 'Owner-7391')
  const groups = await all.anna.call(projectsByGroup)
  theirs = {
    HouseID,
    HouseIDs: [HouseID],
    DeviceID: Gateway.DeviceID,
    DeviceIDs: [Gateway.DeviceID],
    CityID: groups.items[0]?.CityID,
    RoleID: mighty.RoleID,
    AccountID: victim.AccountID,
    OwnerID: (await all.anna.call(userInfo)).UserID,
    UserID: (await all.anna.call(userInfo)).UserID,
    // The fleet's equipment belongs to the platform, which is nobody's tenant but its own.
    ControllerID: 'A-T1',
    LineID: all.stack.server.plant.lineAt('A-T1', 1)?.id,
    LineNo: 1,
  }
})
afterAll(() => all?.close())

/** One test for all of these calls, which names each that is answered otherwise; `bench authorisation` counts them. */
function sweep<Row extends readonly unknown[]>(
  fact: string,
  rows: readonly Row[],
  check: (...row: { -readonly [Place in keyof Row]: Row[Place] }) => Promise<void>,
): void {
  test(fact, { timeout: 240_000 }, async ({ task }) => {
    const wrong = await offenders(rows, check)
    Object.assign(task.meta, { attempts: rows.length, wrong: wrong.length })
    expect(wrong).toEqual([])
  })
}

const attempt = (session: Session, call: Call, given = theirs) =>
  sendRaw(all.stack.url, session, {
    method: call.method,
    timeStamp: Math.floor(now() / 1_000),
    ...exampleOf(call, given),
  })

const signedIn = allCalls.filter(({ permission }) => permission !== 'public')
const named = (calls: readonly Call[]) => calls.map((call) => [`${call.method} ${call.path}`, call] as const)

const things = [
  'HouseID',
  'HouseIDs',
  'DeviceID',
  'DeviceIDs',
  'CityID',
  'RoleID',
  'AccountID',
  'OwnerID',
  'UserID',
  'ControllerID',
  'EventID',
]
const namesThings = (call: Call) => fieldsOf(call).some((field) => things.includes(field))
/** Filters by a role find nothing where the role is somebody else's: that is no refusal, and tells nothing. */
const onlyFilters = (call: Call) =>
  call.datas !== undefined &&
  fieldsOf(call)
    .filter((field) => things.includes(field))
    .join() === 'RoleID'

describe('an administrator', () => {
  sweep(
    "gets at nothing of somebody else's tenant by any call that names things",
    named(signedIn.filter((call) => namesThings(call) && !onlyFilters(call))),
    async (_, call) => {
      const { status, envelope } = await attempt(who.stranger, call)
      expect([envelope.Code, status < 500]).toEqual([0, true])
      // Refused for what it names, not because the request was not understood.
      expect(envelope.Message).not.toBe('body malformed')
      if (envelope.Message === 'invalid parameter') expect(envelope.Problems ?? []).toEqual([])
    },
  )

  sweep("is listed nothing by somebody else's role", named(signedIn.filter(onlyFilters)), async (_, call) => {
    const { envelope } = await attempt(who.stranger, call)
    expect(envelope).toMatchObject({ Code: 1, Datas: [] })
  })
})

describe('a role without the privilege', () => {
  sweep('is denied every call', named(signedIn.filter(({ permission }) => permission !== 'session')), async (_, call) => {
    const { status, envelope } = await attempt(who.powerless, call)
    expect([status, envelope.Message]).toEqual([403, 'access denied'])
  })
})

describe('a role with a single page', () => {
  const shared = allCalls.flatMap((call: Call) => (call.alsoFor ?? []).map((page) => [page, call] as const))
  const holders = new Map<string, Session>()
  beforeAll(async () => {
    for (const [index, page] of [...new Set(shared.map(([page]) => page))].entries()) {
      const section = pages.find(({ subs }) => subs.some(({ key }) => key === page))?.key ?? page.split('.')[0] ?? ''
      const { RoleID } = await role(all.anna, page, [section, page], [])
      const houses = await all.anna.call(projectsByGroup)
      const HouseID = houses.items[0]?.Houses[0]?.HouseID ?? 0
      holders.set(
        page,
        (await someone(all.anna, `134000001${String(index).padStart(2, '0')}`, addSubAccount, RoleID, HouseID)).session,
      )
    }
  })

  sweep(
    'is answered by what that page reads, also where another page has it first',
    shared.map(([page, call]) => [page, `${call.method} ${call.path}`, call] as const),
    async (page, _, call) => {
      const session = holders.get(page) ?? who.stranger
      const { envelope } = await attempt(session, call)
      // What it names is somebody else's, and told as such: the permission is there.
      expect(envelope.Message).not.toBe('access denied')
      expect((await attempt(who.powerless, call)).envelope.Message).toBe('access denied')
    },
  )
})

describe('a shared account with every privilege', () => {
  const changes = (call: Call) => call.method !== 'GET' && call.reads !== true
  const own = (call: Call) => call.permission === 'session' && call.scope.kind === 'own'
  sweep(
    'is denied whatever changes something and every button',
    named(signedIn.filter((call) => (changes(call) && !own(call)) || isButtonPermission(call.permission))),
    async (_, call) => {
      const { status, envelope } = await attempt(who.shared, call)
      expect([status, envelope.Message]).toEqual([403, 'access denied'])
    },
  )
})

describe('a shared account, whatever its role,', () => {
  const behind = ['system.log', 'system.users', 'system.roles', 'system.city']
  sweep(
    "is denied the owner's people, groups and log",
    named(signedIn.filter(({ permission }) => behind.includes(permission))),
    async (_, call) => {
      const { status, envelope } = await attempt(who.shared, call)
      expect([status, envelope.Message]).toEqual([403, 'access denied'])
    },
  )
})

describe('a sub-user with nearly every privilege', () => {
  const narrowly = things.filter((each) => each !== 'OwnerID' && each !== 'UserID')
  const namesUnseen = (call: Call) => fieldsOf(call).some((field) => narrowly.includes(field))
  const touching = signedIn.filter((call) => namesUnseen(call) && call.permission !== 'platform')

  sweep(
    'gets at nothing that was not given by any call',
    named(touching.filter((call) => !onlyFilters(call))),
    async (_, call) => {
      const { status, envelope } = await attempt(who.narrow, call, unseen)
      expect([envelope.Code, status < 500]).toEqual([0, true])
      expect(envelope.Message).not.toBe('body malformed')
      if (envelope.Message === 'invalid parameter') expect(envelope.Problems ?? []).toEqual([])
    },
  )

  /** The log says back what they asked for and were refused: that they knew before. */
  const withoutOwnWords = (_: string, value: unknown) => {
    const { Actor, Outcome, After, Target, TargetLabel } = (value ?? {}) as Partial<Reply<typeof listJournal>['items'][number]>
    if (Actor !== '13400000005' || Outcome !== 'refused') return value
    // Of its words only those that they wrote: a name beside them would be told.
    const label = [TargetLabel?.zh, TargetLabel?.en].map((text) => text?.replace(Target ?? '', ''))
    return { ...(value as object), Target: '', TargetLabel: label, After: { ...JSON.parse(After ?? '{}'), asked: '' } }
  }

  // Asked for everything, in pages as long as they come.
  const reads = signedIn.filter(({ method, reads }) => method === 'GET' || reads === true)
  sweep('reads nothing about what was not given by any call', named(reads), async (_, call) => {
    const { status, envelope } = await attempt(who.narrow, call, { Size: 200, Text: hidden, GatewayName: hidden })
    expect(status).toBeLessThan(500)
    const text = JSON.stringify(envelope, withoutOwnWords)
    for (const secret of [hidden, '13400000004']) expect(text).not.toContain(secret)
  })
})

const minute = 60_000

describe('a session that was not used for half an hour', () => {
  let old: Session
  beforeAll(async () => {
    old = await sessionOf(all.stack.url, all.stack.admin, now)
    ahead += 29 * minute
    expect((await attempt(old, userInfo)).status).toBe(200)
    ahead += 31 * minute
  })

  sweep('is over for every call', named(signedIn), async (_, call) => {
    // There are more calls than one network may make at once with sessions that there are not.
    ahead += 1_000
    const { status, envelope } = await attempt(old, call)
    expect([status, envelope.Message]).toEqual([401, 'session expired'])
  })
})

test('a session ends after twelve hours, however busy it was', async () => {
  const busy = await sessionOf(all.stack.url, all.stack.admin, now)
  const used: number[] = []
  for (let passed = 0; passed <= 12 * 60; passed += 20) {
    used.push((await attempt(busy, userInfo)).status)
    ahead += 20 * minute
  }
  expect(used.slice(0, -1).every((status) => status === 200)).toBe(true)
  expect((await attempt(busy, userInfo)).envelope.Message).toBe('session expired')
})

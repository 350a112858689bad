import { md5Hex } from '@linewarden/client'
import type { CommandRecord, PermitCondition } from '@linewarden/contract'
import { closePermit, grantControl, lineCommands, operateLine, recordTripCause } from '@linewarden/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { calm, signedIn, startStack } from '../../kit/stack.ts'

// Ten seconds must lie between two operations of a line, so each fact has a line of its own. The clock is ours where time must pass.
let stack: Stack
let ahead = 0

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, clock: () => Date.now() + ahead, fleet: { now: () => Date.now() + ahead } })
})
afterAll(() => stack?.close())

const params = (LineNo: number) => ({ ControllerID: 'A-T1', LineNo })
const operate = (LineNo: number, attr: 'trip' | 'close', CommandID: string = crypto.randomUUID()) =>
  stack.client.call(operateLine, { params: { ...params(LineNo), attr }, body: { CommandID, Reason: 'test' } })
const newest = async (LineNo: number): Promise<CommandRecord | undefined> =>
  (await stack.client.call(lineCommands, { params: params(LineNo), query: {} })).items[0]
const state = (LineNo: number, wanted: CommandRecord['State']) =>
  vi.waitFor(async () => expect((await newest(LineNo))?.State).toBe(wanted), { interval: 50 })
const executed = (LineNo: number) => stack.fleet.executed.filter((each) => each.lineNo === LineNo && each.outcome === 'executed')
const gateway = () => stack.fleet.gatewayOf('A-T1')
const blockReasons = async (LineNo: number) =>
  (await stack.client.call(closePermit, { params: params(LineNo) })).Conditions.filter(({ Met }: PermitCondition) => !Met).map(
    ({ Key }) => Key,
  )
const mayClose = (LineNo: number) => vi.waitFor(async () => expect(await blockReasons(LineNo)).toEqual([]), { interval: 50 })

/** Eleven seconds later, with fresh values from every gateway. */
async function later(): Promise<void> {
  calm(stack)
  ahead += 11_000
  for (const each of stack.fleet.gateways.values()) await each.report()
  await stack.server.ingest.drained()
}

test('a trip is verified by the reported position, and by nothing else', async () => {
  const record = await operate(1, 'trip')
  expect(record.State).not.toBe('verified')
  await state(1, 'verified')
  expect(executed(1)).toHaveLength(1)
  const after = await newest(1)
  expect(after?.VerifiedAt).toBeGreaterThanOrEqual(after?.SentAt ?? Number.NaN)
})

test('closing waits ten seconds after an operation, then closes', async () => {
  expect(await blockReasons(1)).toContain('gap')
  await expect(operate(1, 'close')).rejects.toMatchObject({ message: 'close not permitted' })
  await later()
  await mayClose(1)
  await operate(1, 'close')
  await state(1, 'verified')
  expect(executed(1).map(({ action }) => action)).toEqual(['trip', 'close'])
})

test('a line that is closed cannot be closed, and can be tripped whatever stands against closing', async () => {
  expect(await blockReasons(1)).toContain('position')
  await operate(1, 'trip')
  await state(1, 'verified')
})

test('the same id operates once, however often it is sent', async () => {
  const id = crypto.randomUUID()
  const all = await Promise.all([operate(2, 'trip', id), operate(2, 'trip', id), operate(2, 'trip', id)])
  expect(new Set(all.map(({ CommandID }) => CommandID)).size).toBe(1)
  await state(2, 'verified')
  await operate(2, 'trip', id)
  expect(executed(2)).toHaveLength(1)
})

test('an id that was used for another command is refused', async () => {
  const id = (await newest(2))?.CommandID ?? ''
  await expect(operate(3, 'trip', id)).rejects.toMatchObject({ message: 'command id used' })
  expect(executed(3)).toHaveLength(0)
})

test('of two people who press close at once, one closes and the other is told', async () => {
  await later()
  await mayClose(2)
  const results = await Promise.allSettled([operate(2, 'close'), operate(2, 'close')])
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  await state(2, 'verified')
  expect(executed(2).filter(({ action }) => action === 'close')).toHaveLength(1)
})

test('acknowledged is not done: without a position it ends unknown, and a later position resolves it', async () => {
  gateway().behaviour.move = false
  await operate(3, 'trip')
  await state(3, 'acknowledged')
  ahead += 36_000
  await gateway().report()
  await state(3, 'unknown')
  gateway().behaviour.move = true
  await operate(3, 'trip')
  await vi.waitFor(async () => {
    const { items } = await stack.client.call(lineCommands, { params: params(3), query: {} })
    expect(items.map(({ State }) => State)).toEqual(['verified', 'verified'])
  })
})

test('after a trip by leakage a cause must be recorded before closing', async () => {
  stack.fleet.run('leakageTrip', { controllerId: 'A-T1', lineNo: 4 })
  await vi.waitFor(async () => expect(await blockReasons(4)).toContain('tripCause'))
  // A remote trip afterwards reports its own cause; that explains nothing.
  await operate(4, 'trip')
  await state(4, 'verified')
  await later()
  await vi.waitFor(async () => expect(await blockReasons(4)).toEqual(['tripCause']))
  await expect(operate(4, 'close')).rejects.toMatchObject({
    problem: { failure: { Detail: { blocks: [{ Key: 'tripCause' }] } } },
  })
  await stack.client.call(recordTripCause, { params: params(4), body: { Cause: '设备漏电，已更换' } })
  await mayClose(4)
  await operate(4, 'close')
  await state(4, 'verified')
})

test('the local lock refuses at the gateway even what the server let through', async () => {
  await operate(5, 'trip')
  await state(5, 'verified')
  await later()
  await mayClose(5)
  // Locked on site in this very moment: the server does not know yet.
  const onSite = gateway().line('A-T1', 5)
  onSite.forcedStates.set('lock.local', 'off')
  onSite.localLock = true
  await operate(5, 'close')
  await state(5, 'refused')
  onSite.forcedStates.delete('lock.local')
  expect((await newest(5))?.Outcome).toBe('local_lock')
  expect(executed(5)).toHaveLength(1)
})

test('every reason against closing comes at once', async () => {
  await gateway().report(false)
  await vi.waitFor(async () => expect(await blockReasons(5)).toContain('localLock'))
  gateway().disconnectAbruptly()
  await vi.waitFor(async () => expect(await blockReasons(5)).toContain('online'))
  ahead += 11_000
  expect(await blockReasons(5)).toEqual(expect.arrayContaining(['online', 'fresh', 'localLock']))
})

test('a close for a gateway that is away is refused, and nothing of it comes later', async () => {
  await expect(operate(5, 'close')).rejects.toMatchObject({ message: 'close not permitted' })
  await gateway().reconnect()
  await stack.server.ingest.drained()
  expect(executed(5)).toHaveLength(1)
})

test('a trip for a gateway that is away is carried out when it comes back in time', async () => {
  gateway().disconnectAbruptly()
  await vi.waitFor(async () => expect(await blockReasons(6)).toContain('online'))
  expect((await operate(6, 'trip')).State).toBe('authorised')
  await gateway().reconnect()
  await state(6, 'verified')
  expect(executed(6)).toHaveLength(1)
})

test('a trip whose time has run out is never sent', async () => {
  gateway().disconnectAbruptly()
  await vi.waitFor(async () => expect(await blockReasons(7)).toContain('online'))
  await operate(7, 'trip')
  ahead += 31_000
  await state(7, 'expired')
  await gateway().reconnect()
  await stack.server.ingest.drained()
  expect(executed(7)).toHaveLength(0)
})

test('with a control password every operation needs a grant of its own', async () => {
  const a = [...stack.server.plant.projects.values()].find(({ name }) => name === '项目A')
  const roleId = await stack.server.accounts.createRole({
    number: 'op',
    name: '操作',
    privileges: ['devmon', 'devmon.realtime'],
    buttons: ['lineSwitch'],
  })
  await stack.server.accounts.createAccount({
    userName: 'operator',
    password: 'Duty-7391',
    kind: 'sub',
    roleId,
    projectIds: [a?.id ?? 0],
    controlPassword: 'Ctrl-2580',
  })
  const client = await signedIn(stack.url, { userName: 'operator', password: 'Duty-7391' })
  const trip = (Grant?: string) =>
    client.call(operateLine, {
      params: { ...params(8), attr: 'trip' },
      body: { CommandID: crypto.randomUUID(), Reason: 'x', ...(Grant && { Grant }) },
    })
  const grant = (Operation: string, password = 'Ctrl-2580') =>
    client.call(grantControl, { body: { Password: md5Hex(password), Operation } })
  await expect(trip()).rejects.toMatchObject({ message: 'control grant missing' })
  await expect(grant('trip:A-T1/8', 'wrong')).rejects.toMatchObject({ message: 'control password wrong' })
  const other = await grant('trip:A-T1/1')
  await expect(trip(other.Grant)).rejects.toMatchObject({ message: 'control grant over' })
  const stale = await grant('trip:A-T1/8')
  ahead += 61_000
  await expect(trip(stale.Grant)).rejects.toMatchObject({ message: 'control grant over' })
  const right = await grant('trip:A-T1/8')
  await trip(right.Grant)
  await expect(trip(right.Grant)).rejects.toMatchObject({ message: 'control grant over' })
  expect(executed(8).length).toBeLessThanOrEqual(1)
})

test('five wrong control passwords lock closing', async () => {
  await stack.server.accounts.createAccount({
    userName: 'guesser',
    password: 'Duty-7391',
    kind: 'platform',
    controlPassword: 'Ctrl-2580',
  })
  const client = await signedIn(stack.url, { userName: 'guesser', password: 'Duty-7391' })
  const guess = (password: string) =>
    client.call(grantControl, { body: { Password: md5Hex(password), Operation: 'close:A-T1/1' } }).then(
      () => 'granted',
      (error: Error) => error.message,
    )
  // Nothing entered is no guess.
  for (let i = 0; i < 6; i++) expect(await guess('')).toBe('control grant missing')
  for (let i = 0; i < 4; i++) expect(await guess(`wrong${i}`)).toBe('control password wrong')
  expect(await guess('wrong')).toBe('control locked')
  expect(await guess('Ctrl-2580')).toBe('control locked')
})

test('a shared account operates nothing', async () => {
  const privileges = ['devmon', 'devmon.realtime']
  const roleId = await stack.server.accounts.createRole({ number: 'look', name: '查看', privileges, buttons: ['lineSwitch'] })
  await stack.server.accounts.createAccount({
    userName: 'shared',
    password: 'Look-7391',
    kind: 'shared',
    roleId,
    projectIds: [...stack.server.plant.projects.keys()],
  })
  const client = await signedIn(stack.url, { userName: 'shared', password: 'Look-7391' })
  await expect(
    client.call(operateLine, { params: { ...params(1), attr: 'trip' }, body: { CommandID: crypto.randomUUID(), Reason: 'x' } }),
  ).rejects.toMatchObject({ message: 'access denied' })
  // It reads what was done, and by none of the owner's people.
  const { items } = await client.call(lineCommands, { params: params(1), query: {} })
  expect(new Set(items.map(({ Actor }) => Actor))).toEqual(new Set(['—']))
  expect((await newest(1))?.Actor).toBe('admin')
})

test('fences grow, and nothing was ever executed after its deadline or twice', () => {
  const all = stack.fleet.executed.filter(({ outcome }) => outcome === 'executed')
  expect(all.every(({ at, deadline }) => at <= deadline)).toBe(true)
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
  for (let lineNo = 1; lineNo <= 8; lineNo++) {
    const fences = executed(lineNo).map(({ fence }) => fence)
    expect(fences).toEqual([...fences].sort((a, b) => a - b))
  }
})

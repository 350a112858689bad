import {
  addGateway,
  closePermit,
  deleteGateway,
  gatewayDetails,
  inspect,
  inspections,
  lineCommands,
  lineTags,
  operateLine,
  operationPermits,
  placeTag,
  removeTag,
  snapshot,
  startRun,
  taggedLines,
  tagPhoto,
  transferGateways,
  updateLine,
} from '@linewarden/contract'
import { tagsInForce } from '@linewarden/rules/control'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { jsonGateway } from '../../kit/json-gateway.ts'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { calm, signedIn, startStack } from '../../kit/stack.ts'
import { newGateway } from '../../kit/two-owners.ts'
import { verified } from '../../kit/verified.ts'

// Lock-out / tag-out and the inspection lock, against the whole house.
let stack: Stack
let ahead = 0

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, clock: () => Date.now() + ahead, fleet: { now: () => Date.now() + ahead } })
  calm(stack)
  const role = await stack.server.accounts.createRole({
    number: 'op',
    name: '值班员',
    privileges: ['devmon', 'devmon.realtime'],
    buttons: ['lineSwitch', 'tagLines'],
  })
  for (const userName of ['zhang', 'li'])
    await stack.server.accounts.createAccount({
      userName,
      password: 'Duty-7391',
      kind: 'sub',
      roleId: role,
      projectIds: [...stack.server.plant.projects.values()].filter(({ name }) => name === '项目A').map(({ id }) => id),
    })
})
afterAll(() => stack?.close())

const asUser = (userName: string) => signedIn(stack.url, { userName, password: 'Duty-7391' })
const params = (LineNo: number, ControllerID = 'A-T1') => ({ ControllerID, LineNo })
const operate = (LineNo: number, attr: 'trip' | 'close' | 'selfTest' | 'silence', ControllerID = 'A-T1') =>
  stack.client.call(operateLine, {
    params: { ...params(LineNo, ControllerID), attr },
    body: { CommandID: crypto.randomUUID(), Reason: 'test' },
  })
const settled = (LineNo: number) => verified(stack.client, params(LineNo))
const blockReasons = async (LineNo: number) =>
  (await stack.client.call(closePermit, { params: params(LineNo) })).Conditions.filter(({ Met }) => !Met).map(({ Key }) => Key)
async function later(byMs = 11_000): Promise<void> {
  ahead += byMs
  for (const each of stack.fleet.gateways.values()) await each.report()
  await stack.server.ingest.drained()
}
/** The tags in force on a line as the memory of the server has them, by what they hang on. */
const known = (LineNo: number, ControllerID = 'A-T1') => {
  const line = stack.server.plant.lineAt(ControllerID, LineNo)
  return line ? tagsInForce(line).map(({ on }) => on) : null
}
const audited = async (action: string) =>
  (
    await stack.server.database.general.selectFrom('audit').selectAll().where('action', '=', action).orderBy('audit_id').execute()
  ).map(({ actor, target, outcome }) => `${actor} ${target} ${outcome}`)
// The smallest PNG there is.
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

test('tags of several holders block closing until each has taken off their own; a trip goes through', async () => {
  const [zhang, li] = [await asUser('zhang'), await asUser('li')]
  const [hers, his] = [crypto.randomUUID(), crypto.randomUUID()]
  await zhang.call(placeTag, {
    params: params(1),
    body: { TagID: hers, Kind: 'lock', Reason: '检修电缆头', Photo: { Type: 'image/png', Data: png } },
  })
  await li.call(placeTag, { params: params(1), body: { TagID: his, Kind: 'tag', Reason: '配合检修' } })
  await operate(1, 'trip')
  await settled(1)
  await later()
  await vi.waitFor(async () => expect(await blockReasons(1)).toEqual(['tags']))
  await expect(operate(1, 'close')).rejects.toMatchObject({
    problem: { failure: { Message: 'close not permitted', Detail: { blocks: [{ Key: 'tags' }] } } },
  })
  expect(await outcomeOf(li.call(removeTag, { params: { ...params(1), TagID: hers }, body: {} }))).toBe('tag of another')
  expect(await audited('removeTag')).toEqual(['li A-T1/1 refused'])
  await li.call(removeTag, { params: { ...params(1), TagID: his }, body: {} })
  expect(await blockReasons(1)).toEqual(['tags'])
  expect((await zhang.call(tagPhoto, { params: { ...params(1), TagID: hers } })).Data).toBe(png)
  await zhang.call(removeTag, { params: { ...params(1), TagID: hers }, body: {} })
  expect(await blockReasons(1)).toEqual([])
  const { items } = await zhang.call(lineTags, { params: params(1) })
  expect(items.map(({ Own, RemovedBy }) => [Own, RemovedBy])).toEqual([
    [false, 'li'],
    [true, 'zhang'],
  ])
  await operate(1, 'close')
  await settled(1)
})

test('a tag hangs once however often it is sent, and survives what the memory of the server knows', async () => {
  const TagID = crypto.randomUUID()
  const body = { TagID, Kind: 'tag', Reason: '检修' } as const
  await Promise.all([1, 2, 3].map(() => stack.client.call(placeTag, { params: params(2), body })))
  expect((await stack.client.call(lineTags, { params: params(2) })).items).toHaveLength(1)
  expect(await outcomeOf(stack.client.call(placeTag, { params: params(3), body }))).toBe('tag id used')
  await operate(2, 'trip')
  await settled(2)
  await later()
  // As if another server had hung it: this one has not heard of it.
  const line = stack.server.plant.lineAt('A-T1', 2)
  if (line) line.ownTags = []
  expect(await outcomeOf(operate(2, 'close'))).toBe('close not permitted')
  expect(stack.fleet.executed.filter(({ lineNo, action }) => lineNo === 2 && action === 'close')).toHaveLength(0)
})

test("an administrator takes another's tag off only with a reason, and the log says so", async () => {
  const zhang = await asUser('zhang')
  const TagID = crypto.randomUUID()
  await zhang.call(placeTag, { params: params(4), body: { TagID, Kind: 'lock', Reason: '检修' } })
  const remove = (Reason?: string) =>
    stack.client.call(removeTag, { params: { ...params(4), TagID }, body: Reason === undefined ? {} : { Reason } })
  expect(await outcomeOf(remove())).toBe('tag of another')
  await remove('挂牌人已离职，现场确认无人作业')
  expect(await outcomeOf(remove('再次'))).toBe('tag not exists')
  expect(await audited('tag.removeOfAnother')).toEqual(['admin A-T1/4 done'])
})

test('a photo that is none and an end that is over are refused, and nothing hangs', async () => {
  const body = { TagID: crypto.randomUUID(), Kind: 'tag', Reason: 'x', Photo: { Type: 'image/jpeg', Data: png } } as const
  expect(await outcomeOf(stack.client.call(placeTag, { params: params(5), body }))).toBe('photo malformed')
  // A file of a few bytes that takes gigabytes to show.
  const huge = Buffer.from(png, 'base64')
  huge.writeUInt32BE(30_000, 16)
  const bomb = { ...body, Photo: { Type: 'image/png', Data: huge.toString('base64') } } as const
  expect(await outcomeOf(stack.client.call(placeTag, { params: params(6), body: bomb }))).toBe('photo malformed')
  const refused = stack.server.database.general.selectFrom('audit').selectAll().where('action', '=', 'placeTag')
  const { after } = await refused.where('target', '=', 'A-T1/5').executeTakeFirstOrThrow()
  expect(after).toMatchObject({ why: 'photo malformed', asked: expect.not.stringContaining(png.slice(0, 20)) })
  const past = { TagID: crypto.randomUUID(), Kind: 'tag', Reason: 'x', ExpectedEnd: Date.now() + ahead - 1 } as const
  expect(await outcomeOf(stack.client.call(placeTag, { params: params(5), body: past }))).toBe('expected end past')
  expect((await stack.client.call(lineTags, { params: params(5) })).total).toBe(0)
  // Once hung, the same press again changes nothing, also when the end is over by then.
  const ending = { ...past, TagID: crypto.randomUUID(), ExpectedEnd: Date.now() + ahead + 5_000 }
  const hang = () => stack.client.call(placeTag, { params: params(8), body: ending })
  await hang()
  ahead += 5_001
  expect((await hang()).items).toMatchObject([{ TagID: ending.TagID, ExpectedEnd: ending.ExpectedEnd }])
  await stack.client.call(removeTag, { params: { ...params(8), TagID: ending.TagID }, body: {} })
})

test('an inspection locks every line of the gateway for a minute, from the database', async () => {
  const gateway = stack.server.plant.gatewayByNumber.get('GW-A')
  await operate(6, 'trip')
  await settled(6)
  await later()
  await vi.waitFor(async () => expect(await blockReasons(6)).toEqual([]))
  const begun = await stack.client.call(inspect, { body: { DeviceID: gateway?.id ?? 0 } })
  expect(begun.Until - begun.StartedAt).toBe(60_000)
  expect(await blockReasons(6)).toEqual(['inspection'])
  const line = stack.server.plant.lineAt('A-T1', 6)
  if (line) line.inspectionUntil = null
  expect(await outcomeOf(operate(6, 'close'))).toBe('close not permitted')
  await later(50_000)
  expect(await outcomeOf(operate(6, 'close'))).toBe('close not permitted')
  await later(10_500)
  await operate(6, 'close')
  await settled(6)
  expect((await stack.client.call(inspections, { params: { DeviceID: gateway?.id ?? 0 } })).total).toBe(1)
})

test('an inspection of a device that hangs elsewhere is refused', async () => {
  const gateway = stack.server.plant.gatewayByNumber.get('GW-A')
  const begin = stack.client.call(inspect, { body: { DeviceID: gateway?.id ?? 0, ControllerID: 'B-T1' } })
  expect(await outcomeOf(begin)).toBe('device not exists')
})

test('a tag on the whole gateway stands against everything on every line of it but a trip, and is taken off at any of them', async () => {
  const [zhang, li] = [await asUser('zhang'), await asUser('li')]
  const gateway = stack.server.plant.gatewayByNumber.get('GW-A')
  const TagID = crypto.randomUUID()
  const ExpectedEnd = Date.now() + ahead + 3_600_000
  const body = { TagID, Kind: 'lock', On: 'gateway', Reason: '更换进线开关', ExpectedEnd } as const
  await zhang.call(placeTag, { params: params(7), body })
  // The same press again hangs no second one, and its id hangs nothing elsewhere.
  await zhang.call(placeTag, { params: params(7), body })
  for (const On of ['line', 'device'] as const)
    expect(await outcomeOf(zhang.call(placeTag, { params: params(7), body: { ...body, On } }))).toBe('tag id used')
  expect((await stack.client.call(lineTags, { params: params(5) })).items).toMatchObject([
    { TagID, On: 'gateway', Holder: 'zhang', ExpectedEnd, Own: false, RemovedAt: null },
  ])
  for (const each of [3, 5]) {
    await operate(each, 'trip')
    await settled(each)
  }
  await later()
  for (const each of [3, 5]) await vi.waitFor(async () => expect(await blockReasons(each)).toEqual(['tags']))
  const closing = { Action: 'close' as const, Lines: [params(3), params(5)] }
  const [first] = (await stack.client.call(operationPermits, { body: closing })).items[0]?.Unmet ?? []
  expect(first?.Why?.zh).toBe('已挂牌：zhang（整个网关：更换进线开关）')
  const operation = { body: { ...closing, RunID: crypto.randomUUID(), Reason: 'test' } }
  expect(await outcomeOf(stack.client.call(startRun, operation))).toBe('close not permitted')
  const setting = {
    ...params(8),
    Settings: [{ Key: 'leakage.trip', Value: 120 }],
    CommandID: crypto.randomUUID(),
    Reason: '整定',
  }
  expect(await outcomeOf(stack.client.call(updateLine, { body: setting }))).toBe('operation not permitted')
  const deviceTag = crypto.randomUUID()
  const ofDevice = { TagID: deviceTag, Kind: 'tag', On: 'device', Reason: '更换母排' } as const
  await zhang.call(placeTag, { params: params(7), body: ofDevice })
  // As if another server had hung them: this one has not heard of it, and learns it for all that is behind them at once.
  const device = stack.server.plant.deviceByControllerId.get('A-T1')
  if (gateway) gateway.ownTags = []
  if (device) device.ownTags = []
  expect(await outcomeOf(operate(3, 'close'))).toBe('close not permitted')
  expect([gateway?.ownTags, device?.ownTags]).toMatchObject([[{ id: TagID }], [{ id: deviceTag }]])
  expect(known(5)).toEqual(['gateway', 'device'])
  await zhang.call(removeTag, { params: { ...params(5), TagID: deviceTag }, body: {} })
  expect(known(3)).toEqual(['gateway'])
  const refused = await stack.client.call(deleteGateway, { body: { DeviceID: gateway?.id ?? 0 } }).catch((error) => error)
  expect(refused).toMatchObject({ problem: { failure: { Message: 'gateway tagged' } } })
  // The other hangs on line 2 since before.
  expect(refused.problem.failure.Text.zh).toContain('admin（A-T1/2）、zhang（GW-A）')
  const [here, there] = ['项目A', '项目B'].map(
    (name) => [...stack.server.plant.projects.values()].find((each) => each.name === name)?.id ?? 0,
  )
  // With the one that hangs on line 2.
  const counted = async () => (await stack.client.call(gatewayDetails, { params: { DeviceID: gateway?.id ?? 0 } })).Tags
  expect(await counted()).toBe(2)
  for (const HouseID of [there, here]) {
    await stack.client.call(transferGateways, { body: { DeviceIDs: [gateway?.id ?? 0], HouseID: HouseID ?? 0 } })
    expect(await blockReasons(3)).toContain('tags')
    expect(known(3)).toEqual(['gateway'])
  }
  expect(await outcomeOf(li.call(removeTag, { params: { ...params(3), TagID }, body: {} }))).toBe('tag of another')
  expect(await outcomeOf(stack.client.call(removeTag, { params: { ...params(1, 'B-T1'), TagID }, body: {} }))).toBe(
    'tag not exists',
  )
  await zhang.call(removeTag, { params: { ...params(3), TagID }, body: {} })
  for (const each of [3, 5]) expect(await blockReasons(each)).not.toContain('tags')
  expect(await counted()).toBe(1)
  // As the dialog counts: a detector has no line.
  const hungInLog = stack.server.database.general.selectFrom('audit').select('after').where('action', '=', 'gateway.placeTag')
  expect(await hungInLog.executeTakeFirstOrThrow()).toMatchObject({
    after: {
      devices: gateway?.devices.size,
      lines: [...stack.server.plant.lines.values()].filter(({ device, lineNo }) => device.gateway === gateway && lineNo > 0)
        .length,
    },
  })
  expect([await audited('gateway.placeTag'), await audited('gateway.removeTag')]).toEqual([
    ['zhang GW-A done'],
    ['zhang GW-A done'],
  ])
})

test('a line that is born behind a tag is tagged from its first moment', async () => {
  const HouseID = [...stack.server.plant.projects.values()].find(({ name }) => name === '项目A')?.id ?? 0
  const { Secret } = await stack.client.call(addGateway, { body: { HouseID, ...newGateway('GW-J'), Platform: 'json' } })
  const own = await jsonGateway(stack.server.mqttPort, 'GW-J', Secret)
  const device = (id: string, ...lines: readonly number[]) => ({
    id,
    values: { 'info/model': '1PN', ...Object.fromEntries(lines.map((each) => [`${each}/position`, 'open'])) },
  })
  await own.publish('birth', { devices: [device('J-1', 1), device('J-2', 1)] })
  await stack.server.ingest.drained()
  const hang = (ControllerID: string, On: 'device' | 'gateway') =>
    stack.client.call(placeTag, {
      params: params(1, ControllerID),
      body: { TagID: crypto.randomUUID(), Kind: 'tag', On, Reason: On },
    })
  await hang('J-2', 'device')
  const born = [params(2, 'J-1'), params(2, 'J-2'), params(1, 'J-3')]
  await own.publish('birth', { devices: [device('J-1', 1, 2), device('J-2', 1, 2), device('J-3', 1)] })
  await stack.server.ingest.drained()
  const tagsThere = async () => {
    const { items } = await stack.client.call(operationPermits, { body: { Action: 'close', Lines: born } })
    return items.map(({ Unmet }) => Unmet.find(({ Key }) => Key === 'tags')?.Why?.zh ?? null)
  }
  expect(await tagsThere()).toEqual([null, '已挂牌：admin（整台设备：device）', null])
  expect([known(2, 'J-1'), known(2, 'J-2'), known(1, 'J-3')]).toEqual([[], ['device'], []])
  await hang('J-1', 'gateway')
  await own.publish('birth', { devices: [device('J-1', 1, 2, 3), device('J-2', 1, 2), device('J-3', 1)] })
  await stack.server.ingest.drained()
  born.push(params(3, 'J-1'))
  const [gatewayTag, both] = [
    '已挂牌：admin（整个网关：gateway）',
    '已挂牌：admin（整台设备：device）、admin（整个网关：gateway）',
  ]
  expect(await tagsThere()).toEqual([gatewayTag, both, gatewayTag, gatewayTag])
  expect(born.map(({ LineNo, ControllerID }) => known(LineNo, ControllerID))).toEqual([
    ['gateway'],
    ['device', 'gateway'],
    ['gateway'],
    ['gateway'],
  ])
  own.end()
})

test('who does not see the project can neither tag nor inspect it, and the attempt is in the log', async () => {
  const zhang = await asUser('zhang')
  const body = { TagID: crypto.randomUUID(), Kind: 'tag', Reason: 'x' } as const
  for (const On of ['line', 'device', 'gateway'] as const)
    expect(await outcomeOf(zhang.call(placeTag, { params: params(1, 'B-T1'), body: { ...body, On } }))).toBe('device not exists')
  const gateway = stack.server.plant.gatewayByNumber.get('GW-B')
  expect(await outcomeOf(zhang.call(inspect, { body: { DeviceID: gateway?.id ?? 0 } }))).toBe('gateway not exists')
  expect([gateway?.ownTags, stack.server.plant.lineAt('B-T1', 1)?.ownTags]).toEqual([[], []])
  expect((await audited('placeTag')).at(-1)).toBe('zhang B-T1/1 refused')
  expect((await audited('inspect')).at(-1)).toBe(`zhang ${gateway?.id} refused`)
})

test('a sounder is silenced while it sounds, and the quiet sounder proves it; without an alarm there is nothing to silence', async () => {
  expect(await outcomeOf(operate(0, 'silence', 'A-Y1'))).toBe('silence not possible')
  const detector = stack.fleet.gatewayOf('A-Y1').detector('A-Y1')
  detector.states.set('sounder', 'sounding')
  await stack.fleet.gatewayOf('A-Y1').report()
  await stack.server.ingest.drained()
  await operate(0, 'silence', 'A-Y1')
  await vi.waitFor(async () => {
    const { items } = await stack.client.call(lineCommands, { params: params(0, 'A-Y1'), query: {} })
    expect(items[0]).toMatchObject({ Action: 'silence', State: 'verified' })
  })
  expect(await outcomeOf(operate(0, 'trip', 'A-Y1'))).toBe('action unknown')
})

test('every line that a tag is in force on is published at once with the count of its tags, and no name', async () => {
  const client = await asUser('li')
  const device = stack.server.plant.deviceByControllerId.get('A-T1')
  const lineNos = [...(device?.lines.keys() ?? [])]
  const notified: number[] = []
  const unsubscribe = stack.server.hub.subscribe(({ live, lines = [] }) => {
    if (live?.some(({ message }) => 't' in message && message.t === 'tags')) notified.push(...lines.map(({ lineNo }) => lineNo))
  })
  const counts = async () =>
    (await client.call(snapshot, { query: {} })).items
      .filter(({ LineID }) => stack.server.plant.lines.get(LineID)?.device === device)
      .map(({ Tags }) => Tags)
  const before = await counts()
  const [onLine, onDevice] = [crypto.randomUUID(), crypto.randomUUID()]
  await client.call(placeTag, { params: params(1), body: { TagID: onLine, Kind: 'tag', Reason: '检修' } })
  expect(notified.splice(0)).toEqual([1])
  await client.call(placeTag, { params: params(2), body: { TagID: onDevice, Kind: 'lock', On: 'device', Reason: '检修' } })
  expect(notified.splice(0)).toEqual(lineNos)
  expect(await counts()).toEqual(before.map((count, at) => count + (lineNos[at] === 1 ? 2 : 1)))
  // Any page learns of it, of lines that its reader sees alone.
  const elsewhere = { params: { ...params(1, 'B-T1'), TagID: crypto.randomUUID() } }
  const body = { TagID: elsewhere.params.TagID, Kind: 'tag', Reason: '检修' } as const
  await stack.client.call(placeTag, { params: params(1, 'B-T1'), body })
  const seen = (await client.call(snapshot, { query: {} })).items.flatMap(({ LineID, Tags }) =>
    Tags > 0 ? { LineID, Tags } : [],
  )
  const { items, total } = await client.call(taggedLines)
  expect([items.map(({ HouseID: _, ...each }) => each), total]).toEqual([seen, seen.length])
  await stack.client.call(removeTag, { ...elsewhere, body: {} })
  for (const TagID of [onLine, onDevice]) await client.call(removeTag, { params: { ...params(1), TagID }, body: {} })
  expect(await counts()).toEqual(before)
  unsubscribe()
})

test('hanging a tag is a right of its own: without it nobody hangs one, with nothing else nobody switches', async () => {
  const account = async (userName: string, buttons: string[]) => {
    const roleId = await stack.server.accounts.createRole({
      number: userName,
      name: userName,
      privileges: ['devmon', 'devmon.realtime'],
      buttons,
    })
    const projectIds = [...stack.server.plant.projects.values()].filter(({ name }) => name === '项目A').map(({ id }) => id)
    await stack.server.accounts.createAccount({ userName, password: 'Duty-7391', kind: 'sub', roleId, projectIds })
    return asUser(userName)
  }
  const switching = await account('switching', ['lineSwitch'])
  const tagging = await account('tagging', ['tagLines'])
  const body = { TagID: crypto.randomUUID(), Kind: 'tag', Reason: '检修' } as const
  expect(await outcomeOf(switching.call(placeTag, { params: params(4), body }))).toBe('access denied')
  expect(known(4)).toEqual([])
  await tagging.call(placeTag, { params: params(4), body })
  expect(known(4)).toEqual(['line'])
  const order = { CommandID: crypto.randomUUID(), Reason: 'test' }
  expect(await outcomeOf(tagging.call(operateLine, { params: { ...params(4), attr: 'trip' }, body: order }))).toBe(
    'access denied',
  )
  await tagging.call(removeTag, { params: { ...params(4), TagID: body.TagID }, body: {} })
  expect(known(4)).toEqual([])
})

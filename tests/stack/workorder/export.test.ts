import type { Request } from '@linewarden/contract'
import { exportWorkOrders, processWorkOrder, queryWorkOrders, Refusal } from '@linewarden/contract'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOrderExport } from '../../../apps/server/src/areas/workorder/order-export.ts'
import { Downloads } from '../../../apps/server/src/http/downloads.ts'
import { columnOf, fileOf, rowsOf } from '../../kit/exported.ts'
import type { OrderPerson } from '../../kit/order-house.ts'
import { act, OrderHouse } from '../../kit/order-house.ts'
import { outcomeOf } from '../../kit/refused.ts'

// Work orders as a file: what the list has, for whom it has it, and written into the log.
let house: OrderHouse
let founder: OrderPerson
let electrician: OrderPerson
const formula = "=cmd|' /C calc'!A0"

beforeAll(async () => {
  house = await OrderHouse.start({ fleet: { ticking: false } })
  founder = await house.person('周敏')
  electrician = await house.person('王海峰')
  await house.made(founder, electrician, {
    ...{ Title: formula, Description: '@先停电\n再查漏电', Priority: 'high', ControllerID: 'A-T1', LineNo: 2 },
  })
  await house.made(founder, founder, { Title: '换接头, 3 只', Priority: 'low', Type: 'inspection' })
  await house.made(founder, electrician, { Title: '查漏电', Dispatch: false, ControllerID: 'A-T1', LineNo: 3 })
  const order = await house.made(founder, electrician, { Title: '紧固', Priority: 'critical' })
  const done = { Cause: '-松动', Done: '紧固后复测', LabourMin: 45 }
  await electrician.client.call(processWorkOrder, { body: { ...act(order), ...done } })
})
afterAll(() => house?.stack.close())

type Wanted = Request<typeof exportWorkOrders>['body']
const prepare = ({ client }: OrderPerson, asked: Partial<Wanted> = {}) =>
  client.call(exportWorkOrders, { body: { Format: 'csv', Language: 'CN', ...asked } })
const rows = (person: OrderPerson, asked: Partial<Wanted> = {}) => rowsOf(house.stack.url, prepare(person, asked))
const numbers = async (person: OrderPerson, asked: Partial<Wanted> = {}) => columnOf(await rows(person, asked), '编号')
const listed = async ({ client }: OrderPerson, asked: Request<typeof queryWorkOrders>['body'] = {}) =>
  (await client.call(queryWorkOrders, { body: { Size: 200, ...asked } })).items
const audited = () =>
  house.stack.server.database.general
    .selectFrom('audit')
    .select(['actor', 'subject_kind', 'subject_id', 'after', 'outcome'])
    .where('action', '=', 'workOrder.export')
    .orderBy('audit_id')
    .execute()

describe('a file of orders', () => {
  test('has the orders of the list, in its order, whatever it is filtered and sorted by', async () => {
    const lineId = house.stack.server.plant.lineAt('A-T1', 2)?.id ?? 0
    const asked: readonly Request<typeof queryWorkOrders>['body'][] = [
      {},
      ...(['Clock', '-Clock', 'Number', '-Priority', 'CreatedAt', '-Status'] as const).map((Sort) => ({ Sort })),
      ...[{ Status: 'processed' }, { View: 'mine' }, { View: 'undispatched' }, { Type: 'inspection' }, { Priority: 'low' }],
      ...[{ PersonID: electrician.id }, { Text: '漏电' }, { Text: formula }, { HouseID: house.houseOf() }, { LineID: lineId }],
      ...[{ ControllerID: 'A-T1' }, { DeviceID: house.gatewayOf() }, { DeviceID: house.gatewayOf('B') }],
    ] as const
    expect(await listed(electrician)).toHaveLength(4)
    for (const each of asked) {
      const found = (await listed(electrician, each)).map(({ Number: number }) => number)
      expect([each, await numbers(electrician, each)]).toEqual([each, found])
    }
  })

  test('says of each what its page says, in the reader’s words and by the clock of the project', async () => {
    const [order] = await listed(founder, { Status: 'processed' })
    const chinese = await rows(founder, { Status: 'processed' })
    const cell = (head: string) => columnOf(chinese, head)[0]
    const local = (at: number | null | undefined) =>
      new Date((at ?? 0) + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
    expect(chinese[0]?.[0]).toBe('建单时间 (Asia/Shanghai)')
    expect(cell('建单时间 (Asia/Shanghai)')).toContain(local(order?.CreatedAt))
    expect(cell('处理时间')).toBe(local(order?.DealTime))
    const people = [cell('状态'), cell('优先级'), cell('负责人'), cell('建单人'), cell('处理人')]
    expect(people).toEqual(['已派发已处理', '紧急', '王海峰', '周敏', '王海峰'])
    const work = [cell('处理措施'), cell('工时（分钟）'), cell('验收时间'), cell('验证')]
    expect(work).toEqual(['紧固后复测', '45', '', '由验收人判断'])
    const english = await rows(founder, { Status: 'processed', Language: 'EN' })
    expect(columnOf(english, 'Status')).toEqual(['Dispatched and processed'])
    expect(columnOf(english, 'Verification')).toEqual(['For whoever accepts it to check'])
    const { FileName } = await prepare(founder, { Language: 'EN', Format: 'xlsx' })
    expect(FileName).toMatch(/^work-orders-\d{12}\.xlsx$/)
  })

  test('runs nothing in a spreadsheet, whatever people wrote', async () => {
    const [heads, ...cells] = await rows(electrician)
    expect(cells).toHaveLength(4)
    for (const row of cells) expect(row).toHaveLength(heads?.length ?? 0)
    expect(cells.flat().filter((cell) => /^[=+\-@\t\r\n]/.test(cell))).toEqual([])
    const found = await rows(electrician, { Text: formula })
    expect(columnOf(found, '标题')).toEqual([`'${formula}`])
    expect(columnOf(found, '描述')).toEqual(["'@先停电\n再查漏电"])
    const workbook = unzipSync(new Uint8Array(await fileOf(house.stack.url, prepare(electrician, { Format: 'xlsx' }))))
    const sheet = new TextDecoder().decode(workbook['xl/worksheets/sheet1.xml'])
    expect(sheet.match(/<row>/g)).toHaveLength(5)
    expect(sheet).toContain(`>'${formula}<`)
    expect(sheet).not.toContain('<f>')
  })
})

describe('who may', () => {
  test('have it made: whoever has the page, of the places that they see', async () => {
    const guest = await house.person('访客', { kind: 'shared' })
    const reader = await house.person('只看', { privileges: ['devmon', 'devmon.realtime'] })
    const beside = await house.person('别项目', { projects: [house.houseOf('B')] })
    expect([await outcomeOf(prepare(guest)), await outcomeOf(prepare(reader))]).toEqual(['access denied', 'access denied'])
    expect(await outcomeOf(prepare(beside, { HouseID: house.houseOf() }))).toBe('project not exists')
    expect(await numbers(beside)).toEqual([])
  })

  test('of one gateway: its orders, and none of the project as a whole', async () => {
    const narrow = await house.person('电工', { projects: [] })
    await house.stack.server.database.general
      .insertInto('account_gateway')
      .values({ account_id: narrow.id, gateway_id: house.gatewayOf() })
      .execute()
    const own = await listed(narrow)
    expect(own.map(({ LineNo }) => LineNo).toSorted()).toEqual([2, 3])
    expect(await numbers(narrow)).toEqual(own.map(({ Number: number }) => number))
    expect(await numbers(narrow, { HouseID: house.houseOf() })).toEqual(own.map(({ Number: number }) => number))
  })
})

test('who had it made stands in the log, with what it has; who was refused it took nothing out', async () => {
  const before = (await audited()).length
  const taker = await house.person('导出')
  const HouseID = house.houseOf()
  await prepare(taker, { HouseID, Status: 'processed', Text: '紧固' })
  await prepare(taker, { Format: 'xlsx' })
  expect(await outcomeOf(prepare(taker))).toBe('too many downloads')
  const common = { actor: taker.userName, outcome: 'done' }
  const entries = (await audited()).slice(before)
  expect(entries).toEqual([
    {
      ...{ ...common, subject_kind: 'project', subject_id: String(HouseID) },
      after: { rows: 1, format: 'csv', filter: { HouseID, Status: 'processed' } },
    },
    { ...{ ...common, subject_kind: 'nothing', subject_id: '' }, after: { rows: 4, format: 'xlsx', filter: {} } },
  ])
})

test('more orders than go into a file are refused, with what to do', async () => {
  const { database, plant, accounts } = house.stack.server
  const actor = await accounts.actorOf(founder.id, '', '', null)
  if (!actor) throw new Error('whoever wrote the orders has an account')
  const clock = () => house.now
  const asked = { Format: 'csv', Language: 'CN', HouseID: house.houseOf() } as const
  const count = (await listed(founder, { HouseID: asked.HouseID })).length
  const limitedTo = (most: number) => {
    const unread = { records: () => Promise.reject(new Error('no row is made before the file is fetched')) }
    const files = createOrderExport({ database, plant, clock, downloads: new Downloads(clock) }, unread, most)
    return files.exportOrders(actor, plant.projects.get(asked.HouseID) ?? null, asked)
  }
  await expect(limitedTo(count - 1)).rejects.toEqual(new Refusal('too many work orders', { most: count - 1 }))
  expect(await limitedTo(count)).toHaveProperty('Ticket')
})

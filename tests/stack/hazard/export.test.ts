import type { Request } from '@linewarden/contract'
import { acceptHazard, exportHazards, queryHazards, Refusal } from '@linewarden/contract'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createHazardExport } from '../../../apps/server/src/areas/hazard/hazard-export.ts'
import { Downloads } from '../../../apps/server/src/http/downloads.ts'
import { columnOf, fileOf, rowsOf } from '../../kit/exported.ts'
import type { OrderPerson } from '../../kit/order-house.ts'
import { OrderHouse } from '../../kit/order-house.ts'
import { raiseEvents } from '../../kit/raised-events.ts'
import { raiseFindings } from '../../kit/raised-findings.ts'
import { outcomeOf } from '../../kit/refused.ts'

// Hazards as a file: what the list has, for whom it has it, and written into the log.
const [hour, day] = [3_600_000, 86_400_000]
let house: OrderHouse
let founder: OrderPerson
let administrator: OrderPerson
/** Until this day one of them is run with. */
let untilDay: string

beforeAll(async () => {
  house = await OrderHouse.start({ fleet: { ticking: false } })
  founder = await house.person('周敏')
  administrator = await house.administrator()
  await raiseFindings(
    house.stack,
    [1, 2, 3].map((lineNo) => ({ lineNo, key: 'contact', level: 'warning' as const, raisedAt: house.now - hour })),
  )
  await house.hazardsLater()
  const label = { zh: '=短路', en: '=Short' }
  const [EventID = ''] = await raiseEvents(house.stack, [{ lineNo: 4, label, priority: 'critical', raisedAt: house.now - hour }])
  await house.made(founder, founder, { EventID })
  const [accepted] = (await founder.client.call(queryHazards, { body: { LineID: lineId(3) } })).items
  // The projects stand in Shanghai.
  untilDay = new Date(house.now + 8 * hour + 3 * day).toISOString().slice(0, 10)
  await administrator.client.call(acceptHazard, {
    body: {
      ...{ HazardID: accepted?.HazardID ?? 0, Version: accepted?.Version ?? 0, ActID: crypto.randomUUID() },
      ...{ UntilDay: untilDay, Reason: '备件下周到' },
    },
  })
})
afterAll(() => house?.stack.close())

const lineId = (lineNo: number) => house.stack.server.plant.lineAt('A-T1', lineNo)?.id ?? 0

type Wanted = Request<typeof exportHazards>['body']
const prepare = ({ client }: OrderPerson, asked: Partial<Wanted> = {}) =>
  client.call(exportHazards, { body: { Format: 'csv', Language: 'CN', ...asked } })
const rows = (person: OrderPerson, asked: Partial<Wanted> = {}) => rowsOf(house.stack.url, prepare(person, asked))
const ids = async (person: OrderPerson, asked: Partial<Wanted> = {}) => columnOf(await rows(person, asked), '编号').map(Number)
const listed = async ({ client }: OrderPerson, asked: Request<typeof queryHazards>['body'] = {}) =>
  (await client.call(queryHazards, { body: { Size: 200, ...asked } })).items

describe('a file of hazards', () => {
  test('has the hazards of the list, in its order, whatever it is filtered by', async () => {
    const asked: readonly Request<typeof queryHazards>['body'][] = [
      ...[{}, { State: 'there' }, { State: 'accepted' }, { State: 'gone' }, { Level: 'critical' }, { Source: 'finding' }],
      ...[
        { Text: 'a线2' },
        { Text: '短路' },
        { LineID: lineId(1) },
        { ControllerID: 'A-T1' },
        { DeviceID: house.gatewayOf('B') },
      ],
      { HouseID: house.houseOf(), State: 'ordered' },
    ] as const
    expect(await listed(founder)).toHaveLength(4)
    for (const each of asked) {
      const found = (await listed(founder, each)).map(({ HazardID }) => HazardID)
      expect([each, await ids(founder, each)]).toEqual([each, found])
    }
  })

  test('says of each what its page says, in the reader’s words and by the clock of the project', async () => {
    const file = await rows(founder, { State: 'accepted' })
    const cell = (head: string) => columnOf(file, head)[0]
    expect(file[0]?.[0]).toBe('首次发现 (Asia/Shanghai)')
    expect([cell('状态'), cell('来源'), cell('线路'), cell('次数'), cell('工单')]).toEqual(['带病运行', '预警', 'A线3', '1', ''])
    // All of that day.
    const dayAfter = new Date(Date.parse(untilDay) + day).toISOString().slice(0, 10)
    expect(cell('带病运行至')).toBe(`${dayAfter} 00:00:00`)
    const english = await rows(founder, { Level: 'critical', Language: 'EN' })
    const [{ Order } = { Order: null }] = await listed(founder, { Level: 'critical' })
    const shown = ['Level', 'Status', 'Work order', 'Status of the order'].map((head) => columnOf(english, head)[0])
    expect(shown).toEqual(['Critical', 'Being dealt with', Order?.Number, 'Dispatched, not processed'])
  })

  test('runs nothing in a spreadsheet, whatever alarms are called', async () => {
    const found = await rows(founder)
    expect(found.flat().filter((cell) => /^[=+\-@\t\r\n]/.test(cell))).toEqual([])
    expect(columnOf(found, '隐患')).toContain("'=短路")
    const workbook = unzipSync(new Uint8Array(await fileOf(house.stack.url, prepare(founder, { Format: 'xlsx' }))))
    const sheet = new TextDecoder().decode(workbook['xl/worksheets/sheet1.xml'])
    expect(sheet.match(/<row>/g)).toHaveLength(5)
    expect(sheet).toContain(">'=短路<")
  })
})

test('whoever has the page has it made, of the places that they see', async () => {
  const guest = await house.person('访客', { kind: 'shared' })
  const reader = await house.person('只看', { privileges: ['devmon', 'devmon.realtime'] })
  const beside = await house.person('别项目', { projects: [house.houseOf('B')] })
  expect([await outcomeOf(prepare(guest)), await outcomeOf(prepare(reader))]).toEqual(['access denied', 'access denied'])
  expect(await outcomeOf(prepare(beside, { HouseID: house.houseOf() }))).toBe('project not exists')
  expect(await ids(beside)).toEqual([])
})

test('who had it made stands in the log, with what it has', async () => {
  const taker = await house.person('导出')
  const HouseID = house.houseOf()
  await prepare(taker, { HouseID, State: 'accepted', Text: '接点' })
  const entries = await house.stack.server.database.general
    .selectFrom('audit')
    .select(['subject_kind', 'subject_id', 'after', 'outcome'])
    .where('action', '=', 'hazard.export')
    .where('actor', '=', taker.userName)
    .execute()
  const found = (await listed(taker, { HouseID, State: 'accepted', Text: '接点' })).length
  expect(entries).toEqual([
    {
      ...{ subject_kind: 'project', subject_id: String(HouseID), outcome: 'done' },
      after: { rows: found, format: 'csv', filter: { HouseID, State: 'accepted' } },
    },
  ])
})

test('more hazards than go into a file are refused, with what to do', async () => {
  const { database, plant, accounts } = house.stack.server
  const actor = await accounts.actorOf(founder.id, '', '', null)
  if (!actor) throw new Error('whoever reads the hazards has an account')
  const clock = () => house.now
  const asked = { Format: 'csv', Language: 'CN', HouseID: house.houseOf() } as const
  const count = (await listed(founder, { HouseID: asked.HouseID })).length
  const unread = () => {
    throw new Error('no row is made before the file is fetched')
  }
  const limitedTo = (most: number) => {
    const deps = { database, plant, clock, downloads: new Downloads(clock) }
    const files = createHazardExport(deps, { sees: unread, record: unread }, most)
    return files.exportHazards(actor, plant.projects.get(asked.HouseID) ?? null, asked)
  }
  await expect(limitedTo(count - 1)).rejects.toEqual(new Refusal('too many hazards', { most: count - 1 }))
  expect(await limitedTo(count)).toHaveProperty('Ticket')
})

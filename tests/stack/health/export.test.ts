import type { Reply, Request } from '@linewarden/contract'
import { exportHealthCheckLines, getHealthCheck, listHealthCheckLines, startHealthCheck } from '@linewarden/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { columnOf, fileOf, rowsOf } from '../../kit/exported.ts'
import { soundLines, storeHealthPast } from '../../kit/health-past.ts'
import type { OrderPerson } from '../../kit/order-house.ts'
import { OrderHouse } from '../../kit/order-house.ts'
import { outcomeOf } from '../../kit/refused.ts'

// A health check as a file: its lines as the list has them and as they were found, for whoever sees it.
let house: OrderHouse
let manager: OrderPerson
let check: Reply<typeof getHealthCheck>['Check']
const privileges = ['hazard', 'hazard.devTest']
const formula = '=1+1'

beforeAll(async () => {
  house = await OrderHouse.start()
  manager = await house.person('周敏', { privileges })
  const { plant, database } = house.stack.server
  const own = [...plant.lines.values()].filter(({ device }) => device.gateway.id === house.gatewayOf('A'))
  soundLines(own, house.now)
  const client = await database.connect()
  await storeHealthPast(client, { lineIds: own.map(({ id }) => id), now: house.now }).finally(() => client.end())
  line(3).reported.set('overvoltage', 266)
  line(4).name = formula
  const { TestID } = await manager.client.call(startHealthCheck, { body: { HouseID: house.houseOf() } })
  check = await vi.waitFor(async () => {
    const { Check } = await manager.client.call(getHealthCheck, { params: { TestID } })
    expect(Check.State).toBe('done')
    return Check
  })
  line(4).name = 'A线4'
})
afterAll(() => house?.stack.close())

const line = (lineNo: number) => {
  const found = house.stack.server.plant.lineAt('A-T1', lineNo)
  if (!found) throw new Error('the plan has the line')
  return found
}

type Wanted = Request<typeof exportHealthCheckLines>['body']
const prepare = ({ client }: OrderPerson, asked: Partial<Wanted> = {}) =>
  client.call(exportHealthCheckLines, { body: { TestID: check.TestID, Format: 'csv', Language: 'CN', ...asked } })
const rows = (person: OrderPerson, asked: Partial<Wanted> = {}) => rowsOf(house.stack.url, prepare(person, asked))
const listed = async ({ client }: OrderPerson, asked: Partial<Request<typeof listHealthCheckLines>['body']> = {}) =>
  (await client.call(listHealthCheckLines, { body: { TestID: check.TestID, Size: 200, ...asked } })).items

describe('a file of a health check', () => {
  test('has the lines of the list, the worst first, whatever it is filtered by', async () => {
    const [band, none, category] = [{ Band: 'good' }, { Band: 'none' }, { Category: 'protection' }] as const
    const asked = [{}, band, none, category, { Text: '线3' }, { Text: formula }, { Text: 'B柜' }]
    expect(await listed(manager)).toHaveLength(9)
    for (const each of asked) {
      const found = await listed(manager, each)
      const file = await rows(manager, each)
      expect([each, columnOf(file, '线路号').map(Number)]).toEqual([each, found.map(({ LineNo }) => LineNo)])
      expect(columnOf(file, '得分')).toEqual(found.map(({ Score }) => (Score === null ? '' : String(Score))))
    }
  })

  test('says what each line lost its points by, and leaves empty what such equipment has not', async () => {
    const file = await rows(manager, { Text: '线3' })
    const cell = (head: string) => columnOf(file, head)[0]
    expect(file[0]?.[0]).toBe('体检时间 (Asia/Shanghai)')
    const shown = [cell('体检编号'), cell('项目'), cell('网关'), cell('线路'), cell('得分'), cell('等级')]
    expect(shown).toEqual([check.Number, '项目A', 'A柜', 'A线3', '92', '良好'])
    expect([cell('扣分：保护'), cell('扣分：漏电'), cell('扣分：电池')]).toEqual(['8', '0', ''])
    expect(cell('扣分明细')).toBe('过压保护 266 V，应在 235–265 V（型号 3PN） −8')
    const whole = await rows(manager, { Language: 'EN' })
    const detector = columnOf(whole, 'Line number').indexOf('0')
    expect(columnOf(whole, 'Points lost: Protection')[detector]).toBe('')
    expect(columnOf(whole, 'Points lost: Online and signal')[detector]).toMatch(/^\d+$/)
  })

  test('is the same for ever, and runs nothing in a spreadsheet', async () => {
    const before = (await fileOf(house.stack.url, prepare(manager))).toString()
    line(3).reported.set('overvoltage', 265)
    line(3).name = '改了名'
    expect((await fileOf(house.stack.url, prepare(manager))).toString()).toBe(before)
    line(3).name = 'A线3'
    expect(before).toContain(`"'${formula}"`)
    const { FileName } = await prepare(manager, { Language: 'EN', Format: 'xlsx' })
    expect(FileName).toMatch(new RegExp(`^health-check-${check.Number}-\\d{12}\\.xlsx$`))
  })

  test('of a check that came to nothing there is none', async () => {
    const { test_id: TestID } = await house.stack.server.database.general
      .insertInto('health_check')
      .values({
        ...{ project_id: house.houseOf(), project_name: '项目A', rule_version: 'x', number: 'T202601-0001' },
        state: 'cancelled',
        ...{ started_at: new Date(house.now), ended_at: new Date(house.now), time_zone: 'UTC', from_day: 1, to_day: 2, lines: 9 },
        ...{ gateway_id: null, line_id: null, gateway_name: null, actor: null, due_at: null, before_id: null, result: null },
      })
      .returning('test_id')
      .executeTakeFirstOrThrow()
    expect(await outcomeOf(prepare(manager, { TestID }))).toBe('exam without result')
  })
})

test('whoever has the page and sees the check has it made; it names nobody', async () => {
  const beside = await house.person('旁', { privileges, projects: [house.houseOf('B')] })
  const reader = await house.person('看', { privileges: ['devmon', 'devmon.realtime'] })
  const guest = await house.person('访客', { kind: 'shared', privileges })
  expect(await outcomeOf(prepare(beside))).toBe('health check not exists')
  expect(await outcomeOf(prepare(reader))).toBe('access denied')
  const shown = (await rows(guest)).flat()
  expect(shown).toContain('A线3')
  for (const name of ['周敏', manager.userName]) expect(shown).not.toContain(name)
})

test('who had it made stands in the log, with what it has', async () => {
  const taker = await house.person('导出', { privileges })
  await prepare(taker, { Band: 'good', Text: '线3' })
  const entries = await house.stack.server.database.general
    .selectFrom('audit')
    .select(['subject_kind', 'subject_id', 'target', 'after', 'outcome'])
    .where('action', '=', 'healthCheck.export')
    .where('actor', '=', taker.userName)
    .execute()
  expect(entries).toEqual([
    {
      ...{ subject_kind: 'healthCheck', subject_id: String(check.TestID), target: check.Number, outcome: 'done' },
      after: { rows: 1, format: 'csv', filter: { Band: 'good' } },
    },
  ])
})

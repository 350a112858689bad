import type { HealthCheck, HealthCheckLine, Reply } from '@linewarden/contract'
import {
  addProject,
  cancelHealthCheck,
  getHealthCheck,
  listHealthCheckLines,
  queryHealthChecks,
  startHealthCheck,
} from '@linewarden/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { soundLines, storeHealthPast } from '../../kit/health-past.ts'
import type { OrderPerson } from '../../kit/order-house.ts'
import { OrderHouse } from '../../kit/order-house.ts'
import { outcomeOf } from '../../kit/refused.ts'

// What lines are worth, by what the equipment reported of itself and of 30 days.
let house: OrderHouse
let manager: OrderPerson
const privileges = ['hazard', 'hazard.devTest']

beforeAll(async () => {
  house = await OrderHouse.start()
  manager = await house.person('周敏', { privileges })
  const { plant, database } = house.stack.server
  const own = [...plant.lines.values()].filter(({ device }) => device.gateway.id === house.gatewayOf('A'))
  soundLines(own, house.now)
  const client = await database.connect()
  await storeHealthPast(client, { lineIds: own.map(({ id }) => id), now: house.now }).finally(() => client.end())
})
afterAll(() => house?.stack.close())

const line = (lineNo: number, device = 'A-T1') => {
  const found = house.stack.server.plant.lineAt(device, lineNo)
  if (!found) throw new Error('the plan has the line')
  return found
}

/** A health check, once it is over. */
async function examined(person: OrderPerson, body: Parameters<typeof begin>[1] = { HouseID: house.houseOf() }) {
  const { TestID } = await begin(person, body)
  return over(person, TestID)
}
const begin = (person: OrderPerson, body: { HouseID: number; DeviceID?: number; LineID?: number }) =>
  person.client.call(startHealthCheck, { body })
const over = (person: OrderPerson, TestID: number): Promise<Reply<typeof getHealthCheck>> =>
  vi.waitFor(async () => {
    const details = await person.client.call(getHealthCheck, { params: { TestID } })
    expect(details.Check.State).not.toBe('running')
    return details
  })
const linesOf = async (
  person: OrderPerson,
  { TestID }: Pick<HealthCheck, 'TestID'>,
  more: object = {},
): Promise<readonly HealthCheckLine[]> =>
  (await person.client.call(listHealthCheckLines, { body: { TestID, Size: 100, ...more } })).items
/** Those without one stand at the end. */
const scoresOf = (lines: readonly HealthCheckLine[]) => lines.map(({ Score }) => Score ?? 101)
const itemsOf = (one: HealthCheckLine | undefined) => one?.Items.map(({ Text, Deduct }) => [Text.zh, Deduct])

test('a set point a volt beyond its band is found, and what was found stays as it was', async () => {
  const bad = line(3)
  bad.reported.set('overvoltage', 266)
  const { Check } = await examined(manager)
  expect(Check).toMatchObject({ State: 'done', Lines: 9, Done: 9, Origin: 'person', Actor: '周敏', HouseName: '项目A' })
  expect(Check.Number).toMatch(/^T20\d{4}-\d{4}$/)
  const lines = await linesOf(manager, Check)
  const [worst] = lines
  expect([worst?.LineName, worst?.Score, worst?.Band]).toEqual(['A线3', 92, 'good'])
  expect(itemsOf(worst)).toEqual([['过压保护 266 V，应在 235–265 V（型号 3PN）', 8]])
  const scores = lines.flatMap(({ Score }) => Score ?? [])
  const lost = scores.reduce((sum, score) => sum + 100 - score, 0)
  expect([Check.Result?.CostTotal, Check.Result?.Scored]).toEqual([lost, scores.length])
  // The line is mended and called otherwise: the sheet of then says what was then.
  const before = JSON.stringify([await over(manager, Check.TestID), lines])
  bad.reported.set('overvoltage', 265)
  bad.name = '改了名'
  expect(JSON.stringify([await over(manager, Check.TestID), await linesOf(manager, Check)])).toBe(before)
  bad.name = 'A线3'
  const next = await examined(manager)
  expect(next.Before).toMatchObject({ TestID: Check.TestID, SameRules: true, Better: 1, Worse: 0 })
  expect(next.Before?.Changes).toEqual([{ LineID: bad.id, LineName: 'A线3', From: 92, To: 100 }])
  const [mended] = (await linesOf(manager, next.Check)).filter(({ LineID }) => LineID === bad.id)
  expect([mended?.BeforeScore, mended?.Gone.map(({ Deduct }) => Deduct)]).toEqual([92, [8]])
})

test('what was never reported is not examined: it has no score, and is no full marks', async () => {
  const administrator = await house.administrator()
  const { Check } = await examined(administrator, { HouseID: house.houseOf('B') })
  const lines = await linesOf(administrator, Check)
  const circuits = lines.filter(({ LineNo }) => LineNo > 0)
  expect(circuits.map(({ Score, Band }) => [Score, Band])).toEqual(circuits.map(() => [null, null]))
  expect(circuits.every(({ Coverage, Gaps }) => Coverage < 60 && Gaps.some(({ Text }) => Text.en === 'residual current'))).toBe(
    true,
  )
  expect(Check.Result?.Unscored).toBeGreaterThanOrEqual(8)
})

test('30 days of leakage, load and heat count, each in its category, and filters find them', async () => {
  const { database } = house.stack.server
  const client = await database.connect()
  await client.query('update line_day set i95_a = array[60, 10, 10]::real[] where line_id = $1', [line(4).id])
  await client.query('update reading_day set max[12] = 90 where line_id = $1', [line(5).id])
  const leaks = Buffer.from(new Float32Array(24).fill(160).buffer)
  await client.query('update line_hours set residual_ma = $2 where line_id = $1', [line(6).id, leaks]).finally(() => client.end())
  const { Check } = await examined(manager)
  const byName = new Map((await linesOf(manager, Check)).map((each) => [each.LineName, each]))
  const costOf = (name: string, category: string) =>
    byName.get(name)?.Parts.find(({ Category }) => Category === category)?.Counted
  expect([costOf('A线4', 'load'), costOf('A线5', 'load'), costOf('A线6', 'leakage')]).toEqual([4, 15, 12])
  expect(itemsOf(byName.get('A线6'))).toEqual([['30 天小时均值 95% 位 160 mA，占动作值 0.53，限 0.3', 12]])
  const leaking = await linesOf(manager, Check, { Category: 'leakage' })
  expect(leaking.map(({ LineName }) => LineName)).toEqual(['A线6'])
  expect((await linesOf(manager, Check, { Band: 'fair' })).map(({ Score }) => Score)).toEqual([85, 88])
  expect((await linesOf(manager, Check, { Text: '线5' })).map(({ LineName }) => LineName)).toEqual(['A线5'])
  expect(scoresOf(await linesOf(manager, Check))).toEqual(scoresOf(await linesOf(manager, Check)).toSorted((a, b) => a - b))
})

test('an unexplained trip keeps a line at 59, whatever else is right', async () => {
  const tripped = line(7)
  tripped.lockoutCause = 'leakage'
  const { Check, Next } = await examined(manager, { HouseID: house.houseOf(), LineID: tripped.id })
  tripped.lockoutCause = null
  const [found] = await linesOf(manager, Check)
  expect(found).toMatchObject({ Score: 59, Band: 'dangerous', Ceilings: ['trip'], CeilingCost: 33 })
  expect(Next).toMatchObject([{ LineID: tripped.id, Points: 41, Mend: 'tripCause' }])
  // One of a single line is none of the project: lists and comparisons of that leave it out.
  const { items } = await manager.client.call(queryHealthChecks, { body: { HouseID: house.houseOf(), Size: 100 } })
  expect(items.map(({ TestID }) => TestID)).not.toContain(Check.TestID)
})

describe('who may', () => {
  test('see it: not whoever sees another project, or has not the page', async () => {
    const { Check } = await examined(manager)
    const beside = await house.person('旁', { privileges, projects: [house.houseOf('B')] })
    const reader = await house.person('看', { privileges: ['devmon', 'devmon.realtime'] })
    const params = { TestID: Check.TestID }
    expect(await outcomeOf(beside.client.call(getHealthCheck, { params }))).toBe('health check not exists')
    expect(await outcomeOf(beside.client.call(listHealthCheckLines, { body: params }))).toBe('health check not exists')
    expect(await outcomeOf(beside.client.call(cancelHealthCheck, { params }))).toBe('health check not exists')
    expect(await outcomeOf(begin(beside, { HouseID: house.houseOf() }))).not.toBe('done')
    expect(await outcomeOf(reader.client.call(getHealthCheck, { params }))).toBe('access denied')
  })

  test('begin it: a shared account reads and begins none', async () => {
    const guest = await house.person('访客', { kind: 'shared', privileges })
    expect(await outcomeOf(begin(guest, { HouseID: house.houseOf() }))).toBe('access denied')
    const { items } = await guest.client.call(queryHealthChecks, { body: { HouseID: house.houseOf() } })
    expect(items.length).toBeGreaterThan(0)
  })

  test('who sees a gateway examines that and no more of its project', async () => {
    const electrician = await house.person('电工', { privileges, projects: [] })
    await house.stack.server.database.general
      .insertInto('account_gateway')
      .values({ account_id: electrician.id, gateway_id: house.gatewayOf() })
      .execute()
    expect(await outcomeOf(begin(electrician, { HouseID: house.houseOf() }))).toBe('device not exists')
    const { Check } = await examined(electrician, { HouseID: house.houseOf(), DeviceID: house.gatewayOf() })
    expect(Check).toMatchObject({ State: 'done', Lines: 9, GatewayName: 'A柜' })
    const ofProject = await electrician.client.call(queryHealthChecks, { body: { HouseID: house.houseOf() } })
    const ofGateway = await electrician.client.call(queryHealthChecks, {
      body: { HouseID: house.houseOf(), DeviceID: house.gatewayOf() },
    })
    expect([ofProject.total, ofGateway.items.map(({ TestID }) => TestID)]).toEqual([0, [Check.TestID]])
  })
})

describe('what cannot be', () => {
  test('two at a time of one scope; one that is under way can be cancelled, and one that is over cannot', async () => {
    const { general } = house.stack.server.database
    const row = { project_id: house.houseOf(), project_name: '项目A', rule_version: 'x', state: 'running' as const }
    const { test_id: TestID } = await general
      .insertInto('health_check')
      .values({
        ...{
          ...row,
          number: 'T202601-0001',
          started_at: new Date(house.now),
          time_zone: 'UTC',
          from_day: 1,
          to_day: 2,
          lines: 9,
        },
        ...{ gateway_id: null, line_id: null, gateway_name: null, actor: null, due_at: null, ended_at: null, before_id: null },
        result: null,
      })
      .returning('test_id')
      .executeTakeFirstOrThrow()
    expect(await outcomeOf(begin(manager, { HouseID: house.houseOf() }))).toBe('exam under way')
    expect(await linesOf(manager, { TestID })).toEqual([])
    // Whoever sees a single gateway waits for nobody who sees more.
    const ofGateway = { HouseID: house.houseOf(), DeviceID: house.gatewayOf() }
    expect((await examined(manager, ofGateway)).Check.State).toBe('done')
    const params = { TestID }
    await manager.client.call(cancelHealthCheck, { params })
    expect((await over(manager, TestID)).Check).toMatchObject({ State: 'cancelled', Result: null })
    expect(await outcomeOf(manager.client.call(cancelHealthCheck, { params }))).toBe('exam over')
    expect((await examined(manager)).Check.State).toBe('done')
  })

  test('a scope without a line, of another project, or that is not there', async () => {
    const administrator = await house.administrator()
    const place = {
      PersonInCharge: '王工',
      ContactPhone: '0755-12345678',
      Province: '广东省',
      City: '深圳市',
      District: '南山区',
    }
    const { HouseID } = await administrator.client.call(addProject, { body: { Name: '空项目', ...place } })
    expect(await outcomeOf(begin(administrator, { HouseID }))).toBe('exam scope empty')
    expect(await outcomeOf(begin(administrator, { HouseID, DeviceID: house.gatewayOf() }))).toBe('device not exists')
    expect(await outcomeOf(begin(administrator, { HouseID: house.houseOf(), LineID: 999_999 }))).toBe('line not exists')
    const ofB = line(1, 'B-T1')
    expect(await outcomeOf(begin(administrator, { HouseID: house.houseOf(), LineID: ofB.id }))).toBe('device not exists')
  })
})

test('who began and who cancelled one stands in the log', async () => {
  const rows = await house.stack.server.database.general
    .selectFrom('audit')
    .select(['action', 'actor'])
    .where('action', 'in', ['healthCheck.start', 'healthCheck.cancel'])
    .execute()
  expect(rows.map(({ action, actor }) => `${action} ${actor}`)).toEqual(
    expect.arrayContaining([`healthCheck.start ${manager.userName}`, `healthCheck.cancel ${manager.userName}`]),
  )
})

import type { Hazard, Request } from '@linewarden/contract'
import {
  acceptHazard,
  closeWorkOrder,
  getHazard,
  getHealthCheck,
  insertWorkOrder,
  processWorkOrder,
  queryHazards,
  startHealthCheck,
} from '@linewarden/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { OrderPerson } from '../../kit/order-house.ts'
import { act, OrderHouse } from '../../kit/order-house.ts'
import { raiseEvents } from '../../kit/raised-events.ts'
import { raiseFindings } from '../../kit/raised-findings.ts'
import { outcomeOf } from '../../kit/refused.ts'

// Hazards by themselves: what makes them, who runs with them until a day, and what alone ends them.
const [hour, day] = [3_600_000, 86_400_000]
let house: OrderHouse
let founder: OrderPerson
let electrician: OrderPerson
let administrator: OrderPerson

beforeAll(async () => {
  house = await OrderHouse.start()
  founder = await house.person('周敏')
  electrician = await house.person('王海峰')
  administrator = await house.administrator()
})
afterAll(() => house?.stack.close())

type Filter = Request<typeof queryHazards>['body']
const listed = async (body: Filter = {}, { client } = founder) => client.call(queryHazards, { body })
const lineId = (lineNo: number) => house.stack.server.plant.lineAt('A-T1', lineNo)?.id ?? 0
/** Hazards of a line, whatever their state. */
const ofLine = async (lineNo: number) => (await listed({ LineID: lineId(lineNo) })).items
const onlyOf = async (lineNo: number): Promise<Hazard> => {
  const found = await ofLine(lineNo)
  expect(found).toHaveLength(1)
  return found[0] as Hazard
}
const details = ({ HazardID }: Pick<Hazard, 'HazardID'>) => founder.client.call(getHazard, { params: { HazardID } })
const stepsOf = async (hazard: Hazard) => (await details(hazard)).Steps.map(({ Act, From, To }) => [Act, From, To])

/** Of key and level; high where it is a warning. */
async function finding(lineNo: number, level: 'notice' | 'warning', key = 'contact'): Promise<string> {
  const [EventID = ''] = await raiseFindings(house.stack, [{ lineNo, level, key, raisedAt: house.now - hour }])
  return EventID
}
const becomes = (EventID: string, priority: 'critical') =>
  house.stack.server.database.general.updateTable('event').set({ priority }).where('event_id', '=', EventID).execute()

/** A line reports each minute from an instant on, for so long. */
async function reports(lineNo: number, from: number, forMs: number): Promise<void> {
  const client = await house.stack.server.database.connect()
  await client.query('begin')
  await client.query("select pg_advisory_xact_lock(hashtext('reading partitions'))")
  await client.query(
    `insert into reading (line_id, at, received_at, quality)
     select $1, at, at, 0 from generate_series($2::timestamptz, $3::timestamptz, interval '1 minute') as at on conflict do nothing`,
    [lineId(lineNo), new Date(from), new Date(from + forMs)],
  )
  await client.query('commit')
  await client.end()
}

const returned = (EventID: string, at = house.now) =>
  house.stack.server.database.general
    .updateTable('event')
    .set({ state: 'normal', returned_at: new Date(at) })
    .where('event_id', '=', EventID)
    .execute()

const accepted = (hazard: Hazard, more: object = {}, { client } = administrator) =>
  client.call(acceptHazard, {
    body: {
      ...{ HazardID: hazard.HazardID, Version: hazard.Version, ActID: crypto.randomUUID() },
      ...{ UntilDay: dayAhead(3), Reason: '备件下周到，已加测温', ...more },
    },
  })
/** The projects stand in Shanghai. */
const dayAhead = (days: number) => new Date(house.now + 8 * hour + days * day).toISOString().slice(0, 10)

describe('a finding at warning level', () => {
  test('is a hazard by itself, once however often it is looked at; a notice is none', async () => {
    await finding(1, 'notice', 'wear')
    const EventID = await finding(1, 'warning')
    await house.hazardsLater()
    await house.hazardsLater()
    const hazard = await onlyOf(1)
    expect(hazard).toMatchObject({ Key: 'contact', Source: 'finding', State: 'open', Count: 1, Order: null })
    const { Sources, Events, Steps } = await details(hazard)
    expect(Sources).toMatchObject([{ Source: 'finding', SourceID: EventID }])
    expect(Events.map(({ EventID }) => EventID)).toEqual([EventID])
    expect(Steps).toMatchObject([{ Act: 'found', From: null, To: 'open', Actor: null, Source: 'finding' }])
  })

  test('that gets graver raises its hazard, and joins the order that sees to it', async () => {
    const EventID = await finding(2, 'warning')
    await house.hazardsLater()
    const hazard = await onlyOf(2)
    const order = await house.made(founder, electrician, { HazardID: hazard.HazardID })
    expect(order).toMatchObject({ EventIDs: [EventID], Hazard: { HazardID: hazard.HazardID, State: 'ordered' }, LineNo: 2 })
    await becomes(EventID, 'critical')
    await house.hazardsLater()
    expect(await onlyOf(2)).toMatchObject({ Level: 'critical', State: 'ordered', Count: 1 })
    expect(await stepsOf(hazard)).toEqual([
      ['found', null, 'open'],
      ['order', 'open', 'ordered'],
      ['graver', 'ordered', 'ordered'],
    ])
  })

  test('that returned stays a hazard until 72 h with data have proved it, and then nobody has to do anything', async () => {
    const EventID = await finding(3, 'warning')
    await house.hazardsLater()
    await returned(EventID)
    await house.hazardsLater()
    expect(await onlyOf(3)).toMatchObject({ State: 'open', Verification: { State: 'running' } })
    await reports(3, house.now, 73 * hour)
    await house.hazardsLater(71 * hour)
    expect(await onlyOf(3)).toMatchObject({ State: 'open', Verification: { State: 'running' } })
    await house.hazardsLater(hour + 60_000)
    const hazard = await onlyOf(3)
    expect(hazard).toMatchObject({ State: 'gone' })
    expect((await stepsOf(hazard)).at(-1)).toEqual(['verified', 'open', 'gone'])
  })

  test('of which nothing is reported afterwards is never gone', async () => {
    const EventID = await finding(4, 'warning')
    await house.hazardsLater()
    await returned(EventID)
    await house.hazardsLater(100 * hour)
    expect(await onlyOf(4)).toMatchObject({ State: 'open', Verification: { State: 'noData' } })
  })
})

describe('an alarm whose order was closed', () => {
  test('leaves its hazard open; raised again it counts up, and its proof begins anew', async () => {
    const alarm = { key: 'current.alarm', lineNo: 5, state: 'normal' } as const
    const [EventID = ''] = await raiseEvents(house.stack, [{ ...alarm, raisedAt: house.now - hour }])
    const order = await house.made(founder, electrician, { EventID })
    await founder.client.call(closeWorkOrder, { body: { ...act(order), Why: 'notFound', Reason: '未复现' } })
    expect(await onlyOf(5)).toMatchObject({ State: 'open', Count: 1 })
    await house.hazardsLater(hour)
    const at = house.now
    await raiseEvents(house.stack, [{ ...alarm, raisedAt: at }])
    await house.hazardsLater()
    const hazard = await onlyOf(5)
    expect(hazard).toMatchObject({ State: 'open', Count: 2, LastSeen: at, Verification: { State: 'running' } })
    expect(await stepsOf(hazard)).toEqual([
      ['found', null, 'open'],
      ['order', 'open', 'ordered'],
      ['order', 'ordered', 'open'],
      ['seen', 'open', 'open'],
    ])
  })
})

describe('running with a hazard', () => {
  test('is for an administrator, until a day that is not far, with a reason; once per intent', async () => {
    await finding(6, 'warning')
    await house.hazardsLater()
    const hazard = await onlyOf(6)
    expect(hazard.AcceptRefusal).not.toBe(null)
    expect(await outcomeOf(accepted(hazard, {}, founder))).toBe('hazard administrator only')
    for (const UntilDay of [dayAhead(-1), dayAhead(182), '2026-02-31'])
      expect(await outcomeOf(accepted(hazard, { UntilDay }))).toBe('hazard day wrong')
    expect(await outcomeOf(accepted(hazard, { Version: hazard.Version + 1 }))).toBe('changed meanwhile')
    const intent = { ActID: crypto.randomUUID(), UntilDay: dayAhead(3) }
    const is = await accepted(hazard, intent)
    expect(is).toMatchObject({ State: 'accepted', RiskUntil: Date.parse(`${intent.UntilDay}T24:00:00+08:00`) })
    expect(await accepted(hazard, intent)).toEqual(is)
    expect((await details(hazard)).Steps.filter(({ Act }) => Act === 'accept')).toMatchObject([
      { From: 'open', To: 'accepted', Reason: '备件下周到，已加测温', Until: is.RiskUntil, Actor: expect.any(String) },
    ])
  })

  test('ends with its day, at its instant, also where the server looks late', async () => {
    const before = await onlyOf(6)
    const until = before.RiskUntil ?? 0
    await house.hazardsLater(until - house.now - 60_000)
    expect(await onlyOf(6)).toMatchObject({ State: 'accepted' })
    await house.hazardsLater(hour)
    expect(await onlyOf(6)).toMatchObject({ State: 'open', RiskUntil: null })
    expect((await details(before)).Steps.filter(({ Act }) => Act === 'expire')).toMatchObject([
      { At: until, From: 'accepted', To: 'open', Actor: null },
    ])
  })

  test('ends at once when it gets graver than what was accepted', async () => {
    const EventID = await finding(7, 'warning')
    await house.hazardsLater()
    await accepted(await onlyOf(7))
    await becomes(EventID, 'critical')
    await house.hazardsLater()
    expect(await onlyOf(7)).toMatchObject({ State: 'open', Level: 'critical', RiskUntil: null })
  })

  test('is not for what an order sees to, and an order ends it', async () => {
    const hazard = await accepted(await onlyOf(7))
    await house.made(founder, electrician, { HazardID: hazard.HazardID })
    const ordered = await onlyOf(7)
    expect(ordered).toMatchObject({ State: 'ordered', RiskUntil: null })
    expect(await outcomeOf(accepted(ordered))).toBe('hazard state')
  })
})

describe('a self-test', () => {
  const tested = (lineNo: number, result: 'passed' | 'failed', at: number) => {
    const line = house.stack.server.plant.lineAt('A-T1', lineNo)
    if (!line) throw new Error('the plan has the line')
    line.selfTest = { at, result, tripMs: result === 'passed' ? 30 : 400 }
  }

  const ofTest = async (lineNo: number) => (await ofLine(lineNo)).filter(({ Key }) => Key.startsWith('selfTest'))

  test('that failed is a hazard until one passes, with an order and without', async () => {
    tested(8, 'failed', house.now)
    await house.hazardsLater(60_000)
    const hazard = await onlyOf(8)
    expect(hazard).toMatchObject({ Key: 'selfTest.failed', Source: 'selfTest', Level: 'high', State: 'open' })
    const order = await house.made(founder, electrician, { HazardID: hazard.HazardID })
    const done = { Cause: '脱扣器失灵', Done: '更换断路器' }
    const is = await electrician.client.call(processWorkOrder, { body: { ...act(order), ...done } })
    expect(is).toMatchObject({ Verification: { State: 'running', Missing: 'selfTest' } })
    tested(8, 'passed', house.now + 1_000)
    await house.later(2_000)
    expect((await house.get(founder, order)).Order.Verification?.State).toBe('verified')
    // Without an order it goes by itself.
    tested(3, 'failed', house.now)
    await house.hazardsLater(60_000)
    expect(await ofTest(3)).toMatchObject([{ State: 'open' }])
    tested(3, 'passed', house.now)
    await house.hazardsLater(60_000)
    expect(await ofTest(3)).toMatchObject([{ State: 'gone' }])
  })

  test('that is overdue is another, of medium level', async () => {
    tested(4, 'passed', house.now - 40 * day)
    await house.hazardsLater()
    expect(await ofTest(4)).toMatchObject([{ Key: 'selfTest.overdue', Level: 'medium', State: 'open' }])
    tested(4, 'passed', house.now)
    await house.hazardsLater(60_000)
    expect(await ofTest(4)).toMatchObject([{ State: 'gone' }])
  })
})

describe('a health check', () => {
  const examined = async () => {
    const manager = await house.person('体检', { privileges: ['hazard', 'hazard.devTest'] })
    const { TestID } = await manager.client.call(startHealthCheck, { body: { HouseID: house.houseOf() } })
    await vi.waitFor(async () => {
      const { Check } = await manager.client.call(getHealthCheck, { params: { TestID } })
      expect(Check.State).toBe('done')
    })
    await house.hazardsLater(60_000)
  }
  const setOver = (volts: number) => house.stack.server.plant.lineAt('A-T1', 1)?.reported.set('overvoltage', volts)
  const ofSetPoint = async () => (await ofLine(1)).filter(({ Key }) => Key === 'exam.setting.over')

  test('makes a hazard of what cost eight points, and proves by the next one that it is gone', async () => {
    setOver(266)
    await examined()
    expect(await ofSetPoint()).toMatchObject([
      { Source: 'exam', State: 'open', Level: 'medium', Count: 1, Label: { zh: expect.stringContaining('266 V') } },
    ])
    await examined()
    expect(await ofSetPoint()).toMatchObject([{ State: 'open', Count: 2 }])
    setOver(265)
    await house.hazardsLater(60_000)
    expect(await ofSetPoint()).toMatchObject([{ State: 'open', Verification: { State: 'running', Missing: 'exam' } }])
    await examined()
    expect(await ofSetPoint()).toMatchObject([{ State: 'gone' }])
  })

  test('that cannot examine it any more proves nothing', async () => {
    setOver(266)
    await examined()
    house.stack.server.plant.lineAt('A-T1', 1)?.reported.delete('overvoltage')
    await examined()
    expect((await ofSetPoint()).filter(({ State }) => State !== 'gone')).toMatchObject([{ State: 'open' }])
  })
})

describe('the list', () => {
  test('has the gravest first, page by page without losing or doubling one, and counts each state and level', async () => {
    const all = (await listed({ Size: 200 })).items
    expect(all.length).toBeGreaterThan(5)
    const rank = { critical: 1, high: 2, medium: 3, low: 4 }
    const sorted = all.toSorted((a, b) => rank[a.Level] - rank[b.Level] || b.HazardID - a.HazardID)
    expect(all.map(({ HazardID }) => HazardID)).toEqual(sorted.map(({ HazardID }) => HazardID))
    const paged: Hazard[] = []
    for (let Before: string | null | undefined; Before !== null; ) {
      const page = await listed({ Size: 2, ...(Before && { Before }) })
      paged.push(...page.items)
      expect(page.total).toBe(all.length)
      Before = page.about.Next
    }
    expect(paged).toEqual(all)
    const { about, total } = await listed({ State: 'gone' })
    expect(total).toBe(all.filter(({ State }) => State === 'gone').length)
    expect(about.States.open).toBe(all.filter(({ State }) => State === 'open').length)
    expect(about.Levels.high).toBe(all.filter(({ Level, State }) => Level === 'high' && State === 'gone').length)
    const there = await listed({ State: 'there', Source: 'selfTest' })
    expect(there.items.every(({ Source, State }) => Source === 'selfTest' && State !== 'gone')).toBe(true)
    expect(new Set((await listed({ Text: 'a线7' })).items.map(({ LineNo }) => LineNo))).toEqual(new Set([7]))
  })

  test('is nobody’s who does not see the place, and no guest’s', async () => {
    const beside = await house.person('别项目', { projects: [house.houseOf('B')] })
    const guest = await house.person('访客', { kind: 'shared' })
    const [some] = (await listed({ State: 'open' })).items
    const asked = ({ client }: OrderPerson) => outcomeOf(client.call(getHazard, { params: { HazardID: some?.HazardID ?? 0 } }))
    expect([await asked(beside), await asked(guest)]).toEqual(['hazard not exists', 'access denied'])
    expect((await listed({}, beside)).total).toBe(0)
    const foreign = beside.client.call(insertWorkOrder, {
      body: house.form(beside, { HouseID: house.houseOf('B'), HazardID: some?.HazardID ?? 0 }),
    })
    expect(await outcomeOf(foreign)).toBe('hazard not exists')
  })
})

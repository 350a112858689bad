import { createHash } from 'node:crypto'
import {
  abandonRound,
  approveRound,
  finishRound,
  insertInspectionPlan,
  inspectionCode,
  inspectionLabels,
  orderOfDefect,
  queryInspectionPlans,
  queryRounds,
  returnRound,
  roundPackage,
  roundSheet,
  startRound,
} from '@linewarden/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OrderPerson } from '../../kit/order-house.ts'
import { OrderHouse } from '../../kit/order-house.ts'
import { outcomeOf } from '../../kit/refused.ts'
import { allFine, detailsOf, fine, phone, planForm, send, started } from '../../kit/round-house.ts'

// Rounds against the whole house: who plans, walks and approves them, what phones send, and who sees none of it.
let house: OrderHouse
let planner: OrderPerson
let inspector: OrderPerson
let colleague: OrderPerson
let stranger: OrderPerson
const privileges = ['hazard', 'hazard.patrol', 'hazard.workorder']

beforeAll(async () => {
  house = await OrderHouse.start()
  planner = await house.person('周敏', { privileges })
  inspector = await house.person('王海峰', { privileges })
  colleague = await house.person('李强', { privileges })
  stranger = await house.person('别项目', { privileges, projects: [house.houseOf('B')] })
})
afterAll(() => house?.stack.close())

const finished = async (person: OrderPerson, otherwise = {}) => {
  const round = await started(house, person)
  await allFine(person, round, phone(), otherwise)
  return person.client.call(finishRound, { params: round, body: {} })
}
const tight = (more: Parameters<typeof fine>[2] = {}) => fine(1, 'terminals.tight', more)
const stroke = { Strokes: [[0, 0, 500, 250, 900, 40]] }

test('a round goes from its start over its answers to its approval, and its sheet stays as it was signed', async () => {
  const round = await started(house, inspector, { Signature: 'both' })
  expect(round).toMatchObject({ State: 'started', Stops: 2, Answered: 0, Inspector: { Name: '王海峰' }, PlanID: null })
  expect(round.Number).toMatch(/^R20\d{4}-\d{4}$/)
  const params = { RoundID: round.RoundID }
  const reply = await allFine(inspector, round, phone())
  expect(reply.Answers.every(({ Outcome }) => Outcome === 'held')).toBe(true)
  expect(reply).toMatchObject({ Missing: [], Round: { StopsDone: 2, Answered: round.Items, Defects: 0 } })
  expect(await outcomeOf(inspector.client.call(finishRound, { params, body: {} }))).toBe('round signature missing')
  const done = await inspector.client.call(finishRound, { params, body: { Signature: stroke } })
  expect(done).toMatchObject({
    State: 'finished',
    Inspector: { Name: '王海峰' },
    SheetHash: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  const sheet = await planner.client.call(roundSheet, { params })
  expect(createHash('sha256').update(sheet.Text).digest('hex')).toBe(sheet.Hash)
  expect(JSON.parse(sheet.Text)).toMatchObject({
    Round: { Number: round.Number, Inspector: '王海峰' },
    InspectorSignature: stroke,
  })
  const approved = await planner.client.call(approveRound, { params, body: { Version: done.Version, Signature: stroke } })
  expect(approved).toMatchObject({ State: 'approved', Approver: { Name: '周敏' }, Acts: [] })
  expect(await planner.client.call(roundSheet, { params })).toMatchObject({
    ...{ Text: sheet.Text, Hash: sheet.Hash, Revision: 1 },
    Approved: { Person: '周敏', Signature: stroke, Hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
  })
})

test('what was finished is finished again without a second sheet, as when the answer was lost', async () => {
  const done = await finished(inspector)
  const again = await inspector.client.call(finishRound, { params: { RoundID: done.RoundID }, body: {} })
  expect([again.State, again.Version]).toEqual(['finished', done.Version])
  expect((await planner.client.call(roundSheet, { params: { RoundID: done.RoundID } })).Revision).toBe(1)
})

describe('before it is finished', () => {
  test('every answer, reason and arrival must be there, and how many are missing is said', async () => {
    const round = await started(house, inspector)
    const params = { RoundID: round.RoundID }
    const failure = await inspector.client.call(finishRound, { params, body: {} }).catch((error) => error.problem.failure)
    expect([failure.Message, failure.Detail]).toEqual(['round incomplete', { missing: round.Items + 2 }])
    await allFine(inspector, round, phone(), { 'terminals.tight': { Result: 'impossible' } })
    const { Missing } = await detailsOf(inspector, round)
    expect(Missing).toEqual([{ StopID: 1, ItemID: 'terminals.tight', What: 'reason' }])
  })

  test('a photo that is asked for, and one that is named but not here, are missing', async () => {
    const round = await started(house, inspector, { PhotoOn: 'defect' })
    const hash = 'a'.repeat(64)
    const { Missing } = await allFine(inspector, round, phone(), {
      'terminals.tight': { Result: 'defect', Note: '松动' },
      'terminals.colour': { Result: 'defect', Photos: [hash] },
    })
    expect(Missing).toEqual([hash])
    expect((await detailsOf(inspector, round)).Missing).toEqual([
      { StopID: 1, ItemID: 'terminals.tight', What: 'photo' },
      { StopID: 1, ItemID: 'terminals.colour', What: 'upload' },
    ])
  })

  test('of one phone the higher revision counts, whichever came first, and the same again changes nothing', async () => {
    const round = await started(house, inspector)
    const own = phone()
    const first = await send(inspector, round, { PhoneID: own, Answers: [tight({ Rev: 1 })] })
    expect(first.Answers).toMatchObject([{ Outcome: 'held' }])
    const replay = await send(inspector, round, { PhoneID: own, Answers: [tight({ Rev: 1 })] })
    expect([replay.Answers, replay.Round.Answered]).toEqual([first.Answers, 1])
    await send(inspector, round, { PhoneID: own, Answers: [tight({ Rev: 3, Note: '已紧固' })] })
    const older = await send(inspector, round, { PhoneID: own, Answers: [tight({ Rev: 2, Result: 'defect' })] })
    expect(older).toMatchObject({ Answers: [{ Outcome: 'older' }], Round: { Defects: 0, Flagged: 0 } })
  })

  test('a stop is taken by whoever was there first, and from the list needs a reason', async () => {
    const round = await started(house, inspector)
    const at = (StopID: number, how: 'qr' | 'list', Reason?: string) => ({
      ...{ StopID, How: how, PhoneTime: Date.now() },
      ...(Reason && { Reason }),
    })
    const [own, other] = [phone(), phone()]
    const newest = await send(inspector, round, { PhoneID: own, Arrivals: [at(1, 'qr'), at(2, 'list')] })
    expect(newest.Arrivals.map(({ Outcome }) => Outcome)).toEqual(['held', 'wrong'])
    const taken = await send(colleague, round, { PhoneID: other, Arrivals: [at(1, 'qr'), at(2, 'list', '标签脱落')] })
    expect(taken.Arrivals.map(({ Outcome, Person }) => [Outcome, Person])).toEqual([
      ['taken', '王海峰'],
      ['held', '李强'],
    ])
  })

  test('one answer that is wrong keeps none of the others from being held', async () => {
    const round = await started(house, inspector)
    const { Answers } = await send(inspector, round, {
      PhoneID: phone(),
      Answers: [
        fine(1, 'terminals.tight'),
        fine(1, 'place.dry'),
        fine(9, 'terminals.tight'),
        fine(1, 'terminals.colour', { Value: 3 }),
        fine(1, 'condition', { Choice: 'splendid' }),
      ],
    })
    expect(Answers.map(({ Outcome }) => Outcome)).toEqual(['held', 'wrong', 'wrong', 'wrong', 'wrong'])
  })

  test('more than 200 at once are refused', async () => {
    const round = await started(house, inspector)
    const many = Array.from({ length: 201 }, (_, at) => fine(1, 'terminals.tight', { Rev: at + 1 }))
    expect(await outcomeOf(send(inspector, round, { PhoneID: phone(), Answers: many }))).toBe('invalid parameter')
  })
})

describe('once it is finished', () => {
  test('what came before is told as held once more, and what is new comes too late', async () => {
    const round = await started(house, inspector)
    const own = phone()
    await allFine(inspector, round, own)
    await inspector.client.call(finishRound, { params: { RoundID: round.RoundID }, body: {} })
    const again = await send(inspector, round, { PhoneID: own, Answers: [fine(1, 'terminals.tight')] })
    expect(again.Answers).toMatchObject([{ Outcome: 'held' }])
    const late = send(inspector, round, { PhoneID: own, Answers: [fine(1, 'terminals.tight', { Rev: 2, Result: 'defect' })] })
    expect(await outcomeOf(late)).toBe('round state')
  })

  test('whoever inspected does not approve it, also who answered only a part', async () => {
    const round = await started(house, inspector)
    await send(colleague, round, { PhoneID: phone(), Answers: [fine(1, 'terminals.tight')] })
    await allFine(inspector, round, phone())
    const params = { RoundID: round.RoundID }
    const { Version } = await inspector.client.call(finishRound, { params, body: {} })
    const approve = (person: OrderPerson) => outcomeOf(person.client.call(approveRound, { params, body: { Version } }))
    expect([await approve(inspector), await approve(colleague), await approve(planner)]).toEqual([
      'round four eyes',
      'round four eyes',
      'done',
    ])
  })

  test('a returned one is started again with its answers, and signed anew', async () => {
    const done = await finished(inspector)
    const params = { RoundID: done.RoundID }
    const returned = await planner.client.call(returnRound, { params, body: { Version: done.Version, Reason: '照片不清' } })
    expect(returned).toMatchObject({ State: 'returned', Reason: '照片不清', Approver: { Name: '周敏' } })
    const again = await inspector.client.call(startRound, { body: { HouseID: house.houseOf(), RoundID: done.RoundID } })
    expect(again).toMatchObject({ State: 'started', Answered: done.Answered })
    await send(inspector, done, { PhoneID: phone(), Answers: [fine(1, 'terminals.tight', { Rev: 2, Note: '复查' })] })
    await inspector.client.call(finishRound, { params, body: {} })
    const sheet = await planner.client.call(roundSheet, { params })
    expect([sheet.Revision, sheet.Approved]).toEqual([2, null])
    expect(sheet.Hash).not.toBe(done.SheetHash)
  })

  test('what was read before somebody else acted is refused', async () => {
    const done = await finished(inspector)
    const params = { RoundID: done.RoundID }
    await planner.client.call(approveRound, { params, body: { Version: done.Version } })
    const late = planner.client.call(returnRound, { params, body: { Version: done.Version, Reason: 'x' } })
    expect(await outcomeOf(late)).toBe('round state')
  })
})

describe('a defect', () => {
  const loose = { 'terminals.tight': { Result: 'defect' as const, Note: 'B 相松动', Level: 'high' as const } }
  const hazards = () =>
    house.stack.server.database.general
      .selectFrom('hazard')
      .select(['hazard_id', 'count', 'level', 'source', 'label_zh'])
      .where('key', '=', 'patrol.terminals.tight')
      .where('state', '<>', 'gone')
      .execute()

  test('is a hazard of its place once the round is finished, and the same again counts it up', async () => {
    const before = (await hazards())[0]?.count ?? 0
    const done = await finished(inspector, loose)
    expect(done.Defects).toBe(1)
    const [hazard] = await hazards()
    expect(hazard).toMatchObject({ count: before + 1, level: 'high', source: 'patrol', label_zh: '接线端子紧固，无松动' })
    await finished(inspector, loose)
    expect(await hazards()).toMatchObject([{ hazard_id: hazard?.hazard_id, count: before + 2 }])
  })

  test('is an order by one press, also while the round goes on', async () => {
    const round = await started(house, inspector)
    await allFine(inspector, round, phone(), loose)
    const params = { RoundID: round.RoundID }
    const body = { StopID: 1, ItemID: 'terminals.tight', ActID: crypto.randomUUID(), PersonInCharge: colleague.id }
    const made = await inspector.client.call(orderOfDefect, { params, body })
    expect(await inspector.client.call(orderOfDefect, { params, body })).toMatchObject({ OrderID: made.OrderID })
    expect((await detailsOf(planner, round)).Answers.find(({ ItemID }) => ItemID === 'terminals.tight')).toMatchObject({
      ...{ HazardID: made.HazardID, OrderID: made.OrderID },
    })
    const wrong = { ...body, ItemID: 'terminals.colour', ActID: crypto.randomUUID() }
    expect(await outcomeOf(inspector.client.call(orderOfDefect, { params, body: wrong }))).toBe('round no defect')
  })

  test('of a place without a gateway is a hazard of the project', async () => {
    await finished(inspector, { 'place.dry': { Result: 'defect', Note: '渗水' } })
    const found = await house.stack.server.database.general
      .selectFrom('hazard')
      .select(['gateway_id', 'place', 'count'])
      .where('key', '=', 'patrol.place.dry')
      .execute()
    expect(found).toEqual([{ gateway_id: null, place: '2 号配电间', count: 1 }])
  })

  test('that was found before a round is abandoned is a hazard, too', async () => {
    const round = await started(house, inspector)
    await allFine(inspector, round, phone(), { 'place.door': { Result: 'defect' } })
    const { Round } = await detailsOf(inspector, round)
    const params = { RoundID: round.RoundID }
    const ended = await inspector.client.call(abandonRound, { params, body: { Version: Round.Version, Reason: '停电' } })
    expect(ended).toMatchObject({ State: 'abandoned', Reason: '停电' })
    const { count } = await house.stack.server.database.general
      .selectFrom('hazard')
      .select('count')
      .where('key', '=', 'patrol.place.door')
      .executeTakeFirstOrThrow()
    expect(count).toBe(1)
  })
})

describe('a plan', () => {
  const insert = (person: OrderPerson, more: object = {}) =>
    person.client.call(insertInspectionPlan, { body: planForm(house, more) })

  test('says when it is due next, and whom it is given to', async () => {
    const plan = await insert(planner, { Assignees: [inspector.id] })
    expect(plan).toMatchObject({ NextDue: '2035-01-31', FourEyes: true, Assignees: [{ Name: '王海峰' }], Last: null })
    expect(plan.Stops.map(({ Kind, Name, List }) => [Kind, Name, List])).toEqual([
      ['device', '三相', 'breaker3p'],
      ['place', '2 号配电间', 'place'],
    ])
    const body = { HouseID: house.houseOf(), RoundID: crypto.randomUUID(), PlanID: plan.PlanID }
    expect(await outcomeOf(colleague.client.call(startRound, { body }))).toBe('round not yours')
    const round = await inspector.client.call(startRound, { body })
    expect(round).toMatchObject({ PlanID: plan.PlanID, Name: plan.Name, DueDay: null })
    expect(await inspector.client.call(startRound, { body })).toMatchObject({ RoundID: round.RoundID, Number: round.Number })
    const list = await planner.client.call(queryRounds, { body: { PlanID: plan.PlanID } })
    expect([list.total, list.about.States.started]).toEqual([1, 1])
  })

  test('reports at once everything that is wrong with it', async () => {
    const failure = await insert(planner, {
      Stops: [{ ControllerID: 'B-T1' }, { Place: 'x' }, { Place: 'x' }, { Place: 'y', ControllerID: 'A-T1' }],
      Cycle: { Every: 1, Unit: 'week' },
      WindowDays: { Before: 4, After: 3 },
      FirstDue: '2035-02-30',
      OwnItems: [{ ItemID: 'own.a', List: 'place', Text: '温度', Kind: 'number', Min: 9, Max: 3, Unit: '°C', Choices: [] }],
    }).catch((error) => error.problem.failure)
    expect(failure.Message).toBe('inspection plan wrong')
    expect(failure.Problems.map(({ Path }: { Path: string }) => Path)).toEqual([
      ...['body.Stops.0', 'body.Stops.2', 'body.Stops.3', 'body.OwnItems', 'body.WindowDays', 'body.FirstDue'],
    ])
  })

  test('is given to nobody who does not see the project, and its name is used once', async () => {
    expect(await outcomeOf(insert(planner, { Assignees: [stranger.id] }))).toBe('plan person blind')
    const Name = '同名计划'
    expect([await outcomeOf(insert(planner, { Name })), await outcomeOf(insert(planner, { Name }))]).toEqual([
      'done',
      'plan name used',
    ])
  })

  test('an online round walks equipment, and no places', async () => {
    expect(await outcomeOf(insert(planner, { Kind: 'online' }))).toBe('inspection plan wrong')
    expect(await outcomeOf(insert(planner, { Kind: 'online', Stops: [{ ControllerID: 'A-T1' }] }))).toBe('done')
  })
})

describe('whoever does not see the project', () => {
  test('sees neither plans nor rounds of it, and an id says nothing', async () => {
    const round = await started(house, inspector)
    const params = { RoundID: round.RoundID }
    expect(await outcomeOf(stranger.client.call(roundPackage, { params }))).toBe('round not exists')
    expect(await outcomeOf(stranger.client.call(roundPackage, { params: { RoundID: crypto.randomUUID() } }))).toBe(
      'round not exists',
    )
    expect(await outcomeOf(send(stranger, round, { PhoneID: phone() }))).toBe('round not exists')
    const taken = stranger.client.call(startRound, { body: { HouseID: house.houseOf('B'), RoundID: round.RoundID } })
    expect(await outcomeOf(taken)).toBe('round id used')
    const [rounds, plans] = [
      await stranger.client.call(queryRounds, { body: {} }),
      await stranger.client.call(queryInspectionPlans, { body: {} }),
    ]
    expect([rounds.total, plans.total]).toEqual([0, 0])
  })

  test('reads a label as one that is not known', async () => {
    const { items } = await planner.client.call(inspectionLabels, {
      body: { HouseID: house.houseOf(), Of: [{ ControllerID: 'A-T1' }, { Place: '2 号配电间' }] },
    })
    const Code = items[0]?.Code ?? ''
    expect(await outcomeOf(stranger.client.call(inspectionCode, { params: { Code } }))).toBe('code unknown')
    expect(await outcomeOf(stranger.client.call(inspectionCode, { params: { Code: 'X'.repeat(26) } }))).toBe('code unknown')
  })
})

test('a round whose window is over is not started any more', async () => {
  const FirstDue = new Date(house.now + 8 * 3_600_000).toISOString().slice(0, 10)
  const body = planForm(house, { FirstDue, WindowDays: { Before: 0, After: 0 } })
  const { PlanID } = await planner.client.call(insertInspectionPlan, { body })
  await house.stack.server.inspection.look()
  const { items } = await inspector.client.call(queryRounds, { body: { PlanID } })
  expect(items.map(({ State }) => State)).toEqual(['planned'])
  await house.later(48 * 3_600_000)
  const start = () => inspector.client.call(startRound, { body: { HouseID: house.houseOf(), RoundID: items[0]?.RoundID ?? '' } })
  expect(await outcomeOf(start())).toBe('round lapsed')
  await house.stack.server.inspection.look()
  expect(await outcomeOf(start())).toBe('round lapsed')
})

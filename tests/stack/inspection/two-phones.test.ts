import { finishRound, roundPackage, roundSheet } from '@linewarden/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OrderPerson } from '../../kit/order-house.ts'
import { OrderHouse } from '../../kit/order-house.ts'
import { allFine, detailsOf, fine, phone, send, started } from '../../kit/round-house.ts'

// What two phones answer of the same item without knowing of each other, against the whole house.
let house: OrderHouse
let planner: OrderPerson
let inspector: OrderPerson
let colleague: OrderPerson
const privileges = ['hazard', 'hazard.patrol', 'hazard.workorder']

beforeAll(async () => {
  house = await OrderHouse.start()
  planner = await house.person('周敏', { privileges })
  inspector = await house.person('王海峰', { privileges })
  colleague = await house.person('李强', { privileges })
})
afterAll(() => house?.stack.close())

const tight = (more: Parameters<typeof fine>[2] = {}) => fine(1, 'terminals.tight', more)

test.each(['first', 'last'])(
  'a defect that comes %s counts beside another phone that counted further and did not know of it',
  async (comes) => {
    const round = await started(house, inspector)
    const parts = [
      () => send(inspector, round, { PhoneID: phone(), Answers: [tight({ Rev: 1, Result: 'defect', Note: '发热' })] }),
      () => send(colleague, round, { PhoneID: phone(), Answers: [tight({ Rev: 5, Note: '已紧固' })] }),
    ]
    for (const part of comes === 'first' ? parts : parts.toReversed()) await part()
    const { Answers, Round } = await detailsOf(planner, round)
    expect(Round).toMatchObject({ Answered: 1, Defects: 1, Flagged: 1 })
    expect(Answers.map(({ Person, Note, Counts, Flagged }) => [Person, Note, Counts, Flagged]).sort()).toEqual([
      ['李强', '已紧固', false, true],
      ['王海峰', '发热', true, true],
    ])
  },
)

test('whoever was told of both answers replaces both, and one that was on its way stays', async () => {
  const round = await started(house, inspector)
  const [own, other, third] = [phone(), phone(), phone()]
  await send(inspector, round, { PhoneID: own, Answers: [tight({ Result: 'defect', Note: '发热' })] })
  await send(colleague, round, { PhoneID: other, Answers: [tight()] })
  const { Answers } = await colleague.client.call(roundPackage, { params: { RoundID: round.RoundID } })
  const After = Answers.map(({ AnswerID }) => AnswerID)
  expect(After).toHaveLength(2)
  await send(planner, round, { PhoneID: third, Answers: [tight({ Result: 'defect', Note: '冒烟', Level: 'critical' })] })
  const reply = await send(colleague, round, { PhoneID: other, Answers: [tight({ Rev: 2, Note: '已复紧', After })] })
  expect(reply).toMatchObject({ Answers: [{ Outcome: 'flagged' }], Round: { Defects: 1, Flagged: 1 } })
  const current = (await detailsOf(planner, round)).Answers
  expect(current.map(({ Note, Counts }) => [Note, Counts]).sort()).toEqual([
    ['冒烟', true],
    ['已复紧', false],
  ])
  const all = await send(inspector, round, {
    PhoneID: own,
    Answers: [tight({ Rev: 3, Note: '已换', After: current.map(({ AnswerID }) => AnswerID) })],
  })
  expect(all).toMatchObject({ Answers: [{ Outcome: 'held' }], Round: { Answered: 1, Defects: 0, Flagged: 0 } })
})

test('what the approver signs off shows both answers, and the defect of the one is a hazard', async () => {
  const round = await started(house, inspector)
  const params = { RoundID: round.RoundID }
  await send(colleague, round, { PhoneID: phone(), Answers: [fine(1, 'terminals.colour', { Result: 'defect', Note: '变色' })] })
  await allFine(inspector, round, phone())
  expect(await inspector.client.call(finishRound, { params, body: {} })).toMatchObject({ Defects: 1, Flagged: 1 })
  const sheet = JSON.parse((await planner.client.call(roundSheet, { params })).Text) as Awaited<ReturnType<typeof detailsOf>>
  expect(sheet.Answers.filter(({ Flagged }) => Flagged).map(({ Result, Counts }) => [Result, Counts])).toEqual([
    ['defect', true],
    ['ok', false],
  ])
  const { Answers } = await detailsOf(planner, round)
  expect(Answers.find(({ ItemID, Counts }) => ItemID === 'terminals.colour' && Counts)?.HazardID).toEqual(expect.any(Number))
})

test('two phones that answer at one moment lose nothing', async () => {
  const round = await started(house, inspector)
  const { Stops, Checklists } = await detailsOf(inspector, round)
  const ids = (Checklists.find(({ List }) => List === Stops[0]?.List)?.Items ?? []).map(({ ItemID }) => ItemID)
  const [own, other] = [phone(), phone()]
  await Promise.all(
    ids.flatMap((id) => [
      send(inspector, round, { PhoneID: own, Answers: [fine(1, id, { Result: 'none' })] }),
      send(colleague, round, { PhoneID: other, Answers: [fine(1, id, { Result: 'none' })] }),
    ]),
  )
  expect((await detailsOf(planner, round)).Round).toMatchObject({ Answered: ids.length, Flagged: 0 })
})

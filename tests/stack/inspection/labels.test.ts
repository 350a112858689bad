import { createHash } from 'node:crypto'
import { inspectionCode, inspectionLabels, roundPackage } from '@linewarden/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OrderPerson } from '../../kit/order-house.ts'
import { OrderHouse } from '../../kit/order-house.ts'
import { outcomeOf } from '../../kit/refused.ts'
import { started } from '../../kit/round-house.ts'

// Labels of equipment and places: a way for whoever is signed in and sees the thing, and nothing for anybody else.
let house: OrderHouse
let planner: OrderPerson
let inspector: OrderPerson
const privileges = ['hazard', 'hazard.patrol']

beforeAll(async () => {
  house = await OrderHouse.start()
  planner = await house.person('周敏', { privileges })
  inspector = await house.person('王海峰', { privileges })
})
afterAll(() => house?.stack.close())

describe('a label', () => {
  const labels = async (Of: readonly object[], Anew = false) =>
    (await planner.client.call(inspectionLabels, { body: { HouseID: house.houseOf(), Of: [...Of], Anew } })).items

  test('keeps its code until it is issued again, and the old one is dead then', async () => {
    const [first] = await labels([{ ControllerID: 'A-Y1' }])
    expect(first).toMatchObject({ Kind: 'device', Name: '烟感', Url: `/hazard/patrol?Code=${first?.Code}` })
    expect(first?.Code).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/)
    expect(await labels([{ ControllerID: 'A-Y1' }])).toEqual([first])
    const [anew] = await labels([{ ControllerID: 'A-Y1' }], true)
    expect(anew?.Code).not.toBe(first?.Code)
    const read = (Code = '') => outcomeOf(inspector.client.call(inspectionCode, { params: { Code } }))
    expect([await read(first?.Code), await read(anew?.Code)]).toEqual(['code unknown', 'done'])
  })

  test('leads to the stop of a running round, and is known on a phone without signal by its hash', async () => {
    const round = await started(house, inspector)
    const [label] = await labels([{ ControllerID: 'A-T1' }])
    const Code = label?.Code ?? ''
    const found = await inspector.client.call(inspectionCode, { params: { Code: Code.toLowerCase() } })
    expect(found.Stops).toContainEqual({ RoundID: round.RoundID, StopID: 1, Name: round.Name })
    const pack = await inspector.client.call(roundPackage, { params: { RoundID: round.RoundID } })
    expect(pack.Codes).toContainEqual({ StopID: 1, CodeHash: createHash('sha256').update(Code).digest('hex') })
    expect(pack.Last.find(({ StopID }) => StopID === 1)?.Lines.length).toBe(8)
    expect(JSON.stringify(pack)).not.toContain(Code)
  })

  test('of a thing that is named twice is one, also where it is issued again', async () => {
    const [first, second] = await labels([{ Place: '屋面' }, { Place: '屋面' }], true)
    expect(second?.Code).toBe(first?.Code)
    expect(await outcomeOf(inspector.client.call(inspectionCode, { params: { Code: first?.Code ?? '' } }))).toBe('done')
  })

  test('is of something of the project', async () => {
    const wrong = planner.client.call(inspectionLabels, { body: { HouseID: house.houseOf(), Of: [{ ControllerID: 'B-T1' }] } })
    expect(await outcomeOf(wrong)).toBe('label wrong')
  })
})

import { insertScene, operateLine } from '@linewarden/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { LinkageHouse } from '../../kit/linkage-house.ts'
import { above, at, does, eventually, startLinkageHouse } from '../../kit/linkage-house.ts'

// What a linkage closes comes after what it trips, and only where that stands open.
let house: LinkageHouse
beforeAll(async () => {
  house = await startLinkageHouse()
})
afterAll(() => house?.stack.close())
beforeEach(async () => {
  house.line(1).position = 'closed'
  for (const lineNo of [7, 8]) house.line(lineNo).position = 'open'
  await house.currentOf(3, 1)
  // A line that has just opened is not closed for ten seconds.
  await house.reported(15_000)
})

test('a close waits also where somebody else has ordered the trip that the linkage would have', async () => {
  const { LinkageID } = await house.made('等跳闸', {
    ...{ Conditions: [above(3)], Actions: [does('trip', 1), does('close', 7)], MayClose: true },
  })
  await house.turned(LinkageID, 'live')
  await house.reported()
  const { behaviour } = house.gateway()
  Object.assign(behaviour, { acknowledge: false, move: false })
  const CommandID = crypto.randomUUID()
  await house.stack.client.call(operateLine, { params: { ...at(1), attr: 'trip' }, body: { CommandID, Reason: 'x' } })
  await house.currentOf(3, 60)
  await eventually(async () => expect((await house.logOf(LinkageID))[0]?.Lines[0]?.Refusal?.Key).toBe('underWay'))
  Object.assign(behaviour, { acknowledge: true, move: true })
  house.line(1).position = 'open'
  await house.reported()
  await eventually(() => expect(house.line(7).position).toBe('closed'))
  const orders = await house.stack.server.database.general
    .selectFrom('command')
    .select(['command_id', 'action', 'issued_at', 'ended_at'])
    .orderBy('issued_at', 'desc')
    .limit(2)
    .execute()
  const [close, trip] = orders
  expect([close?.action, trip?.command_id]).toEqual(['close', CommandID])
  expect(Number(close?.issued_at)).toBeGreaterThanOrEqual(Number(trip?.ended_at ?? Number.NaN))
  await house.gone(LinkageID)
})

test('where a trip fails the linkage closes nothing, nor does a scene of it, and says so', async () => {
  const { SceneID } = await house.stack.client.call(insertScene, {
    body: {
      ...{ HouseID: house.houseOf(), Name: '备用', Icon: 'scene', IfRefused: 'goOn', Enabled: true },
      Items: [{ ...at(8), Action: 'close', Order: 0 }],
    },
  })
  const { LinkageID } = await house.made('分不开', {
    ...{ Conditions: [above(3)], MayClose: true },
    Actions: [does('trip', 1), does('close', 7), { Kind: 'scene', SceneID, DelayS: 0 }],
  })
  await house.turned(LinkageID, 'live')
  await house.reported()
  const { behaviour } = house.gateway()
  Object.assign(behaviour, { move: false })
  await house.currentOf(3, 60)
  await eventually(async () => {
    const [run] = await house.logOf(LinkageID)
    expect(run?.EndedAt).not.toBeNull()
    const closes = run?.Lines.filter(({ Action }) => Action === 'close') ?? []
    expect(closes.map(({ LineNo, Refusal }) => [LineNo, Refusal?.Key])).toEqual([
      [7, 'linkage trip failed'],
      [8, 'linkage trip failed'],
    ])
  })
  Object.assign(behaviour, { move: true })
  expect([7, 8].map((lineNo) => house.line(lineNo).position)).toEqual(['open', 'open'])
  await house.gone(LinkageID)
})

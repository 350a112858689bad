import { photoHashOf, sendPhoto } from '@linewarden/client'
import type { InspectionRound } from '@linewarden/contract'
import {
  finishRound,
  orderOfDefect,
  processWorkOrder,
  returnRound,
  roundPhoto,
  sendRoundPhoto,
  startRound,
} from '@linewarden/contract'
import { jpegPhoto } from '@linewarden/server/test-photos'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { OrderPerson } from '../../kit/order-house.ts'
import { act, OrderHouse } from '../../kit/order-house.ts'
import { outcomeOf } from '../../kit/refused.ts'
import { allFine, detailsOf, phone, started } from '../../kit/round-house.ts'

// Photos of rounds, and what proves that a defect was mended.
let house: OrderHouse
let inspector: OrderPerson
let electrician: OrderPerson
let stranger: OrderPerson
const privileges = ['hazard', 'hazard.patrol', 'hazard.workorder']
const minute = 60_000

beforeAll(async () => {
  house = await OrderHouse.start()
  inspector = await house.person('王海峰', { privileges })
  electrician = await house.person('李强', { privileges })
  stranger = await house.person('别项目', { privileges, projects: [house.houseOf('B')] })
})
afterAll(() => house?.stack.close())

const sent = (person: OrderPerson, { RoundID }: Pick<InspectionRound, 'RoundID'>, bytes: Uint8Array, TakenAt = Date.now()) =>
  sendPhoto(bytes, (piece) =>
    person.client.call(sendRoundPhoto, { params: { RoundID, Hash: photoHashOf(bytes) }, body: { ...piece, TakenAt } }),
  )
const finish = (person: OrderPerson, { RoundID }: Pick<InspectionRound, 'RoundID'>) =>
  person.client.call(finishRound, { params: { RoundID }, body: {} })

describe('a photo that an answer names', () => {
  test('is missing until all of it is here, and stands with the hazard then', async () => {
    const round = await started(house, inspector, { PhotoOn: 'defect' })
    const photo = jpegPhoto({ bytes: 310_000 })
    const hash = photoHashOf(photo)
    const reply = await allFine(inspector, round, phone(), {
      'terminals.colour': { Result: 'defect', Note: '变色', Photos: [hash] },
    })
    expect(reply).toMatchObject({ Missing: [hash], Round: { PhotosMissing: 1 } })
    expect(await outcomeOf(finish(inspector, round))).toBe('round incomplete')
    await sent(inspector, round, photo)
    await sent(inspector, round, photo)
    expect((await detailsOf(inspector, round)).Round).toMatchObject({ PhotosMissing: 0, StopsDone: 2 })
    expect(await finish(inspector, round)).toMatchObject({ State: 'finished', Defects: 1 })
    const { Answers } = await detailsOf(inspector, round)
    const answer = Answers.find(({ ItemID }) => ItemID === 'terminals.colour')
    expect(answer).toMatchObject({ Photos: [hash], MissingPhotos: [], HazardID: expect.any(Number) })
    const ofHazard = await house.stack.server.photos.listOf({ kind: 'hazard', id: String(answer?.HazardID) })
    expect(ofHazard.map(({ sent_hash }) => sent_hash)).toEqual([hash])
    // A phone that lost the answer sends it once more.
    await sent(inspector, round, photo)
  })

  test('is read by whoever sees the round, and by nobody else', async () => {
    const round = await started(house, inspector)
    const photo = jpegPhoto({ bytes: 20_000 })
    await sent(inspector, round, photo)
    const read = (person: OrderPerson) =>
      person.client.call(roundPhoto, { params: { RoundID: round.RoundID, Hash: photoHashOf(photo) } })
    expect(Buffer.from((await read(electrician)).bytes).equals(photo)).toBe(true)
    expect(await outcomeOf(read(stranger))).toBe('round not exists')
    expect(await outcomeOf(sent(stranger, round, photo))).toBe('round not exists')
  })
})

describe('a photo that is on its way while its round is finished', () => {
  /** Another connection of the database that has locked something, until it lets go. */
  async function locked(query: string, values: unknown[]) {
    const client = await house.stack.server.database.connect()
    await client.query('begin')
    await client.query(query, values)
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    return {
      /** Until so many stand behind it, one behind the other. */
      waiters: (count: number) =>
        vi.waitUntil(async () => {
          const waiting = await client.query(
            `with recursive behind (pid) as (select $1::int
               union select a.pid from pg_stat_activity a join behind b on b.pid = any(pg_blocking_pids(a.pid))
               where a.wait_event_type = 'Lock')
             select pid from behind where pid <> $1`,
            [rows[0]?.pid],
          )
          return waiting.rows.length >= count
        }),
      async letGo() {
        await client.query('rollback')
        await client.end()
      },
    }
  }
  const lockOfPhotos = "select pg_advisory_xact_lock(hashtext('photos of a project'), $1::int)"
  const lockOfRound = 'select from inspection_round where round_id = $1 for no key update'

  /** Ready to be finished, with a defect and its photo; and one more photo that no answer names. */
  async function ready() {
    const round = await started(house, inspector)
    const [named, late] = [jpegPhoto({ bytes: 20_000 }), jpegPhoto({ bytes: 20_000 })]
    await sent(inspector, round, named)
    await allFine(inspector, round, phone(), {
      'terminals.colour': { Result: 'defect', Note: '变色', Photos: [photoHashOf(named)] },
    })
    return { round, late, named: photoHashOf(named) }
  }
  const photosOf = async ({ RoundID }: Pick<InspectionRound, 'RoundID'>) =>
    (await house.stack.server.photos.listOf({ kind: 'round', id: RoundID })).map(({ sent_hash }) => sent_hash)

  test('is refused in words, and the round stays as it was signed', async () => {
    const { round, late, named } = await ready()
    const holder = await locked(lockOfPhotos, [round.HouseID])
    const onItsWay = sent(inspector, round, late).catch((error: unknown) => error)
    await holder.waiters(1)
    // Whoever finishes waits for no photo.
    expect(await finish(inspector, round)).toMatchObject({ State: 'finished' })
    await holder.letGo()
    const refusal = await onItsWay
    expect(refusal).toMatchObject({
      message: 'round state',
      problem: { failure: { Text: { zh: expect.stringContaining('已完成') } } },
    })
    expect(await photosOf(round)).toEqual([named])
  })

  test('is taken once the round was returned and is walked again, as it is', async () => {
    const { round, late, named } = await ready()
    const { Version } = await finish(inspector, round)
    expect(await outcomeOf(sent(inspector, round, late))).toBe('round state')
    const params = { RoundID: round.RoundID }
    await electrician.client.call(returnRound, { params, body: { Version, Reason: '照片不全' } })
    expect(await outcomeOf(sent(inspector, round, late))).toBe('round state')
    await inspector.client.call(startRound, { body: { HouseID: round.HouseID, RoundID: round.RoundID } })
    expect(await outcomeOf(sent(inspector, round, late))).toBe('done')
    expect(await photosOf(round)).toEqual([named, photoHashOf(late)])
  })

  test('is stored before it or refused after it, and neither keeps the other for ever', async () => {
    const { round, late, named } = await ready()
    const holder = await locked(lockOfRound, [round.RoundID])
    const onItsWay = outcomeOf(sent(inspector, round, late))
    await holder.waiters(1)
    const finished = finish(inspector, round)
    await holder.waiters(2)
    await holder.letGo()
    expect(await finished).toMatchObject({ State: 'finished' })
    const isStored = (await onItsWay) === 'done'
    expect(await photosOf(round)).toEqual(isStored ? [named, photoHashOf(late)] : [named])
  })
})

describe('the order of a defect', () => {
  const itemId = 'terminals.tight'
  const loose = { [itemId]: { Result: 'defect' as const, Note: '松动' } }
  const verification = async (OrderID: number) => (await house.get(inspector, { OrderID })).Order.Verification

  test('is verified once the item is answered ok with a photo taken after, and by nothing less', async () => {
    const round = await started(house, inspector)
    await allFine(inspector, round, phone(), loose)
    const body = { StopID: 1, ItemID: itemId, ActID: crypto.randomUUID(), PersonInCharge: electrician.id, Dispatch: true }
    const { OrderID } = await inspector.client.call(orderOfDefect, { params: { RoundID: round.RoundID }, body })
    await finish(inspector, round)
    const before = jpegPhoto({ bytes: 21_000 })
    const takenBefore = Date.now()
    await house.later(minute)
    const { Order } = await house.get(electrician, { OrderID })
    await electrician.client.call(processWorkOrder, { body: { ...act(Order), Cause: '未紧固', Done: '紧固，力矩 3 N·m' } })
    await house.later(minute)
    expect(await verification(OrderID)).toMatchObject({ State: 'running', Missing: 'patrol' })

    const bare = await started(house, inspector)
    await allFine(inspector, bare, phone())
    await house.later(minute)
    expect(await verification(OrderID)).toMatchObject({ State: 'running', Missing: 'patrol' })

    // An old photo proves nothing, however new the answer is: it was taken before the order was processed.
    const old = await started(house, inspector)
    await sent(inspector, old, before, takenBefore - 60 * minute)
    await allFine(inspector, old, phone(), { [itemId]: { Photos: [photoHashOf(before)] } })
    await house.later(minute)
    expect(await verification(OrderID)).toMatchObject({ State: 'running', Missing: 'patrol' })

    const again = await started(house, inspector)
    const after = jpegPhoto({ bytes: 22_000 })
    await sent(inspector, again, after)
    await allFine(inspector, again, phone(), { [itemId]: { Photos: [photoHashOf(after)] } })
    await house.later(minute)
    expect(await verification(OrderID)).toMatchObject({ State: 'verified' })
  })
})

import { randomUUID } from 'node:crypto'
import { photoHashOf, sendPhoto } from '@linewarden/client'
import type { WorkOrder } from '@linewarden/contract'
import {
  authorizationOf,
  basePath,
  commentWorkOrder,
  getOrderPhoto,
  getWorkOrder,
  listJournal,
  makeNonce,
  maxOrderPhotos,
  processWorkOrder,
  returnWorkOrder,
  sendOrderPhoto,
  takeBackOrderPhoto,
} from '@linewarden/contract'
import { exifWithGps, jpegPhoto, pngPhoto } from '@linewarden/server/test-photos'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OrderPerson } from '../../kit/order-house.ts'
import { act, OrderHouse } from '../../kit/order-house.ts'
import { outcomeOf } from '../../kit/refused.ts'
import { sessionOf } from '../../kit/stack.ts'

// Photos of orders: by whoever sees the order, and by nobody else.
let house: OrderHouse
let founder: OrderPerson
let electrician: OrderPerson
let stranger: OrderPerson

beforeAll(async () => {
  house = await OrderHouse.start()
  founder = await house.person('周敏')
  electrician = await house.person('王海峰')
  stranger = await house.person('外人', { projects: [house.houseOf('B')] })
})
afterAll(() => house?.stack.close())

interface As {
  readonly Role?: 'before' | 'after' | 'other'
  readonly ActID?: string
  readonly TakenAt?: number
}

const sent = (person: OrderPerson, { OrderID }: Pick<WorkOrder, 'OrderID'>, bytes: Uint8Array, as: As = {}) =>
  sendPhoto(bytes, (piece) =>
    person.client.call(sendOrderPhoto, {
      params: { OrderID, Hash: photoHashOf(bytes) },
      body: { Role: 'other', ...as, ...piece },
    }),
  )
const read = (person: OrderPerson, { OrderID }: Pick<WorkOrder, 'OrderID'>, Hash: string) =>
  person.client.call(getOrderPhoto, { params: { OrderID, Hash } })
const photosOf = async (person: OrderPerson, { OrderID }: Pick<WorkOrder, 'OrderID'>) =>
  (await person.client.call(getWorkOrder, { params: { OrderID } })).Photos

describe('a photo of an order', () => {
  test('is shown with its role, who sent it and when it was taken, and stands once in the log', async () => {
    const order = await house.made(founder, electrician)
    const [before, after] = [jpegPhoto({ bytes: 300_000 }), jpegPhoto({ width: 1_200, height: 1_600 })]
    const TakenAt = house.now - 3_600_000
    await sent(electrician, order, before, { Role: 'before', TakenAt })
    await sent(electrician, order, after, { Role: 'after' })
    await sent(electrician, order, after, { Role: 'after' })
    expect(await photosOf(founder, order)).toMatchObject([
      { Hash: photoHashOf(before), Role: 'before', Actor: '王海峰', TakenAt, StepID: null, Size: before.length },
      { Hash: photoHashOf(after), Role: 'after', Width: 1_200, Height: 1_600, TakenAt: null },
    ])
    const shown = await read(founder, order, photoHashOf(before))
    expect([shown.type, Buffer.from(shown.bytes).equals(before)]).toEqual(['image/jpeg', true])
    const { items } = await house.stack.client.call(listJournal, { body: { Action: 'workOrder.photo', Target: order.Number } })
    expect(items.map(({ Target }) => Target)).toEqual([order.Number, order.Number])
  })

  test('is neither seen nor sent by somebody of another project, and for them the order does not exist', async () => {
    const order = await house.made(founder, electrician)
    const photo = pngPhoto()
    await sent(electrician, order, photo)
    const Hash = photoHashOf(photo)
    expect(await outcomeOf(read(stranger, order, Hash))).toBe('work order not exists')
    expect(await outcomeOf(sent(stranger, order, photo))).toBe('work order not exists')
    // An order of their own gives them nothing of it.
    const own = await house.made(stranger, stranger, { HouseID: house.houseOf('B') })
    expect(await outcomeOf(read(stranger, own, Hash))).toBe('photo not exists')
    const other = await house.made(founder, electrician)
    expect(await outcomeOf(read(founder, other, Hash))).toBe('photo not exists')
  })

  test('is no more than one of twenty-four', async () => {
    const order = await house.made(founder, electrician)
    for (let count = 0; count < maxOrderPhotos; count++) await sent(electrician, order, pngPhoto({ width: 3, height: 3 }))
    expect(await outcomeOf(sent(electrician, order, pngPhoto()))).toBe('too many')
    expect(await photosOf(founder, order)).toHaveLength(maxOrderPhotos)
  })

  test('that is none is refused with what to do', async () => {
    const order = await house.made(founder, electrician)
    const page = Buffer.from('<!doctype html><script>alert(1)</script>')
    expect(await outcomeOf(sent(electrician, order, page))).toBe('photo malformed')
    expect(await photosOf(founder, order)).toEqual([])
  })
})

describe('a photo that should not be there', () => {
  const takenBack = (person: OrderPerson, { OrderID }: Pick<WorkOrder, 'OrderID'>, bytes: Uint8Array) =>
    outcomeOf(person.client.call(takeBackOrderPhoto, { params: { OrderID, Hash: photoHashOf(bytes) } }))
  const offered = async (person: OrderPerson, order: WorkOrder) =>
    (await photosOf(person, order)).map(({ MayTakeBack }) => MayTakeBack)

  test('is taken back by whoever sent it, is read by nobody any more, and the log keeps who did it', async () => {
    const order = await house.made(founder, electrician)
    const [wrong, right] = [pngPhoto({ width: 5, height: 5 }), pngPhoto({ width: 6, height: 6 })]
    await sent(electrician, order, wrong, { Role: 'before' })
    await sent(founder, order, right)
    expect([await offered(electrician, order), await offered(founder, order)]).toEqual([
      [true, false],
      [false, true],
    ])
    expect(await takenBack(founder, order, wrong)).toBe('photo not yours')
    expect(await takenBack(electrician, order, wrong)).toBe('done')
    expect((await photosOf(founder, order)).map(({ Hash }) => Hash)).toEqual([photoHashOf(right)])
    expect(await outcomeOf(read(founder, order, photoHashOf(wrong)))).toBe('photo not exists')
    expect(await takenBack(electrician, order, wrong)).toBe('photo not exists')
    const { items } = await house.stack.client.call(listJournal, {
      body: { Action: 'workOrder.photoBack', Target: order.Number },
    })
    expect(items).toHaveLength(1)
    // It may be sent again: nothing remembers it.
    await sent(electrician, order, wrong)
    expect(await photosOf(founder, order)).toHaveLength(2)
  })

  test('is taken back by an administrator, whoever sent it, and by nobody who does not see the order', async () => {
    const order = await house.made(founder, electrician)
    const photo = pngPhoto({ width: 7, height: 7 })
    await sent(electrician, order, photo)
    expect(await takenBack(stranger, order, photo)).toBe('work order not exists')
    expect(await takenBack(await house.administrator(), order, photo)).toBe('done')
  })

  test('stays once the work was reported as done with it, also after a return; what came after that does not', async () => {
    const order = await house.made(founder, electrician)
    const [reported, later] = [pngPhoto({ width: 8, height: 8 }), pngPhoto({ width: 9, height: 9 })]
    await sent(electrician, order, reported, { Role: 'after' })
    await house.later(1_000)
    const done = { Cause: '端子松动', Done: '已紧固' }
    const processed = await electrician.client.call(processWorkOrder, { body: { ...act(order), ...done } })
    expect(await takenBack(electrician, order, reported)).toBe('photo stays')
    await house.later(1_000)
    const back = await founder.client.call(returnWorkOrder, { body: { ...act(processed), Reason: '照片不清楚' } })
    await sent(electrician, order, later, { Role: 'after' })
    expect(await offered(electrician, back)).toEqual([false, true])
    expect(await takenBack(electrician, order, reported)).toBe('photo stays')
    expect(await takenBack(electrician, order, later)).toBe('done')
  })

  test('of a comment stays: what was written is not changed', async () => {
    const order = await house.made(founder, electrician)
    const [photo, ActID] = [pngPhoto({ width: 10, height: 10 }), randomUUID()]
    await sent(founder, order, photo, { ActID })
    const body = { ActID, Text: '端子已变色', Photos: [photoHashOf(photo)] }
    await founder.client.call(commentWorkOrder, { params: { OrderID: order.OrderID }, body })
    expect(await offered(founder, order)).toEqual([false])
    expect(await takenBack(founder, order, photo)).toBe('photo not exists')
  })
})

describe('a comment', () => {
  test('has the photos that were sent for it, once it has come', async () => {
    const order = await house.made(founder, electrician)
    const [photo, ActID] = [pngPhoto(), randomUUID()]
    const body = { ActID, Text: '端子已变色', Photos: [photoHashOf(photo)] }
    const comment = () => founder.client.call(commentWorkOrder, { params: { OrderID: order.OrderID }, body })
    expect(await outcomeOf(comment())).toBe('photo missing')
    await sent(founder, order, photo, { ActID })
    expect(await photosOf(electrician, order)).toEqual([])
    const step = await comment()
    expect(await comment()).toEqual(step)
    expect(await photosOf(electrician, order)).toMatchObject([{ Hash: photoHashOf(photo), StepID: step?.StepID, Actor: '周敏' }])
    expect((await read(electrician, order, photoHashOf(photo))).type).toBe('image/png')
  })
})

describe('a photo that is read', () => {
  /** As a browser that opens its address would get it, if it could sign. */
  async function opened(order: WorkOrder, hash: string, headers: Record<string, string> = {}) {
    const { userId, token } = await sessionOf(
      house.stack.url,
      { userName: founder.userName, password: 'Duty-7391' },
      () => house.now,
    )
    const path = `${basePath}/workorders/${order.OrderID}/photos/${hash}`
    const timeStamp = Math.floor(house.now / 1_000)
    const signed = { nonce: makeNonce(), timeStamp, userId, token, method: 'GET', path, body: '' }
    return fetch(house.stack.url + path, { headers: { Authorization: authorizationOf(signed), ...headers } })
  }

  test('is only ever a picture: nothing in it runs, wherever it is opened, and no page of others has it', async () => {
    const order = await house.made(founder, electrician)
    const page = '<!doctype html><script>alert(document.domain)</script>'
    const photo = Buffer.concat([jpegPhoto({ extra: [exifWithGps] }), Buffer.from(page)])
    await sent(electrician, order, photo)
    const reply = await opened(order, photoHashOf(photo))
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'private, no-cache',
    })
    expect(reply.headers.get('content-disposition')).toMatch(/^attachment; filename="[0-9a-f]{16}\.jpeg"$/)
    const bytes = Buffer.from(await reply.arrayBuffer())
    expect([bytes.includes('<script>'), bytes.includes('GPS')]).toEqual([false, false])
  })

  test('is asked for again each time, and comes again only where it is not there yet', async () => {
    const order = await house.made(founder, electrician)
    const photo = pngPhoto()
    await sent(electrician, order, photo)
    const tag = (await opened(order, photoHashOf(photo))).headers.get('etag') ?? ''
    const again = await opened(order, photoHashOf(photo), { 'If-None-Match': tag })
    expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([304, 0])
  })
})

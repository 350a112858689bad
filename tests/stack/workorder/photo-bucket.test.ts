import { photoHashOf, sendPhoto } from '@linewarden/client'
import type { WorkOrder } from '@linewarden/contract'
import { getOrderPhoto, insertWorkOrder, sendOrderPhoto } from '@linewarden/contract'
import { pngPhoto } from '@linewarden/server/test-photos'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestBucket } from '../../kit/bucket.ts'
import { startBucket } from '../../kit/bucket.ts'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { startStack } from '../../kit/stack.ts'

// Photos in a bucket that answers signed requests only.
let bucket: TestBucket
let stack: Stack
let order: WorkOrder

beforeAll(async () => {
  bucket = await startBucket()
  stack = await startStack({ plan: smallPlan, env: bucket.env, expects: /photos can be neither stored nor read|file of a photo/ })
  const HouseID = [...stack.server.plant.projects.keys()][0] ?? 0
  const body = {
    HouseID,
    ActID: crypto.randomUUID(),
    Type: 'repair',
    Title: '',
    Description: '查明原因',
    Priority: 'low',
  } as const
  const days = { ValidDays: 7, ReminderDays: 1, WorkingDaysOnly: false }
  order = (await stack.client.call(insertWorkOrder, { body: { ...body, ...days, PersonInCharge: await administratorId() } }))
    .Order
})
afterAll(async () => {
  await stack?.close()
  await bucket?.close()
})

const administratorId = async (): Promise<string> => {
  const { account_id } = await stack.server.database.general
    .selectFrom('account')
    .select('account_id')
    .where('user_name', '=', stack.admin.userName)
    .executeTakeFirstOrThrow()
  return account_id
}

const sent = (bytes: Uint8Array) =>
  sendPhoto(bytes, (piece) =>
    stack.client.call(sendOrderPhoto, {
      params: { OrderID: order.OrderID, Hash: photoHashOf(bytes) },
      body: { Role: 'other', ...piece },
    }),
  )
const read = (bytes: Uint8Array) =>
  stack.client.call(getOrderPhoto, { params: { OrderID: order.OrderID, Hash: photoHashOf(bytes) } })
const placeOf = (bytes: Uint8Array) => {
  const hash = photoHashOf(bytes)
  return `/photos/site-1/${hash.slice(0, 2)}/${hash.slice(2)}`
}

test('a photo lies in the bucket under its hash, with its type, and is read from there', async () => {
  const photo = pngPhoto()
  await sent(photo)
  expect(bucket.objects.get(placeOf(photo))).toMatchObject({ type: 'image/png' })
  expect(Buffer.from((await read(photo)).bytes).equals(photo)).toBe(true)
})

test('what lies there and is not what it is called is not answered', async () => {
  const photo = pngPhoto()
  await sent(photo)
  bucket.objects.set(placeOf(photo), { bytes: Buffer.from('<script>1</script>'), type: 'text/html' })
  expect(await outcomeOf(read(photo))).toBe('photo lost')
})

test('a bucket that is busy is asked again, and one that stays away keeps nothing of a photo', async () => {
  const [busy, away] = [pngPhoto(), pngPhoto()]
  bucket.failNext(503, 1)
  await sent(busy)
  bucket.failNext(503, 3)
  expect(await outcomeOf(sent(away))).toBe('photos away')
  expect(bucket.objects.has(placeOf(away))).toBe(false)
  await sent(away)
  bucket.failNext(403, 1)
  expect(await outcomeOf(read(away))).toBe('photos away')
})

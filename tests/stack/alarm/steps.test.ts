import {
  acknowledgeEvents,
  commentEvent,
  eventPhoto,
  listEventSteps,
  listEvents,
  listJournal,
  maxEventPhotos,
} from '@linewarden/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { raiseEvents } from '../../kit/raised-events.ts'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { signedIn, startStack } from '../../kit/stack.ts'

// What happened to an event, and what people write about it.
let stack: Stack
beforeAll(async () => {
  stack = await startStack({ plan: smallPlan })
})
afterAll(() => stack?.close())

const steps = async (EventID: string) =>
  (await stack.client.call(listEventSteps, { params: { EventID }, query: { Size: 50 } })).items.map(
    ({ Act, From, To, Actor, Text }) => ({
      Act,
      From,
      To,
      Actor,
      Text,
    }),
  )
const comment = (EventID: string, Text: string, CommentID = crypto.randomUUID() as string, by = stack.client) =>
  by.call(commentEvent, { params: { EventID }, body: { CommentID, Text } })
/** A picture of one pixel. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const projectId = (name: string) => [...stack.server.plant.projects.values()].find((each) => each.name === name)?.id ?? 0

async function personOf(userName: string, kind: 'sub' | 'shared', given: { projectIds: number[] }) {
  const { accounts } = stack.server
  const roleId = await accounts.createRole({
    number: userName,
    name: userName,
    privileges: ['devmon', 'devmon.realtime'],
    buttons: [],
  })
  await accounts.createAccount({ userName, password: 'Narrow-7391', kind, roleId, ...given })
  return signedIn(stack.url, { userName, password: 'Narrow-7391' })
}

test('what happened to an alarm and what was written about it is told in one order, each with who it was', async () => {
  const [event = ''] = await raiseEvents(stack, [{}])
  await comment(event, ' 已通知电工 ')
  await stack.client.call(acknowledgeEvents, { body: { EventIDs: [event] } })
  expect(await steps(event)).toEqual([
    { Act: 'acknowledge', From: 'active', To: 'acknowledged', Actor: 'admin', Text: null },
    { Act: 'comment', From: 'active', To: 'active', Actor: 'admin', Text: '已通知电工' },
  ])
})

test('a comment that is sent again is the same one, and its id is nobody else’s', async () => {
  const [event = '', other = ''] = await raiseEvents(stack, [{}, {}])
  const CommentID = crypto.randomUUID()
  const first = await comment(event, '检查中', CommentID)
  expect(await comment(event, '检查中', CommentID)).toEqual(first)
  expect(await steps(event)).toHaveLength(1)
  expect(await outcomeOf(comment(other, '检查中', CommentID))).toBe('comment not new')
})

test('a comment that is sent again with another text or photo is not taken for the one that is there', async () => {
  const [event = ''] = await raiseEvents(stack, [{}])
  const CommentID = crypto.randomUUID()
  const send = (Text: string, Data: string | null) =>
    stack.client.call(commentEvent, {
      params: { EventID: event },
      body: { CommentID, Text, ...(Data !== null && { Photo: { Type: 'image/png' as const, Data } }) },
    })
  const first = await send('端子发热', png)
  expect(await outcomeOf(send('端子已紧固', png))).toBe('comment not new')
  expect(await outcomeOf(send('端子发热', null))).toBe('comment not new')
  // The same picture with a byte after its end.
  const other = Buffer.concat([Buffer.from(png, 'base64'), Buffer.from([0])]).toString('base64')
  expect(await outcomeOf(send('端子发热', other))).toBe('comment not new')
  expect(await send(' 端子发热 ', png)).toEqual(first)
  expect(await steps(event)).toHaveLength(1)
})

test('what was written stays as it was written', async () => {
  const [event = ''] = await raiseEvents(stack, [{}])
  await comment(event, '原文')
  const db = await stack.server.database.connect()
  await expect(db.query("update event_transition set reason = '改写' where event_id = $1", [event])).rejects.toThrow(
    'append-only',
  )
  await db.end()
})

test('steps are read by whoever sees the event, and written by those of them who are not shared accounts', async () => {
  const [own = '', foreign = '', journal = ''] = await raiseEvents(stack, [
    {},
    { controllerId: 'B-T1' },
    { kind: 'journal', state: null },
  ])
  await comment(own, '可见')
  const given = { projectIds: [projectId('项目A')] }
  const [sub, shared] = [await personOf('13800000061', 'sub', given), await personOf('13800000062', 'shared', given)]
  for (const person of [sub, shared]) {
    expect((await person.call(listEventSteps, { params: { EventID: own }, query: {} })).total).toBe(1)
    expect(await outcomeOf(person.call(listEventSteps, { params: { EventID: foreign }, query: {} }))).toBe('event not exists')
  }
  expect(await outcomeOf(comment(foreign, '不可见', crypto.randomUUID(), sub))).toBe('event not exists')
  expect(await outcomeOf(comment(own, '共享', crypto.randomUUID(), shared))).toBe('access denied')
  expect(await outcomeOf(comment(journal, '日志'))).toBe('event not exists')
})

test('an event of a project as a whole is seen by whoever sees all of it, and by nobody who sees a part', async () => {
  const [event = ''] = await raiseEvents(stack, [{ lineNo: 'project', key: 'project.outage' }])
  const body = { Keys: ['project.outage'] }
  const { items } = await stack.client.call(listEvents, { body })
  expect(items).toMatchObject([
    { EventID: event, DeviceID: null, LineID: null, Where: { HouseName: '项目A', GatewayName: null } },
  ])
  const whole = await personOf('13800000063', 'sub', { projectIds: [projectId('项目A')] })
  const other = await personOf('13800000064', 'sub', { projectIds: [projectId('项目B')] })
  expect((await whole.call(listEvents, { body })).total).toBe(1)
  expect((await other.call(listEvents, { body })).total).toBe(0)
  expect(await whole.call(acknowledgeEvents, { body: { EventIDs: [event] } })).toMatchObject({ Acknowledged: 1 })
  await expect(raiseEvents(stack, [{ lineNo: 'project', key: 'project.outage' }])).rejects.toThrow('event_open_once_of_project')
})

test('a photo comes with the comment that it was sent with, to whoever sees the event and to nobody else', async () => {
  const [event = '', other = ''] = await raiseEvents(stack, [{}, {}])
  const CommentID = crypto.randomUUID()
  const body = { CommentID, Text: '端子已变色', Photo: { Type: 'image/png' as const, Data: png } }
  expect(await stack.client.call(commentEvent, { params: { EventID: event }, body })).toMatchObject({ CommentID, Photo: true })
  // Sent once more it is the same.
  await stack.client.call(commentEvent, { params: { EventID: event }, body })
  await comment(event, '已紧固')
  const { items } = await stack.client.call(listEventSteps, { params: { EventID: event }, query: {} })
  expect(items.map(({ Text, Photo }) => [Text, Photo])).toEqual([
    ['已紧固', false],
    ['端子已变色', true],
  ])
  const photo = (EventID: string, by = stack.client) => by.call(eventPhoto, { params: { EventID, CommentID } })
  expect(await photo(event)).toEqual({ Type: 'image/png', Data: png })
  expect(await outcomeOf(photo(other))).toBe('event not exists')
  const stranger = await personOf('13800000065', 'sub', { projectIds: [projectId('项目B')] })
  expect(await outcomeOf(photo(event, stranger))).toBe('event not exists')
  const { items: log } = await stack.client.call(listJournal, { body: { Size: 50 } })
  const entry = log.find(({ After }) => After?.includes('端子已变色'))
  expect([entry?.After?.includes('photo'), entry?.After?.includes(png)]).toEqual([true, false])
})

test('an event has twenty photos at most, also where two are sent at once; comments without one go on', async () => {
  const [event = '', other = ''] = await raiseEvents(stack, [{}, {}])
  const withPhoto = (EventID = event) =>
    outcomeOf(
      stack.client.call(commentEvent, {
        params: { EventID },
        body: { CommentID: crypto.randomUUID(), Text: '照片', Photo: { Type: 'image/png', Data: png } },
      }),
    )
  const before: string[] = []
  for (let count = 1; count < maxEventPhotos; count += 1) before.push(await withPhoto())
  const last = await Promise.all([withPhoto(), withPhoto()])
  expect([...before, ...last].filter((outcome) => outcome === 'too many photos')).toHaveLength(1)
  expect(await withPhoto()).toBe('too many photos')
  expect(await steps(event)).toHaveLength(maxEventPhotos)
  await comment(event, '无照片')
  expect(await steps(event)).toHaveLength(maxEventPhotos + 1)
  expect(await withPhoto(other)).toBe('done')
})

test('what is no picture is refused, and no comment is stored with it', async () => {
  const [event = ''] = await raiseEvents(stack, [{}])
  const sent = stack.client.call(commentEvent, {
    params: { EventID: event },
    body: { CommentID: crypto.randomUUID(), Text: '照片', Photo: { Type: 'image/png', Data: 'aGFsbG8=' } },
  })
  expect(await outcomeOf(sent)).toBe('photo malformed')
  expect(await steps(event)).toEqual([])
})

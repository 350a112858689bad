import { createClient } from '@linewarden/client'
import { isNewMessage, logout, placeNames, setLanguage } from '@linewarden/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { sessionOf, startStack } from '../../kit/stack.ts'

let stack: Stack

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan })
})
afterAll(() => stack?.close())

test('a poll tells an event once', async () => {
  await stack.client.call(isNewMessage, { query: {} })
  stack.fleet.run('shortCircuit', { controllerId: 'A-T1', lineNo: 8 })
  await expect
    .poll(async () => (await stack.client.call(isNewMessage, { query: {} })).Events.map(({ Key }) => Key))
    .toContain('trip.short')
  expect((await stack.client.call(isNewMessage, { query: {} })).IsNewMessage).toBe(false)
})

test('of two tabs of one session each is told every event, and what was lost with an answer comes again', async () => {
  const session = await sessionOf(stack.url, stack.admin)
  const client = createClient({ baseUrl: stack.url, session: () => session })
  const tab = () => {
    let Since = ''
    return async (lost = false): Promise<string[]> => {
      const { Events, Last } = await client.call(isNewMessage, { query: { Since } })
      if (lost) return []
      Since = Last
      return Events.map(({ Key }) => Key)
    }
  }
  const [one, two] = [tab(), tab()]
  expect([await one(), await two()]).toEqual([[], []])
  stack.fleet.run('shortCircuit', { controllerId: 'A-T1', lineNo: 5 })
  await vi.waitFor(async () => expect(await one()).toContain('trip.short'))
  expect([await two(true), await two(), await one(), await two()]).toEqual([[], ['trip.short'], [], []])
  // A page loaded anew begins where its session stands, and a caller as specified is told no more than that.
  expect(await tab()()).toEqual([])
  expect((await client.call(isNewMessage, { query: {} })).IsNewMessage).toBe(false)
})

test('what nobody has confirmed is new to a page loaded anew, and to a caller as specified', async () => {
  const session = await sessionOf(stack.url, stack.admin)
  const client = createClient({ baseUrl: stack.url, session: () => session })
  stack.fleet.run('shortCircuit', { controllerId: 'A-T1', lineNo: 4 })
  const keys = async (query: { Since?: string }) => (await client.call(isNewMessage, { query })).Events.map(({ Key }) => Key)
  await vi.waitFor(async () => expect(await keys({ Since: '' })).toEqual(['trip.short']))
  expect([await keys({ Since: '' }), await keys({}), await keys({})]).toEqual([['trip.short'], ['trip.short'], []])
  // Nor is it lost between two sessions: the next begins where the account was told.
  stack.fleet.run('shortCircuit', { controllerId: 'B-T1', lineNo: 2 })
  await vi.waitFor(async () => expect(await keys({ Since: '' })).toEqual(['trip.short']))
  const next = await sessionOf(stack.url, stack.admin)
  const nextClient = createClient({ baseUrl: stack.url, session: () => next })
  expect((await nextClient.call(isNewMessage, { query: { Since: '' } })).Events.map(({ Key }) => Key)).toEqual(['trip.short'])
  expect(await keys({})).toEqual(['trip.short'])
  await nextClient.call(logout, { body: { UserID: next.userId } })
})

test('of more events than one answer holds the next goes on; an event that is not there yet makes nobody deaf', async () => {
  const db = await stack.server.database.connect()
  const line = stack.server.plant.lineAt('A-T1', 3)
  const { gateway } = line?.device ?? {}
  const poll = async (Since?: string) => {
    const { Events, Last } = await stack.client.call(isNewMessage, { query: Since === undefined ? {} : { Since } })
    return { ids: Events.map(({ EventID }) => EventID), Last }
  }
  const insert = (count: number) =>
    db.query<{ event_id: string }>(
      `insert into event (kind, priority, key, label_zh, label_en, state, project_id, gateway_id, line_id, raised_at, stored_at)
       select 'warning', 'low', gen_random_uuid()::text, '漏电注意', 'Residual current notice', 'active', $1, $2, $3, now(), now()
       from generate_series(1, $4) returning event_id`,
      [gateway?.project.id, gateway?.id, line?.id, count],
    )
  try {
    await poll()
    const { Last } = await poll('')
    const { rows } = await insert(51)
    const ids = rows.map(({ event_id }) => event_id)
    const first = await poll(Last)
    expect(first).toEqual({ ids: ids.slice(0, 50), Last: ids[49] })
    expect(await poll(first.Last)).toEqual({ ids: ids.slice(50), Last: ids[50] })
    const beyond = await poll('999999999999999999')
    expect(beyond).toEqual({ ids: [], Last: ids[50] })
    const [next] = (await insert(1)).rows
    expect((await poll(beyond.Last)).ids).toEqual([next?.event_id])
    await poll()
  } finally {
    await db.query("delete from event where kind = 'warning' and line_id = $1", [line?.id])
    await db.end()
  }
})

test('an early warning comes with the name and the sound of a fault', async () => {
  const session = await sessionOf(stack.url, stack.admin)
  const client = createClient({ baseUrl: stack.url, session: () => session })
  const line = stack.server.plant.lineAt('A-T1', 3)
  const { gateway } = line?.device ?? {}
  const db = await stack.server.database.connect()
  try {
    await db.query(
      `insert into event (kind, priority, key, label_zh, label_en, state, project_id, gateway_id, line_id, raised_at, stored_at)
       values ('warning', 'low', 'residual.notice', '漏电注意', 'Residual current notice', 'active', $1, $2, $3, now(), now())`,
      [gateway?.project.id, gateway?.id, line?.id],
    )
    const polled = await client.call(isNewMessage, { query: {} })
    expect(polled).toMatchObject({ IsNewMessage: true, Type: 'error', Url: '/sounds/error.wav' })
  } finally {
    await db.query("delete from event where kind = 'warning' and line_id = $1", [line?.id])
    await db.end()
  }
})

test('a poll speaks the language of the account', async () => {
  const spoken = async (Language: 'CN' | 'EN', lineNo: number) => {
    await stack.client.call(setLanguage, { body: { Language } })
    await stack.client.call(isNewMessage, { query: {} })
    stack.fleet.run('shortCircuit', { controllerId: 'A-T1', lineNo })
    return vi.waitFor(
      async () => {
        const { Content, Events } = await stack.client.call(isNewMessage, { query: {} })
        const newest = Events.at(-1)
        if (!newest) throw new Error('nothing was told yet')
        return { Content, newest }
      },
      { timeout: 10_000 },
    )
  }
  const english = await spoken('EN', 7)
  expect(english.Content).toBe(`${english.newest.Label.en} ${placeNames(english.newest.Where).join(' / ')}`)
  const chinese = await spoken('CN', 6)
  expect(chinese.Content).toBe(`${chinese.newest.Label.zh} ${placeNames(chinese.newest.Where).join(' / ')}`)
})

import { createClient } from '@linewarden/client'
import { isNewMessage, logout, placeNames, setLanguage } from '@linewarden/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { raiseEvents } from '../../kit/raised-events.ts'
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

test('of more events than one answer holds the next goes on; an announcement that is not there yet makes nobody deaf', async () => {
  const poll = async (Since?: string) => {
    const { Events, Last } = await stack.client.call(isNewMessage, { query: Since === undefined ? {} : { Since } })
    return { ids: Events.map(({ EventID }) => EventID), Last }
  }
  const insert = (count: number) =>
    raiseEvents(
      stack,
      Array.from({ length: count }, () => ({ kind: 'warning', lineNo: 3 })),
    )
  await poll()
  const { Last } = await poll('')
  const ids = await insert(51)
  const first = await poll(Last)
  expect(first.ids).toEqual(ids.slice(0, 50))
  const second = await poll(first.Last)
  expect(second.ids).toEqual(ids.slice(50))
  const beyond = await poll('999999999999999999')
  expect(beyond).toEqual({ ids: [], Last: second.Last })
  const next = await insert(1)
  expect((await poll(beyond.Last)).ids).toEqual(next)
  await poll()
})

test('an early warning comes with the name and the sound of a fault', async () => {
  const session = await sessionOf(stack.url, stack.admin)
  const client = createClient({ baseUrl: stack.url, session: () => session })
  await raiseEvents(stack, [{ kind: 'warning', priority: 'low', key: 'residual.notice', lineNo: 3 }])
  const polled = await client.call(isNewMessage, { query: {} })
  expect(polled).toMatchObject({ IsNewMessage: true, Type: 'error', Url: '/sounds/error.wav' })
})

test('a poll speaks the language of the account', async () => {
  const spoken = async (Language: 'CN' | 'EN', lineNo: number) => {
    await stack.client.call(setLanguage, { body: { Language } })
    await stack.client.call(isNewMessage, { query: {} })
    stack.fleet.run('shortCircuit', { controllerId: 'A-T1', lineNo })
    return vi.waitFor(async () => {
      const { Content, Events } = await stack.client.call(isNewMessage, { query: {} })
      const newest = Events.at(-1)
      if (!newest) throw new Error('nothing was announced yet')
      return { Content, newest }
    })
  }
  const english = await spoken('EN', 7)
  expect(english.Content).toBe(`${english.newest.Label.en} ${placeNames(english.newest.Where).join(' / ')}`)
  const chinese = await spoken('CN', 6)
  expect(chinese.Content).toBe(`${chinese.newest.Label.zh} ${placeNames(chinese.newest.Where).join(' / ')}`)
})

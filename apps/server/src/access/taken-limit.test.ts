import { expect, test } from 'vitest'
import type { Actor } from './actor.ts'
import { createTakenLimit } from './taken-limit.ts'

let now = 0
const actor = (accountId: string, tenant: string | null = 'anna') => ({ accountId, tenant, platform: false }) as Actor
const learnt = async (work: Promise<unknown>) =>
  work.then(
    () => true,
    () => false,
  )
/** How many of so many looks, all at once, find that something is a stranger's. */
const atOnce = async (times: number, look: (index: number) => Promise<unknown>) =>
  (await Promise.all(Array.from({ length: times }, (_, index) => learnt(look(index))))).filter(Boolean).length

test('many at once learn no more than one after the other, and an hour later as much again', async () => {
  const limit = createTakenLimit(() => now)
  const look = () => limit(actor('bert'), async (foreign) => foreign(1))
  expect(await atOnce(50, look)).toBe(20)
  expect(await atOnce(50, look)).toBe(0)
  now += 180_000
  expect(await atOnce(50, look)).toBe(1)
  now += 3_600_000
  expect(await atOnce(50, look)).toBe(20)
})

test('an administrator gets no further by many accounts', async () => {
  const limit = createTakenLimit(() => now)
  expect(await atOnce(200, (index) => limit(actor(`sub ${index}`), async (foreign) => foreign(1)))).toBe(100)
  expect(await atOnce(1, () => limit(actor('bert', 'bert'), async (foreign) => foreign(1)))).toBe(1)
})

test('what finds nothing of a stranger, or fails otherwise, costs nothing', async () => {
  const limit = createTakenLimit(() => now)
  for (let i = 0; i < 50; i++) {
    expect(await limit(actor('bert'), () => 'free')).toBe('free')
    await expect(limit(actor('bert'), () => Promise.reject(new Error('lost')))).rejects.toThrow('lost')
  }
  expect(await atOnce(1, () => limit(actor('bert'), async (foreign) => foreign(20)))).toBe(1)
})

test('more in one look than may be learnt: it fails, and leaves what there was', async () => {
  const limit = createTakenLimit(() => now)
  const look = (count: number) => limit(actor('bert'), async (foreign) => foreign(count))
  await expect(look(21)).rejects.toMatchObject({ key: 'too many taken' })
  await look(20)
  await expect(look(0)).rejects.toMatchObject({ key: 'too many taken' })
})

import { listEvents } from '@linewarden/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { outcomeOf } from '../../kit/refused.ts'
import { settingOrders } from '../../kit/setting-orders.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { startStack } from '../../kit/stack.ts'

let stack: Stack
let ahead = 0

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan, clock: () => Date.now() + ahead, fleet: { now: () => Date.now() + ahead } })
})
afterAll(() => stack?.close())

const { gateway, set, history, ends, settingState, inEquipment } = settingOrders(() => stack)

test('a protection at its weakest end needs an expiry, and comes back by itself', async () => {
  await set(7, { 'leakage.trip': 100 })
  await ends(7, 'verified')
  expect(await outcomeOf(set(7, { 'leakage.trip': 500 }))).toBe('reason and expiry missing')
  expect(await outcomeOf(set(7, { 'leakage.trip': 500 }, { OffUntil: Date.now() + ahead + 25 * 3_600_000 }))).toBe(
    'reason and expiry missing',
  )
  await set(7, { 'leakage.trip': 500 }, { OffUntil: Date.now() + ahead + 65_000 })
  await ends(7, 'verified')
  // Weak for a while is not where it stands: it cannot be made to stay so by sending the same value without an expiry.
  expect(await outcomeOf(set(7, { 'leakage.trip': 500 }))).toBe('reason and expiry missing')
  expect(await settingState(7, 'leakage.trip')).toMatchObject({ Off: { Former: 100, State: 'standing', Reason: '整定' } })
  ahead += 66_000
  await vi.waitFor(() => expect(inEquipment(7, 'leakage.trip')).toBe(100), { interval: 50 })
  await ends(7, 'verified')
  expect((await history(7))[0]).toMatchObject({ Source: 'expiry', Actor: 'system' })
  expect(await settingState(7, 'leakage.trip')).toMatchObject({ Reported: 100, Desired: 100, Off: null })
})

test('a protection that cannot come back is an alarm, until somebody restores it', async () => {
  const open = async () => {
    const { items } = await stack.client.call(listEvents, { body: { Open: true, Size: 100 } })
    return items.filter(({ Key, State }) => Key === 'setting.notRestored' && State !== 'returned')
  }
  const link = () => stack.server.plant.lineAt('A-T1', 7)?.device.gateway.link
  // In the minute that has passed at once it said nothing: that it speaks again is seen within a second.
  await vi.waitFor(() => expect(link()).toBe('online'))
  await set(7, { 'leakage.trip': 500 }, { OffUntil: Date.now() + ahead + 65_000 })
  await ends(7, 'verified')
  gateway().disconnectAbruptly()
  await vi.waitFor(() => expect(link()).toBe('offline'))
  // The expiry, and a minute in which it might have come back.
  ahead += 127_000
  await vi.waitFor(async () => expect(await open()).toMatchObject([{ LineNo: 7, Point: 'leakage.trip', Limit: 100 }]))
  expect(await outcomeOf(set(7, { 'leakage.trip': 100 }))).toBe('离线')
  await gateway().reconnect()
  await stack.server.ingest.drained()
  expect(await settingState(7, 'leakage.trip')).toMatchObject({ Reported: 500, Off: { State: 'failed', Former: 100 } })
  await set(7, { 'leakage.trip': 100 })
  await ends(7, 'verified')
  await vi.waitFor(async () => expect(await open()).toEqual([]))
  expect(await settingState(7, 'leakage.trip')).toMatchObject({ Off: null })
})

test('nothing was ever set twice or after its deadline', () => {
  const all = stack.fleet.executed.filter(({ action, outcome }) => action === 'set' && outcome === 'executed')
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
  expect(all.every(({ at, deadline }) => at <= deadline)).toBe(true)
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import type { OrderStep, PersonAct } from './acts.ts'
import { actRefusal, afterStep, isActOf, isWatched, maxPauseMs, personActs, transitions } from './acts.ts'
import { isPaused, newRound, pausedMs } from './clock.ts'
import type { OrderState, OrderStatus } from './order.ts'
import { orderStatuses } from './order.ts'
import { day, hour, newOrder, t0 } from './test-order.ts'

const founder = { accountId: 'founder', administrator: false }
const worker = { accountId: 'worker', administrator: false }
const helper = { accountId: 'helper', administrator: false }
const boss = { accountId: 'boss', administrator: true }
const stranger = { accountId: 'stranger', administrator: false }

const dispatched = (more: Partial<OrderState> = {}) =>
  newOrder({ status: 'dispatched', personInCharge: 'worker', helpers: ['helper'], clock: newRound(t0, 'medium'), ...more })
const processed = () => afterStep(dispatched(), { act: 'process' }, 'worker', t0 + hour)
const closed = () => afterStep(dispatched(), { act: 'close' }, 'founder', t0 + hour)

const of: { readonly [S in OrderStatus]: () => OrderState } = {
  ...{ undispatched: newOrder, dispatched, processed, closed },
  accepted: () => afterStep(processed(), { act: 'accept' }, 'founder', t0 + 2 * hour),
}

test.each<[OrderStatus, readonly PersonAct[]]>([
  ['undispatched', ['dispatch', 'close']],
  ['dispatched', ['dispatch', 'take', 'decline', 'pause', 'resume', 'process', 'close']],
  ['processed', ['return', 'accept']],
  ['closed', ['reopen']],
  ['accepted', []],
])('an order that is %s lets %j happen and nothing else', (status, acts) => {
  expect(personActs.filter((act) => isActOf({ status }, act))).toEqual(acts)
  for (const act of personActs)
    if (!acts.includes(act))
      expect(actRefusal(of[status](), act, boss, t0)).toEqual({ key: 'order state', status, allowed: acts })
})

describe('who may', () => {
  test.each<[PersonAct, () => OrderState, readonly string[]]>([
    ['dispatch', newOrder, ['founder', 'boss']],
    ['dispatch', dispatched, ['founder', 'boss']],
    ['take', dispatched, ['worker']],
    ['decline', dispatched, ['worker']],
    ['pause', dispatched, ['worker']],
    ['process', dispatched, ['worker', 'helper']],
    ['return', processed, ['founder', 'boss']],
    ['accept', processed, ['founder', 'boss']],
    ['close', dispatched, ['founder', 'boss']],
    ['reopen', closed, ['founder', 'boss']],
  ])('%s', (act, order, may) => {
    const people = [founder, worker, helper, boss, stranger]
    expect(people.filter((each) => actRefusal(order(), act, each, t0) === null).map(({ accountId }) => accountId)).toEqual(may)
    expect(actRefusal(order(), act, stranger, t0)).toEqual({ key: 'order not yours', who: transitions[act].who })
  })

  test('nobody accepts what they processed, not even an administrator', () => {
    const own = afterStep(dispatched({ personInCharge: 'boss' }), { act: 'process' }, 'boss', t0)
    expect(actRefusal(own, 'accept', boss, t0)).toEqual({ key: 'order four eyes' })
    expect(actRefusal(own, 'accept', founder, t0)).toBeNull()
  })

  test('who closed it may reopen it, for thirty days', () => {
    const own = afterStep(dispatched(), { act: 'close' }, 'stranger', t0)
    expect(actRefusal(own, 'reopen', stranger, t0 + 30 * day)).toBeNull()
    expect(actRefusal(own, 'reopen', stranger, t0 + 30 * day + 1)).toEqual({ key: 'order too late', days: 30 })
  })
})

describe('what is done once', () => {
  test('an order is taken once', () => {
    const taken = afterStep(dispatched(), { act: 'take' }, 'worker', t0)
    expect(actRefusal(taken, 'take', worker, t0)).toEqual({ key: 'order taken' })
    const other = afterStep(taken, { act: 'dispatch', to: 'helper' }, 'founder', t0 + hour)
    expect(actRefusal(other, 'take', helper, t0)).toBeNull()
  })

  test('a pause is begun once and ended once', () => {
    const paused = afterStep(dispatched(), { act: 'pause', until: t0 + 5 * hour }, 'worker', t0)
    expect(actRefusal(paused, 'pause', worker, t0 + hour)).toEqual({ key: 'order paused' })
    expect(actRefusal(paused, 'resume', worker, t0 + hour)).toBeNull()
    expect(actRefusal(paused, 'resume', worker, t0 + 5 * hour)).toEqual({ key: 'order not paused' })
    expect(actRefusal(dispatched(), 'resume', worker, t0)).toEqual({ key: 'order not paused' })
  })

  test('pauses of one round last thirty days together', () => {
    const paused = afterStep(dispatched(), { act: 'pause', until: t0 + 20 * day }, 'worker', t0)
    expect(maxPauseMs(paused)).toBe(10 * day)
    expect(maxPauseMs(afterStep(paused, { act: 'resume' }, 'worker', t0 + day))).toBe(29 * day)
    expect(maxPauseMs(dispatched({ clock: newRound(t0, 'low') }))).toBe(30 * day)
  })
})

describe('what follows', () => {
  test('declined it is nobody’s, and whoever gets it next has all the time', () => {
    const declined = afterStep(dispatched(), { act: 'decline' }, 'worker', t0 + hour)
    expect(declined).toMatchObject({ status: 'undispatched', personInCharge: null, helpers: [] })
    const again = afterStep(declined, { act: 'dispatch', to: 'helper' }, 'founder', t0 + 2 * hour)
    expect(again.clock).toMatchObject({ respondFrom: t0 + 2 * hour, resolveFrom: t0 + 2 * hour })
  })

  test('given to another it is answered anew, and the time to resolve it goes on', () => {
    const other = afterStep(dispatched(), { act: 'dispatch', to: 'helper' }, 'founder', t0 + hour)
    expect(other.clock).toMatchObject({ respondFrom: t0 + hour, resolveFrom: t0, takenAt: null })
  })

  test('returned it has the same person and what has run', () => {
    const returned = afterStep(processed(), { act: 'return' }, 'founder', t0 + 3 * hour)
    expect(returned).toMatchObject({ status: 'dispatched', personInCharge: 'worker', returns: 1 })
    expect(returned.clock.interruptions).toEqual([{ from: t0 + hour, until: t0 + 3 * hour, processed: true }])
  })

  test('a value that is back returns a processed order by itself', () => {
    const back = afterStep(processed(), { act: 'contradict' }, null, t0 + 3 * hour)
    expect(back).toMatchObject({ status: 'dispatched', personInCharge: 'worker', returns: 1, reopened: 0, priority: 'medium' })
  })

  test('it reopens an accepted one for seven days, one priority up and with all the time', () => {
    const accepted = of.accepted()
    const acceptedAt = t0 + 2 * hour
    expect(isWatched(accepted, acceptedAt + 7 * day - 1)).toBe(true)
    expect(isWatched(accepted, acceptedAt + 7 * day)).toBe(false)
    expect(isWatched(processed(), t0)).toBe(false)
    const back = afterStep(accepted, { act: 'contradict' }, null, t0 + day)
    expect(back).toMatchObject({
      status: 'dispatched',
      personInCharge: 'worker',
      reopened: 1,
      priority: 'high',
      acceptedAt: null,
    })
    expect(back.clock).toEqual(newRound(t0 + day, 'high'))
  })

  test('reopened it is what it was before it was closed', () => {
    expect(afterStep(closed(), { act: 'reopen' }, 'founder', t0 + day)).toMatchObject({ status: 'dispatched', reopened: 1 })
    const early = afterStep(newOrder(), { act: 'close' }, 'founder', t0)
    expect(afterStep(early, { act: 'reopen' }, 'founder', t0 + day)).toMatchObject({ status: 'undispatched', closer: null })
  })

  test('processed it is paused no more', () => {
    const paused = afterStep(dispatched(), { act: 'pause', until: t0 + 5 * hour }, 'worker', t0)
    const done = afterStep(paused, { act: 'process' }, 'worker', t0 + hour)
    expect(isPaused(done.clock, t0 + 2 * hour)).toBe(false)
    expect(done).toMatchObject({ status: 'processed', processor: 'worker', clock: { takenAt: t0 + hour } })
  })
})

const anyStep = fc.record({
  act: fc.constantFrom(...personActs, 'contradict' as const),
  who: fc.constantFrom(founder, worker, helper, boss, stranger),
  waits: fc.integer({ min: 0, max: 5 * day }),
  hours: fc.integer({ min: 1, max: 800 }),
})

test('whatever people do, only the listed transitions happen and the order stays whole', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 30 }), (tries) => {
      let order = newOrder()
      let now = t0
      for (const { act, who, waits, hours } of tries) {
        now += waits
        const isOwn = act === 'contradict'
        if (isOwn ? !isActOf(order, act) : actRefusal(order, act, who, now) !== null) continue
        const before = order
        order = afterStep(before, stepOf(act, now, Math.min(hours * hour, maxPauseMs(order))), isOwn ? null : who.accountId, now)
        expect(transitions[act].from).toContain(before.status)
        expect(orderStatuses).toContain(order.status)
        // Somebody has it exactly while it is past dispatch; closed it may be either.
        if (order.status === 'undispatched') expect([order.personInCharge, order.clock.respondFrom]).toEqual([null, null])
        if (['dispatched', 'processed', 'accepted'].includes(order.status)) expect(order.personInCharge).not.toBeNull()
        if (order.status === 'accepted') expect(order.processor).not.toBe(who.accountId)
        expect(order.returns + order.reopened).toBeGreaterThanOrEqual(before.returns + before.reopened)
        expect(pausedMs(order.clock)).toBeLessThanOrEqual(30 * day)
        expect(order.clock.interruptions.filter(({ until }) => until === null).length).toBe(
          order.status === 'processed' || order.status === 'accepted' ? 1 : 0,
        )
      }
    }),
    { numRuns: lawRuns(1_000) },
  )
})

function stepOf(act: OrderStep['act'], now: number, pauses: number): OrderStep {
  if (act === 'dispatch') return { act, to: 'worker' }
  return act === 'pause' ? { act, until: now + pauses } : { act }
}

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { BlockReason } from './block-reason.ts'
import { blocksAtSending, settledByAuthorising } from './block-reason.ts'
import type { CommandAction } from './command.ts'
import { anotherUnderWay, freshForMs, operationGapMs } from './conditions.ts'
import type { LineFacts } from './line-facts.ts'
import { reaches } from './line-facts.ts'
import { blocksAtSend, conditionsOf, interlockConditions, personBlocks, storedBlock } from './permit.ts'
import { healthy, now } from './test-line.ts'

const tag = { on: 'line', holder: '张工', reason: '检修' } as const
const actor = { mayOperate: true, shared: false }

const healthyFor = (action: CommandAction): LineFacts => ({ ...healthy, position: action === 'close' ? 'open' : 'closed' })
const actions = ['trip', 'close', 'silence', 'selfTest', 'set'] as const satisfies readonly CommandAction[]

test('every reason is either looked at again before the sending or cannot come to stand meanwhile, and never both', () => {
  const [atSending, settled] = [Object.keys(blocksAtSending), Object.keys(settledByAuthorising)]
  expect(settled.filter((each) => atSending.includes(each))).toEqual([])
  const judged = new Set(
    actions.flatMap((action) =>
      [healthyFor(action), { ...healthy, link: 'offline', reach: 'push_only' } as const].flatMap((line) =>
        conditionsOf(action, line, actor, now).map(({ key }) => key as string),
      ),
    ),
  )
  expect([...judged].sort()).toEqual([...atSending, ...settled].filter((each) => each !== 'tripOrdered').sort())
})

const blocked: Record<keyof typeof blocksAtSending, readonly [CommandAction, Partial<LineFacts>]> = {
  tripOrdered: ['close', {}],
  tripCause: ['close', { tripCause: 'leakage' }],
  localLock: ['set', { localLock: 'on' }],
  tags: ['set', { tags: [tag] }],
  inspection: ['silence', { inspectionUntil: now + 1 }],
  online: ['close', { link: 'stale' }],
  reachable: ['set', { reach: 'device_gone' }],
  clock: ['set', { clockGood: false }],
  fresh: ['selfTest', { liveReceivedAt: now - freshForMs - 1 }],
  position: ['close', { position: 'closed' }],
  closed: ['selfTest', { position: 'open' }],
  selfTest: ['close', { selfTest: 'running' }],
  quietHours: ['selfTest', { quietUntil: now + 1 }],
  sounding: ['silence', { sounder: 'quiet' }],
}

describe('an order is not sent once there is', () => {
  test.each(Object.entries(blocked))('%s', (reason, [action, difference]) => {
    const line = healthyFor(action)
    expect(blocksAtSend(action, line, { tripOrdered: false }, now)).toBeNull()
    expect(blocksAtSend(action, { ...line, ...difference }, { tripOrdered: reason === 'tripOrdered' }, now)).toBe(reason)
  })
})

test.each(reaches.filter((reach) => reach !== 'yes'))(
  'a device that is %s is looked at again before anything but a trip is sent',
  (reach) => {
    for (const action of actions)
      expect(blocksAtSend(action, { ...healthyFor(action), reach }, { tripOrdered: false }, now)).toBe(
        action === 'trip' ? null : 'reachable',
      )
  },
)

test('what the order itself has moved, and what the database has settled, does not block it', () => {
  const moved = { ...healthyFor('close'), lastOperationAt: now - operationGapMs + 1, pending: { action: 'close' } } as const
  expect(blocksAtSend('close', moved, { tripOrdered: false }, now)).toBeNull()
})

test('nothing blocks a trip, and no trip blocks silencing a sounder', () => {
  const worst = Object.assign({}, healthy, ...Object.values(blocked).map(([, difference]) => difference))
  expect(blocksAtSend('trip', worst, { tripOrdered: true }, now)).toBeNull()
  expect(blocksAtSend('silence', healthy, { tripOrdered: true }, now)).toBeNull()
})

test('of several reasons the gravest is named', () => {
  const several = { ...healthy, tags: [tag], inspectionUntil: now + 1, localLock: 'on', liveReceivedAt: null } as const
  expect(blocksAtSend('close', several, { tripOrdered: true }, now)).toBe('tripOrdered')
  expect(blocksAtSend('close', several, { tripOrdered: false }, now)).toBe('localLock')
  expect(personBlocks(several, 'close', now)).toBe('tags')
})

test('tags and inspections block what the permit says that they block', () => {
  const applied = fc.record({
    tags: fc.constantFrom([], [tag]),
    inspectionUntil: fc.constantFrom(null, now - 1, now, now + 1),
  })
  const byPersons = (keys: readonly BlockReason[]) => keys.filter((key) => key === 'tags' || key === 'inspection')
  fc.assert(
    fc.property(fc.constantFrom(...actions), applied, (action, facts) => {
      const blockReasons = conditionsOf(action, { ...healthyFor(action), ...facts }, actor, now).filter(({ met }) => !met)
      const block = personBlocks(facts, action, now)
      expect(block === null).toBe(byPersons(blockReasons.map(({ key }) => key)).length === 0)
      if (action === 'set') expect(interlockConditions(facts, now).some(({ met }) => !met)).toBe(block !== null)
    }),
  )
})

test('a trip that nobody has explained and a failed self-test block a close in the database, and nothing else there', () => {
  const free = { tags: [], inspectionUntil: null, lockout: null, failedTest: null }
  const failedTest = { at: now, tripMs: 900 }
  const lockout = { cause: 'leakage', sequence: 1 }
  for (const action of actions) {
    expect(storedBlock(free, action, now)).toBeNull()
    expect(storedBlock({ ...free, lockout }, action, now)).toBe(action === 'close' ? 'tripCause' : null)
    expect(storedBlock({ ...free, lockout, failedTest, tags: [tag] }, 'close', now)).toBe('tripCause')
    expect(storedBlock({ ...free, failedTest }, action, now)).toBe(action === 'close' ? 'selfTest' : null)
    expect(storedBlock({ ...free, failedTest, tags: [tag] }, 'close', now)).toBe('tags')
    expect(storedBlock({ ...free, inspectionUntil: now + 1 }, action, now)).toBe(action === 'trip' ? null : 'inspection')
  }
})

test('an order that only the database knew of is told as any other under way', () => {
  const pending = conditionsOf('close', { ...healthy, pending: { action: 'set' } }, actor, now).find(
    ({ key }) => key === 'pending',
  )
  expect(anotherUnderWay).toEqual(pending)
  expect(anotherUnderWay.met).toBe(false)
})

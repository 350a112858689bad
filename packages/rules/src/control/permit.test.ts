import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { BlockReason } from './block-reason.ts'
import { freshForMs, inspectionLockMs, isProtection, operationGapMs } from './conditions.ts'
import type { ActorFacts, LineFacts } from './line-facts.ts'
import { canLeave, reaches } from './line-facts.ts'
import { closeBlocks, closeConditions, conditionsOf, isDoneAlready, tripBlocks } from './permit.ts'
import { healthy, now } from './test-line.ts'

const operator: ActorFacts = { mayOperate: true, shared: false }

const blocking = (difference: Partial<LineFacts>, actor = operator): BlockReason[] =>
  closeBlocks({ ...healthy, ...difference }, actor, now).map(({ key }) => key)

const only = (difference: Partial<LineFacts>, actor = operator) => {
  const [block, ...others] = closeBlocks({ ...healthy, ...difference }, actor, now)
  expect(others).toEqual([])
  if (!block) throw new Error('nothing blocks')
  return block
}

test('a healthy open line may be closed', () => {
  expect(blocking({})).toEqual([])
})

test('met conditions are listed too, in reading order, and have nothing to explain', () => {
  const conditions = closeConditions(healthy, operator, now)
  expect(conditions.map(({ key }) => key)).toEqual([
    'permission',
    'notShared',
    'online',
    'reachable',
    'fresh',
    'clock',
    'position',
    'tripCause',
    'localLock',
    'selfTest',
    'inspection',
    'tags',
    'gap',
    'pending',
  ])
  for (const { met, why, clears, until } of conditions)
    expect({ met, why, clears, until }).toEqual({ met: true, why: null, clears: null, until: null })
})

const broken: readonly (readonly [string, BlockReason, Partial<LineFacts>])[] = [
  ['the gateway has gone silent', 'online', { link: 'stale' }],
  ['the gateway is offline', 'online', { link: 'offline' }],
  ['the gateway was never seen', 'online', { link: 'never' }],
  ['the gateway keeps no connection', 'reachable', { reach: 'not_connected' }],
  ['the gateway has not announced itself yet', 'reachable', { reach: 'not_born' }],
  ['the gateway does not listen for orders', 'reachable', { reach: 'not_listening' }],
  ['the device is gone from its gateway', 'reachable', { reach: 'device_gone' }],
  ['the device has been silent behind its gateway', 'reachable', { reach: 'device_silent' }],
  ['a platform pushes its reports', 'reachable', { reach: 'push_only' }],
  ['the line never reported', 'fresh', { liveReceivedAt: null }],
  ['the last value is too old', 'fresh', { liveReceivedAt: now - freshForMs - 1 }],
  ['the last value lies in the future', 'fresh', { liveReceivedAt: now + 1 }],
  ['the clock is wrong', 'clock', { clockGood: false }],
  ['the line is closed already', 'position', { position: 'closed' }],
  ['the position is not known', 'position', { position: null }],
  ['it tripped on leakage, unexplained', 'tripCause', { tripCause: 'leakage' }],
  ['it tripped on short circuit, unexplained', 'tripCause', { tripCause: 'short' }],
  ['it tripped on arc, unexplained', 'tripCause', { tripCause: 'arc' }],
  ['the trip cause is not known', 'tripCause', { tripCause: null }],
  ['an unknown trip cause cannot be explained away', 'tripCause', { tripCause: null, tripCauseRecorded: true }],
  ['it is locked on site', 'localLock', { localLock: 'on' }],
  ['the local lock is not known', 'localLock', { localLock: null }],
  ['the self-test failed', 'selfTest', { selfTest: 'failed' }],
  ['the self-test is running', 'selfTest', { selfTest: 'running' }],
  ['the self-test is not known', 'selfTest', { selfTest: null }],
  ['an inspection is running', 'inspection', { inspectionUntil: now + 1 }],
  ['somebody hung a tag', 'tags', { tags: [{ on: 'line', holder: '张工', reason: '检修' }] }],
  ['it was operated a moment ago', 'gap', { lastOperationAt: now - operationGapMs + 1 }],
  ['a trip is under way', 'pending', { pending: { action: 'trip' } }],
  ['another close is under way', 'pending', { pending: { action: 'close' } }],
]

describe('closing is blocked, by that alone and in words, when', () => {
  test.each(broken)('%s', (_, key, difference) => {
    const block = only(difference)
    expect(block.key).toBe(key)
    for (const text of [block.what, block.why, block.clears]) {
      expect(text?.zh).toMatch(/\p{Script=Han}/u)
      expect(text?.en).toMatch(/[a-z]/)
    }
  })

  test('the role may not switch lines', () => {
    expect(only({}, { mayOperate: false, shared: false }).key).toBe('permission')
  })

  test('the account is shared, whatever its role', () => {
    expect(only({}, { mayOperate: true, shared: true }).key).toBe('notShared')
  })
})

const harmless: readonly (readonly [string, Partial<LineFacts>])[] = [
  ['the last value is just fresh enough', { liveReceivedAt: now - freshForMs }],
  ['the last value came this instant', { liveReceivedAt: now }],
  ['a person recorded why it tripped on leakage', { tripCause: 'leakage', tripCauseRecorded: true }],
  ['it was tripped remotely', { tripCause: 'remote' }],
  ['it tripped on overload', { tripCause: 'overload' }],
  ['the self-test was not done yet', { selfTest: 'notDone' }],
  ['there is no residual-current protection to test', { selfTest: 'absent' }],
  ['the inspection has just ended', { inspectionUntil: now }],
  ['the last operation is long enough ago', { lastOperationAt: now - operationGapMs }],
]

test.each(harmless)('closing is permitted when %s', (_, difference) => {
  expect(blocking(difference)).toEqual([])
})

test('all reasons are given at once', () => {
  const everything: Partial<LineFacts> = Object.assign({}, ...broken.map(([, , difference]) => difference))
  expect(blocking(everything, { mayOperate: false, shared: true })).toHaveLength(14)
})

test('the reason says how old the last value is', () => {
  expect(only({ liveReceivedAt: now - 37_000 }).why).toEqual({ zh: '最近数据是 37 秒前的', en: 'The last value is 37 s old' })
  expect(only({ liveReceivedAt: now - 294_000 }).why).toEqual({ zh: '最近数据是 5 分钟前的', en: 'The last value is 5 min old' })
  expect(only({ liveReceivedAt: now - 5 * 3_600_000 }).why).toEqual({
    zh: '最近数据是 5 小时前的',
    en: 'The last value is 5 h old',
  })
})

test.each([
  [-60_000, '0 s'],
  [120_000, '120 s'],
  [120_001, '2 min'],
  [119 * 60_000, '119 min'],
  [120 * 60_000, '2 h'],
])('a value of %i ms ago is said to be %s old', (age, words) => {
  expect(only({ liveReceivedAt: now - age }).why?.en).toBe(`The last value is ${words} old`)
})

test.each(['leakage', 'short', 'overload', 'overvoltage', 'undervoltage', 'overtemperature', 'arc'])(
  '%s opens a line by itself, and a person does not',
  (cause) =>
    expect([cause, 'manual', 'remote', 'selfTest', 'none'].map(isProtection)).toEqual([true, false, false, false, false]),
)

test('what only the site can do is not asked of an electrician from afar', () => {
  const clears = (difference: Partial<LineFacts>) => only(difference).clears?.en
  expect(clears({ reach: 'push_only' })).toBe('Operate on site, or on the original platform')
  expect(clears({ reach: 'device_gone' })).toBe('An electrician on site')
})

test('whoever equipment is shared with is told why a line is tagged, and by nobody', () => {
  const tagged = { ...healthy, tags: [{ on: 'line', holder: '张工', reason: '检修' }] as const }
  const why = closeConditions(tagged, { mayOperate: true, shared: true }, now).find(({ key }) => key === 'tags')?.why
  expect(why).toEqual({ zh: '已挂牌：—（检修）', en: 'Tagged by — (检修)' })
})

test('the reason of a tag names everybody who hung one, and where it hangs if not on the line', () => {
  const tags = [
    { on: 'line', holder: '张工', reason: '检修' },
    { on: 'device', holder: 'Li', reason: 'motor out' },
    { on: 'gateway', holder: '王工', reason: '换柜' },
  ] as const
  expect(only({ tags }).why).toEqual({
    zh: '已挂牌：张工（检修）、Li（整台设备：motor out）、王工（整个网关：换柜）',
    en: 'Tagged by 张工 (检修), Li (whole device: motor out), 王工 (whole gateway: 换柜)',
  })
})

test.each<readonly [Partial<LineFacts>, string, string]>([
  [{ position: 'closed' }, 'The line is already closed', 'No action needed'],
  [{ position: null }, 'Switch position unknown', 'An electrician on site'],
  [{ localLock: null }, 'Local lock state not reported', 'An electrician on site'],
  [{ localLock: 'on' }, 'Locked on site', 'An electrician on site'],
  [{ selfTest: null }, 'RCD test result not reported', 'An electrician on site'],
  [{ selfTest: 'failed' }, 'RCD test failed', 'An electrician on site'],
  [{ selfTest: 'running' }, 'RCD test in progress', 'An electrician on site'],
  [{ tripCause: null }, 'Trip cause not reported', 'The duty operator, once the cause is found'],
  [
    { tripCause: 'arc' },
    'Tripped on residual current, short circuit or arc fault; no cause recorded yet',
    'The duty operator, once the cause is found',
  ],
  [{ liveReceivedAt: null }, 'No data received from this line', 'An electrician on site'],
])('what is wrong and what was not reported are told apart: %j', (difference, why, clears) => {
  const block = only(difference)
  expect([block.why?.en, block.clears?.en]).toEqual([why, clears])
})

test.each(['stale', 'offline', 'never'] as const)('a gateway that is %s has words of its own', (link) => {
  const others = (['stale', 'offline', 'never'] as const).filter((each) => each !== link)
  for (const other of others) expect(only({ link }).why).not.toEqual(only({ link: other }).why)
})

test('each way in which an order does not get there has words of its own, and only a silent device is worth the try of a trip', () => {
  const away = reaches.filter((reach) => reach !== 'yes')
  expect(new Set(away.map((reach) => only({ reach }).why?.zh)).size).toBe(away.length)
  expect(new Set(away.map((reach) => only({ reach }).why?.en)).size).toBe(away.length)
  expect(reaches.filter(canLeave)).toEqual(['yes', 'device_silent'])
})

test('an inspection says when it ends, a full minute being 60 s', () => {
  const { until, why } = only({ inspectionUntil: now + inspectionLockMs })
  expect(until).toBe(now + inspectionLockMs)
  expect(why?.en).toBe('An inspection is running; 60 s to go')
})

test('the gap after an operation says when it ends', () => {
  const { until, why } = only({ lastOperationAt: now - 3_500 })
  expect(until).toBe(now + 6_500)
  expect(why?.zh).toBe('还需等待 7 秒')
})

test('an operation that lies in the future blocks too', () => {
  expect(blocking({ lastOperationAt: now + 60_000 })).toEqual(['gap'])
})

test('figures that are no numbers never permit', () => {
  const nan = Number.NaN
  expect(blocking({ liveReceivedAt: nan, inspectionUntil: nan, lastOperationAt: nan })).toEqual(['fresh', 'inspection', 'gap'])
})

test('a trip is stopped by no state of the line, only by the rights of the person', () => {
  expect(tripBlocks(operator)).toEqual([])
  expect(tripBlocks({ mayOperate: false, shared: false }).map(({ key }) => key)).toEqual(['permission'])
  expect(tripBlocks({ mayOperate: true, shared: true }).map(({ key }) => key)).toEqual(['notShared'])
  expect(tripBlocks({ mayOperate: false, shared: true }).map(({ key }) => key)).toEqual(['permission', 'notShared'])
})

const around = (span: number) => fc.option(fc.integer({ min: now - 3 * span, max: now + span }), { nil: null })
const anyLine: fc.Arbitrary<LineFacts> = fc.record({
  link: fc.constantFrom('online', 'online', 'stale', 'offline', 'never'),
  reach: fc.constantFrom('yes', 'yes', 'yes', ...reaches),
  liveReceivedAt: around(freshForMs),
  clockGood: fc.boolean(),
  position: fc.constantFrom('open', 'open', 'closed', null),
  tripCause: fc.constantFrom('none', 'leakage', 'short', 'arc', 'overload', 'remote', null),
  tripCauseRecorded: fc.boolean(),
  switches: fc.boolean(),
  localLock: fc.constantFrom('off', 'on', null),
  selfTest: fc.constantFrom('passed', 'notDone', 'running', 'failed', 'absent', null),
  inspectionUntil: around(inspectionLockMs),
  tags: fc.array(fc.record({ on: fc.constantFrom('line', 'device', 'gateway'), holder: fc.string(), reason: fc.string() }), {
    maxLength: 1,
  }),
  lastOperationAt: around(operationGapMs),
  pending: fc.constantFrom(null, null, { action: 'trip' as const }, { action: 'close' as const }),
  sounder: fc.constantFrom('quiet', 'sounding', 'absent', null),
  quietUntil: fc.constantFrom(null, now + 60_000),
})
const anyActor: fc.Arbitrary<ActorFacts> = fc.record({ mayOperate: fc.boolean(), shared: fc.boolean() })

test('whatever is reported, closing needs proof of every condition', () => {
  fc.assert(
    fc.property(anyLine, anyActor, (line, actor) => {
      const explained = line.tripCauseRecorded || !['leakage', 'short', 'arc'].includes(line.tripCause ?? '')
      const age = line.liveReceivedAt === null ? Number.NaN : now - line.liveReceivedAt
      const proven =
        actor.mayOperate &&
        !actor.shared &&
        line.link === 'online' &&
        line.reach === 'yes' &&
        age >= 0 &&
        age <= 10_000 &&
        line.clockGood &&
        line.position === 'open' &&
        line.tripCause !== null &&
        explained &&
        line.localLock === 'off' &&
        (line.selfTest === 'passed' || line.selfTest === 'notDone' || line.selfTest === 'absent') &&
        (line.inspectionUntil === null || line.inspectionUntil <= now) &&
        line.tags.length === 0 &&
        (line.lastOperationAt === null || now - line.lastOperationAt >= 10_000) &&
        line.pending === null
      expect(closeBlocks(line, actor, now).length === 0).toBe(proven)
    }),
    { numRuns: 3_000 },
  )
})

describe('a self-test', () => {
  const ready: LineFacts = { ...healthy, position: 'closed' }
  const stops = (difference: Partial<LineFacts>) =>
    conditionsOf('selfTest', { ...ready, ...difference }, operator, now)
      .filter(({ met }) => !met)
      .map(({ key }) => key)

  test('is permitted on a closed line with nothing in the way, also after one that failed', () => {
    expect(stops({})).toEqual([])
    expect(stops({ selfTest: 'failed', tripCause: 'leakage' })).toEqual([])
  })

  test.each<[string, BlockReason, Partial<LineFacts>]>([
    ['the line is open', 'closed', { position: 'open' }],
    ['the position is not known', 'closed', { position: null }],
    ['quiet hours run', 'quietHours', { quietUntil: now + 1 }],
    ['somebody hung a tag', 'tags', { tags: [{ on: 'line', holder: '张工', reason: '检修' }] }],
    ['an inspection runs', 'inspection', { inspectionUntil: now + 1 }],
    ['it is locked on site', 'localLock', { localLock: 'on' }],
    ['another command is under way', 'pending', { pending: { action: 'trip' } }],
  ])('is blocked by that alone when %s', (_, key, difference) => {
    expect(stops(difference)).toEqual([key])
  })

  test.each([
    ['open', 'The line is open; only a closed line can be tested', 'Close the line first'],
    [null, 'Switch position unknown', 'An electrician on site'],
  ] as const)('says why it is not done where the position is %s, and what to do', (position, why, clears) => {
    const block = conditionsOf('selfTest', { ...ready, position }, operator, now).find(({ key }) => key === 'closed')
    expect([block?.why?.en, block?.clears?.en]).toEqual([why, clears])
  })

  test('of a detector needs no position and cuts no supply', () => {
    expect(stops({ switches: false, position: null, localLock: 'absent', quietUntil: now + 1 })).toEqual([])
  })
})

describe('silencing', () => {
  const stops = (difference: Partial<LineFacts>) =>
    conditionsOf('silence', { ...healthy, sounder: 'sounding', ...difference }, operator, now)
      .filter(({ met }) => !met)
      .map(({ key }) => key)

  test('is permitted while it sounds, whatever hangs on it', () => {
    expect(stops({ tags: [{ on: 'line', holder: '张工', reason: '检修' }] })).toEqual([])
  })

  test('waits for the end of an inspection', () => {
    expect(stops({ inspectionUntil: now + 1 })).toEqual(['inspection'])
  })

  test.each([
    ['quiet', 'Not sounding; nothing to silence', 'No action needed'],
    ['absent', 'This equipment has no sounder', 'No action needed'],
    [null, 'Sounder state not reported', 'An electrician on site'],
  ] as const)('is refused when the sounder is %s, and says so', (sounder, why, clears) => {
    expect(stops({ sounder })).toEqual(['sounding'])
    const block = conditionsOf('silence', { ...healthy, sounder }, operator, now).find(({ key }) => key === 'sounding')
    expect([block?.why?.en, block?.clears?.en]).toEqual([why, clears])
  })
})

test('what the equipment has not is no condition of it, for closing and for everything else', () => {
  const plain: LineFacts = { ...healthy, localLock: 'absent', selfTest: 'absent' }
  for (const action of ['close', 'set', 'selfTest'] as const) {
    const keys = conditionsOf(action, plain, operator, now).map(({ key }) => key)
    expect(keys).not.toContain('localLock')
    expect(keys).not.toContain('selfTest')
  }
  expect(closeBlocks(plain, operator, now)).toEqual([])
})

test('of a detector the right is not called one to switch lines', () => {
  const word = (action: 'silence' | 'close', switches: boolean) =>
    conditionsOf(action, { ...healthy, switches }, operator, now).find(({ key }) => key === 'permission')?.what.zh
  expect([word('silence', false), word('close', true)]).toEqual(['有操作权限', '有分合闸权限'])
})

test.each([
  ['a closed line', 'close', { position: 'closed' }, true],
  ['an open line', 'close', {}, false],
  ['a line whose position nobody knows', 'close', { position: null }, false],
  ['one closed when it was last heard', 'close', { position: 'closed', liveReceivedAt: now - freshForMs - 1 }, false],
  ['one closed behind a gateway that is away', 'close', { position: 'closed', link: 'offline' }, false],
  ['one closed on a device that is gone', 'close', { position: 'closed', reach: 'device_gone' }, false],
  ['a quiet sounder', 'silence', { sounder: 'quiet' }, true],
  ['a sounding one', 'silence', { sounder: 'sounding' }, false],
  ['a closed line that is to be tested', 'selfTest', { position: 'closed' }, false],
  ['a quiet detector that is to be tested', 'selfTest', { sounder: 'quiet' }, false],
  ['an open line that is to be tripped', 'trip', { position: 'open' }, false],
] as const)('whether there is nothing to do: %s', (_, action, difference, done) =>
  expect(isDoneAlready(action, { ...healthy, ...difference }, now)).toBe(done),
)

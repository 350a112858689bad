import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CommandFact, CommandLife } from './command.ts'
import { deadlineFor, foldCommand, tripTimeLimitMs, tripTimePasses } from './command.ts'
import { isFinal, isUnderWay, verifyGraceMs } from './life.ts'

const issuedAt = 1_000_000
const deadline = issuedAt + 5_000
const silence = deadline + verifyGraceMs + 1

const close: CommandLife = {
  action: 'close',
  state: 'authorised',
  outcome: null,
  issuedAt,
  deadline,
  sentAt: null,
  acknowledgedAt: null,
  verifiedAt: null,
  endedAt: null,
  tripMs: null,
  positionAfter: null,
}
const trip: CommandLife = { ...close, action: 'trip' }
const trial: CommandLife = { ...close, action: 'selfTest' }

const sent: CommandFact = { kind: 'sent', at: issuedAt + 10 }
const accepted: CommandFact = { kind: 'result', status: 'accepted', reason: null, at: issuedAt + 100 }
const refused = (reason: string): CommandFact => ({ kind: 'result', status: 'refused', reason, at: issuedAt + 100 })
const tick = (at: number): CommandFact => ({ kind: 'tick', at })
const restart: CommandFact = { kind: 'restart', at: issuedAt + 200 }
/** A report that took 50 ms to arrive. */
const reported = (value: 'open' | 'closed', deviceAt: number): CommandFact => ({
  kind: 'position',
  value,
  deviceAt,
  at: deviceAt + 50,
})

const life = (command: CommandLife, ...facts: readonly CommandFact[]) => facts.reduce(foldCommand, command)

describe('the good way', () => {
  test('authorised, sent, acknowledged, verified, each with its time', () => {
    expect(life(close, sent, accepted, reported('closed', issuedAt + 500))).toEqual({
      ...close,
      state: 'verified',
      sentAt: issuedAt + 10,
      acknowledgedAt: issuedAt + 100,
      verifiedAt: issuedAt + 550,
      endedAt: issuedAt + 550,
    })
  })

  test('a trip is proven by the open position', () => {
    expect(life(trip, sent, reported('open', issuedAt + 500)).state).toBe('verified')
  })

  test('the position alone is proof, also when the acknowledgement was lost', () => {
    expect(life(close, sent, reported('closed', issuedAt + 500)).state).toBe('verified')
  })
})

describe('what proves nothing', () => {
  test('an acknowledgement', () => {
    const command = life(close, sent, accepted)
    expect(command.state).toBe('acknowledged')
    expect(command.endedAt).toBeNull()
  })

  test('an acknowledgement of what was never sent', () => {
    expect(foldCommand(close, accepted)).toBe(close)
  })

  test('a position before it was sent', () => {
    expect(foldCommand(close, reported('closed', issuedAt))).toBe(close)
  })

  test('a position received before it was sent, whatever the device says of the time', () => {
    const command = life(close, sent)
    expect(foldCommand(command, { kind: 'position', value: 'closed', deviceAt: issuedAt + 500, at: issuedAt + 9 })).toBe(command)
  })

  test('but one received in the very moment of sending does', () => {
    const moment = issuedAt + 10
    const fact: CommandFact = { kind: 'position', value: 'closed', deviceAt: moment, at: moment }
    expect(life(close, sent, fact).state).toBe('verified')
  })

  test('a position measured before it was sent, though it arrives later', () => {
    const command = life(close, sent)
    const old: CommandFact = { kind: 'position', value: 'closed', deviceAt: issuedAt + 10 - 2_001, at: issuedAt + 500 }
    expect(foldCommand(command, old)).toBe(command)
    expect(foldCommand(command, { ...old, deviceAt: old.deviceAt + 1 }).state).toBe('verified')
  })

  test('the other position while it may still be on its way', () => {
    const command = life(close, sent, accepted)
    expect(foldCommand(command, reported('open', issuedAt + 500))).toBe(command)
    expect(foldCommand(command, reported('open', deadline + 100))).toBe(command)
  })
})

test('where a close still travels, "open" proves a trip only once the gateway took it', () => {
  const open: CommandFact = { kind: 'position', value: 'open', afterAnswer: true, deviceAt: issuedAt + 500, at: issuedAt + 550 }
  const command = life(trip, sent)
  expect(foldCommand(command, open)).toBe(command)
  expect(life(command, accepted, open).state).toBe('verified')
  expect(life(command, refused('seen_id'), open).state).toBe('verified')
})

test('a close after which a protection opened the line again says so', () => {
  const open = { ...reported('open', deadline + 1), trippedAgain: true } as CommandFact
  expect(life(close, sent, tick(silence), open)).toMatchObject({ state: 'failed', outcome: 'tripped_again' })
  expect(life(close, sent, open).state).toBe('sent')
})

describe('refusal', () => {
  test.each(['sent', 'acknowledged'] as const)('ends a command that was %s, with the reason', (state) => {
    const command = state === 'sent' ? life(close, sent) : life(close, sent, accepted)
    expect(life(command, refused('local_lock'))).toMatchObject({
      state: 'refused',
      outcome: 'local_lock',
      endedAt: issuedAt + 100,
    })
  })

  test('of a copy, because the first was taken, is no refusal', () => {
    expect(life(trip, sent, refused('seen_id'))).toMatchObject({
      state: 'acknowledged',
      acknowledgedAt: issuedAt + 100,
      endedAt: null,
    })
    const taken = life(trip, sent, accepted)
    expect(foldCommand(taken, refused('seen_id'))).toBe(taken)
    expect(foldCommand(taken, refused('older_fence'))).toBe(taken)
    expect(life(trip, sent, refused('older_fence')).state).toBe('refused')
    expect(life(close, sent, accepted, refused('older_fence')).state).toBe('refused')
  })

  test('after the proof changes nothing', () => {
    const done = life(close, sent, reported('closed', issuedAt + 50))
    expect(foldCommand(done, refused('mechanism_fault'))).toBe(done)
  })

  test('that comes late still tells what happened', () => {
    expect(life(close, sent, tick(silence), refused('deadline_passed')).state).toBe('refused')
  })
})

describe('silence', () => {
  test('before the deadline and the grace is only silence', () => {
    const command = life(close, sent)
    expect(foldCommand(command, tick(deadline + verifyGraceMs))).toBe(command)
  })

  test.each([
    ['sent', [sent]],
    ['acknowledged', [sent, accepted]],
  ] as const)('after it leaves what was %s unknown, and not over', (_, facts) => {
    const command = life(close, ...facts, tick(silence))
    expect(command).toMatchObject({ state: 'unknown', outcome: 'no_answer', endedAt: null })
  })

  test('of our own: what was not sent by its deadline has expired', () => {
    expect(foldCommand(close, tick(deadline))).toBe(close)
    expect(foldCommand(close, tick(deadline + 1))).toMatchObject({ state: 'expired', outcome: 'deadline_passed' })
  })

  test('what could not be sent has expired at once, with the reason', () => {
    expect(foldCommand(close, { kind: 'notSent', at: issuedAt + 5, reason: 'offline' })).toMatchObject({
      state: 'expired',
      outcome: 'offline',
      endedAt: issuedAt + 5,
    })
  })

  test('what was sent cannot become unsent', () => {
    const command = life(close, sent)
    expect(foldCommand(command, { kind: 'notSent', at: issuedAt + 20, reason: 'offline' })).toBe(command)
  })
})

describe('unknown', () => {
  const unknown = life(close, sent, tick(silence))

  test('is resolved by the position that was wanted', () => {
    expect(foldCommand(unknown, reported('closed', silence + 60_000))).toMatchObject({ state: 'verified', outcome: null })
  })

  test('is resolved by the other position: nothing was done', () => {
    expect(foldCommand(unknown, reported('open', silence + 1_000))).toMatchObject({ state: 'failed', outcome: 'not_done' })
  })

  test('is not resolved by time', () => {
    expect(foldCommand(unknown, tick(silence + 86_400_000))).toBe(unknown)
  })

  test('after a restart is not failed by a position up to the deadline', () => {
    const command = life(close, sent, restart)
    expect(foldCommand(command, reported('open', issuedAt + 1_000))).toBe(command)
    expect(foldCommand(command, reported('open', deadline - 50))).toBe(command)
  })
})

describe('restart', () => {
  test('what was not marked as sent never went out, and never will', () => {
    expect(life(close, restart)).toMatchObject({ state: 'expired', outcome: 'server_restarted' })
  })

  test.each([
    ['sent', [sent]],
    ['acknowledged', [sent, accepted]],
  ] as const)('what was %s is unknown', (_, facts) => {
    expect(life(close, ...facts, restart)).toMatchObject({ state: 'unknown', outcome: 'server_restarted', endedAt: null })
  })

  test('changes nothing of what was unknown before', () => {
    const unknown = life(close, sent, tick(silence))
    expect(foldCommand(unknown, restart)).toBe(unknown)
  })
})

test.each([
  ['close', undefined, 5_000],
  ['close', 8_000, 8_000],
  ['close', 30_000, 10_000],
  ['trip', undefined, 30_000],
  ['trip', 2_000, 2_000],
  ['trip', 60_000, 30_000],
] as const)('a %s asked for with %s ms has %i ms', (action, requested, ms) => {
  expect(deadlineFor(action, requested)).toBe(ms)
})

test('a state is under way, final, or unknown', () => {
  expect((['authorised', 'sent', 'acknowledged'] as const).every((state) => isUnderWay(state) && !isFinal(state))).toBe(true)
  expect((['verified', 'refused', 'expired', 'failed'] as const).every((state) => isFinal(state) && !isUnderWay(state))).toBe(
    true,
  )
  expect(isUnderWay('unknown') || isFinal('unknown')).toBe(false)
})

const at = fc.integer({ min: issuedAt - 5_000, max: silence + 5_000 })
const anyFact: fc.Arbitrary<CommandFact> = fc.oneof(
  fc.record({ kind: fc.constant('sent'), at }),
  fc.record({ kind: fc.constant('notSent'), at, reason: fc.constant('offline') }),
  fc.record({
    kind: fc.constant('result'),
    status: fc.constantFrom('accepted', 'refused'),
    reason: fc.constantFrom(null, 'seen_id', 'local_lock', 'older_fence'),
    at,
  }),
  fc.record(
    {
      kind: fc.constant('position'),
      value: fc.constantFrom('open', 'closed'),
      deviceAt: at,
      at,
      afterAnswer: fc.boolean(),
      trippedAgain: fc.boolean(),
      byTrip: fc.boolean(),
      measuredAt: at,
    },
    { requiredKeys: ['kind', 'value', 'deviceAt', 'at'] },
  ),
  fc.record({ kind: fc.constant('unwatched'), at }),
  fc.record({ kind: fc.constant('measured'), tripMs: fc.constantFrom(0, 45, 480), at }),
  fc.record({
    kind: fc.constant('state'),
    state: fc.constant('selfTest'),
    value: fc.constantFrom('running', 'passed', 'failed'),
    deviceAt: at,
    at,
  }),
  fc.record({ kind: fc.constant('tick'), at }),
  fc.record({ kind: fc.constant('restart'), at }),
)
const anyFacts = fc.array(anyFact, { maxLength: 12 })
const anySwitching = fc.constantFrom(close, trip)
const anyCommand = fc.constantFrom(close, trip, trial)

describe('whatever comes, in whatever order', () => {
  test('no final state is ever left', () => {
    fc.assert(
      fc.property(anyCommand, anyFacts, anyFacts, (command, before, after) => {
        const then = life(command, ...before)
        fc.pre(isFinal(then.state))
        expect(life(then, ...after)).toBe(then)
      }),
      { numRuns: 2_000 },
    )
  })

  test('nothing is verified without its position, reported after it was sent', () => {
    fc.assert(
      fc.property(anySwitching, anyFacts, (command, facts) => {
        const { state, sentAt, verifiedAt } = life(command, ...facts)
        expect(verifiedAt !== null).toBe(state === 'verified')
        if (state !== 'verified') return
        const wanted = command.action === 'trip' ? 'open' : 'closed'
        const proofs = facts.filter(
          (fact) =>
            fact.kind === 'position' &&
            fact.value === wanted &&
            sentAt !== null &&
            fact.at >= sentAt &&
            fact.deviceAt >= sentAt - (command.action === 'close' ? 2_000 : 300_000),
        )
        expect(proofs.map((fact) => fact.at)).toContain(verifiedAt)
      }),
      { numRuns: 3_000 },
    )
  })

  test('no self-test passes without a trip time and an open position, each told after it was sent', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const { state, outcome, sentAt, tripMs } = life(trial, ...facts)
        if (state !== 'verified' || outcome !== null || sentAt === null) return
        const since = facts.filter((fact) => fact.at >= sentAt)
        expect(since.some((fact) => fact.kind === 'measured' && fact.tripMs === tripMs && tripMs === 45)).toBe(true)
        const opens = since.flatMap((fact) => (fact.kind === 'position' && fact.value === 'open' ? fact.deviceAt : []))
        expect(opens.some((measuredAt) => measuredAt >= sentAt - 2_000 && measuredAt <= deadline + 2_000)).toBe(true)
      }),
      { numRuns: 3_000 },
    )
  })

  test('a self-test has stayed closed only if that was told under watch and well after its trip time was heard', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const { state, sentAt, tripMs, positionAfter } = life(trial, ...facts, tick(silence + 10_000))
        if (sentAt === null || positionAfter !== 'closed') return
        const told = facts.findIndex((fact) => fact.kind === 'measured' && fact.tripMs > 0 && fact.at >= sentAt)
        const tells = (fact: CommandFact) =>
          fact.kind === 'position' &&
          fact.value === 'closed' &&
          fact.at >= sentAt &&
          fact.measuredAt !== undefined &&
          fact.deviceAt >= fact.measuredAt + 2_000
        expect([state, tripMs]).toEqual(['failed', expect.any(Number)])
        expect(told >= 0 && facts.slice(told).some(tells)).toBe(true)
      }),
      { numRuns: 3_000 },
    )
  })

  test('a self-test that is watched no longer before it failed has not failed, however it went before', () => {
    const ends = fc.constantFrom<CommandFact>({ kind: 'unwatched', at: silence }, { ...restart, at: silence })
    fc.assert(
      fc.property(anyFacts, ends, (facts, gap) => {
        const before = life(trial, sent, ...facts)
        fc.pre(!isFinal(before.state))
        expect(life(before, gap, tick(silence + 10_000)).state).toBe('unknown')
      }),
      { numRuns: 3_000 },
    )
  })

  test('the same fact twice is the same as once', () => {
    fc.assert(
      fc.property(anyCommand, anyFacts, anyFact, (command, facts, fact) => {
        const once = foldCommand(life(command, ...facts), fact)
        expect(foldCommand(once, fact)).toBe(once)
      }),
      { numRuns: 2_000 },
    )
  })

  test('it has an end exactly when it is final, and is never half sent', () => {
    fc.assert(
      fc.property(anyCommand, anyFacts, (command, facts) => {
        const { state, endedAt, sentAt } = life(command, ...facts)
        expect(endedAt !== null).toBe(isFinal(state))
        if (state !== 'authorised' && state !== 'expired') expect(sentAt).not.toBeNull()
        if (state === 'authorised' || state === 'expired') expect(sentAt).toBeNull()
      }),
      { numRuns: 2_000 },
    )
  })

  test('the order itself never changes', () => {
    fc.assert(
      fc.property(anyCommand, anyFacts, (command, facts) => {
        const { action, issuedAt: issued, deadline: due } = life(command, ...facts)
        expect({ action, issued, due }).toEqual({ action: command.action, issued: issuedAt, due: deadline })
      }),
    )
  })
})

describe('a leakage self-test', () => {
  const measured = (tripMs: number): CommandFact => ({ kind: 'measured', tripMs, at: issuedAt + 400 })
  const says = (value: string): CommandFact => ({
    kind: 'state',
    state: 'selfTest',
    value,
    deviceAt: issuedAt + 300,
    at: issuedAt + 350,
  })

  const opened = reported('open', issuedAt + 500)

  test.each([
    [45, null],
    [300, null],
    [301, 'too_slow'],
    [480, 'too_slow'],
  ])(
    'that tripped in %d ms is proven by that time and the open position, in either order, with outcome %s',
    (tripMs, outcome) => {
      const ends = { state: 'verified', outcome, tripMs }
      expect(life(trial, sent, accepted, measured(tripMs), opened)).toMatchObject({ ...ends, verifiedAt: issuedAt + 550 })
      expect(life(trial, sent, accepted, opened, measured(tripMs))).toMatchObject({ ...ends, verifiedAt: issuedAt + 400 })
    },
  )

  test.each([0, -1, Number.NaN])('is not proven by a trip time of %d', (tripMs) => {
    expect(life(trial, sent, accepted, opened, measured(tripMs)).state).toBe('acknowledged')
  })

  test('is proven neither by its trip time alone, nor with an open position from before it was sent, nor by its own word', () => {
    const before: CommandFact = { kind: 'position', value: 'open', deviceAt: issuedAt - 2_000, at: issuedAt + 500 }
    expect(life(trial, sent, accepted, before, measured(45), says('passed'))).toMatchObject({ state: 'acknowledged', tripMs: 45 })
    expect(life(trial, sent, accepted, opened, says('passed')).state).toBe('acknowledged')
  })

  /** Told of a line that was watched since the test was sent; its trip time was heard 400 ms after the issue. */
  const stays = (deviceAt: number): CommandFact =>
    ({ ...reported('closed', deviceAt), measuredAt: issuedAt + 400 }) as CommandFact
  const unwatched: CommandFact = { kind: 'unwatched', at: silence - 1 }
  const failed = { state: 'failed', outcome: 'not_done', positionAfter: 'closed', tripMs: 45 }
  const worthless = { state: 'unknown', outcome: 'not_watched', positionAfter: null, endedAt: null }

  test('whose breaker tells a trip time and stays closed was not done, once there was time to report it open', () => {
    const welded = life(trial, sent, accepted, measured(45), stays(issuedAt + 2_400))
    expect(foldCommand(welded, tick(silence - 1))).toBe(welded)
    expect(foldCommand(welded, tick(silence))).toMatchObject({ ...failed, endedAt: silence })
    expect(life(welded, reported('open', issuedAt + 2_900)).state).toBe('verified')
  })

  const late = deadline + 2_001
  test.each<[string, readonly CommandFact[]]>([
    ['the server restarts', [restart]],
    ['it restarts when nobody answered', [tick(silence - 1), restart]],
    ['something may have been missed', [unwatched]],
    ['it is told open when the test was over', [reported('open', late)]],
    [
      'it is told open after a trip that was ordered later',
      [{ ...reported('open', issuedAt + 3_000), byTrip: true } as CommandFact],
    ],
  ])('is worth nothing when it was told closed, and before it failed %s', (_, facts) => {
    const welded = life(trial, sent, accepted, measured(45), stays(issuedAt + 2_400))
    expect(life(welded, ...facts, tick(silence), restart, tick(silence + 60_000))).toMatchObject(worthless)
    // What was measured in time still proves it.
    expect(life(welded, ...facts, tick(silence), reported('open', issuedAt + 900)).state).toBe('verified')
  })

  test('of which the line was only seen closed before it tripped is unknown in silence, and no later position proves it', () => {
    const lost = life(trial, sent, accepted, reported('closed', issuedAt + 300), measured(45), tick(silence))
    expect(lost).toMatchObject({ state: 'unknown', tripMs: 45 })
    // Whoever opened it then, a person or a protection: it was not the test.
    const lastMoment = deadline + 2_000
    expect(life(lost, restart, reported('open', lastMoment + 1))).toBe(lost)
    expect(life(lost, reported('open', deadline + 3_600_000))).toBe(lost)
    // What was measured in time proves it however late it comes.
    const late: CommandFact = { kind: 'position', value: 'open', deviceAt: lastMoment, at: deadline + 60_000 }
    expect(life(lost, restart, late)).toMatchObject({ state: 'verified', outcome: null, tripMs: 45 })
  })

  describe('of which the line is told closed only after the deadline', () => {
    const answered = life(trial, sent, accepted, measured(45))
    const slack = deadline + 2_000

    test.each([
      // The position first and the trip time second: the next report comes with the reporting period.
      ['before it is unknown', [stays(issuedAt + 300), stays(deadline + 1_000), tick(silence)]],
      ['after it is unknown', [stays(issuedAt + 300), tick(silence), stays(deadline + 10_000), tick(silence + 9_000)]],
    ])('failed when it was watched: %s', (_, facts) => {
      expect(life(answered, ...facts)).toMatchObject(failed)
    })

    test.each([
      ['with the session broken', [tick(silence), reported('closed', deadline + 60_000)]],
      ['right after a birth', [reported('closed', deadline + 1_000), tick(silence), reported('closed', silence)]],
      ['after a restart of the server', [restart, reported('closed', slack + 1)]],
      ['twice', [restart, reported('closed', slack + 1), reported('closed', deadline + 60_000), tick(silence + 90_000), restart]],
    ])('is worth nothing when nobody watched, and has not failed: %s', (_, facts) => {
      expect(life(answered, ...facts)).toMatchObject(worthless)
    })

    test('and what was measured in time still proves it', () => {
      const late: CommandFact = { kind: 'position', value: 'open', deviceAt: slack, at: deadline + 90_000 }
      expect(life(answered, restart, reported('closed', slack + 1), late)).toMatchObject({ state: 'verified', outcome: null })
    })

    test('was simply not done when no trip time was told', () => {
      const silent = life(trial, sent, accepted, tick(silence))
      expect(foldCommand(silent, reported('closed', slack + 1))).toMatchObject({
        state: 'failed',
        outcome: 'not_done',
        positionAfter: null,
      })
    })
  })

  test('is not said to have left the line closed by what may have been measured before its trip time was heard', () => {
    const told = life(trial, sent, accepted, measured(45))
    // A clock may be ahead by two seconds where a self-test is permitted.
    expect(foldCommand(told, stays(issuedAt + 2_399))).toBe(told)
    expect(foldCommand(told, stays(issuedAt + 2_400)).positionAfter).toBe('closed')
  })

  test('that told a trip time is not refused afterwards', () => {
    const told = life(trial, sent, accepted, measured(45), stays(issuedAt + 3_000))
    expect(foldCommand(told, refused('older_fence'))).toBe(told)
  })

  test('keeps the time that was told first', () => {
    const told = life(trial, sent, accepted, measured(480))
    expect(foldCommand(told, measured(45))).toBe(told)
  })

  test('that the equipment calls failed is done, and failed', () => {
    expect(life(trial, sent, accepted, says('failed'))).toMatchObject({ state: 'verified', outcome: 'test_failed', tripMs: null })
    expect(life(trial, sent, accepted, measured(480), says('failed'))).toMatchObject({ state: 'verified', outcome: 'too_slow' })
  })

  test('takes no outcome from before the acknowledgement: it may be the last test', () => {
    expect(life(trial, sent, says('passed')).state).toBe('sent')
    expect(life(trial, sent, says('failed')).state).toBe('sent')
  })

  test('is not proven by an open position, and not done when the line was seen closed after the deadline', () => {
    const waiting = life(trial, sent, accepted, reported('open', issuedAt + 500), tick(silence))
    expect(waiting.state).toBe('unknown')
    expect(life(waiting, reported('closed', deadline + 1))).toMatchObject({ state: 'failed', outcome: 'not_done' })
  })
})

describe('silencing', () => {
  const hush: CommandLife = { ...close, action: 'silence' }
  const sounder = (value: string, deviceAt: number): CommandFact => ({
    kind: 'state',
    state: 'sounder',
    value,
    deviceAt,
    at: deviceAt + 50,
  })

  test('is proven by a quiet sounder and by nothing else', () => {
    expect(life(hush, sent, accepted).state).toBe('acknowledged')
    expect(life(hush, sent, accepted, sounder('sounding', issuedAt + 300)).state).toBe('acknowledged')
    expect(life(hush, sent, accepted, sounder('quiet', issuedAt + 300)).state).toBe('verified')
  })

  test('that left the sounder on past its deadline was not done', () => {
    expect(life(hush, sent, tick(silence), sounder('sounding', deadline + 1))).toMatchObject({ state: 'failed' })
  })
})

test('a position says nothing of the hushing of a sounder, also when nobody knows what became of it', () => {
  const unknown = life({ ...close, action: 'silence' }, sent, tick(silence))
  expect(unknown.state).toBe('unknown')
  for (const value of ['open', 'closed'] as const) expect(foldCommand(unknown, reported(value, deadline + 60_000))).toBe(unknown)
})

test('a trip time passes from the first millisecond to the limit, and no other', () => {
  expect([-1, 0, 0.5, 1, tripTimeLimitMs, tripTimeLimitMs + 1, Number.NaN].map(tripTimePasses)).toEqual([
    false,
    false,
    true,
    true,
    true,
    false,
    false,
  ])
})

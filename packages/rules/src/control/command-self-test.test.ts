import { describe, expect, test } from 'vitest'
import type { CommandFact } from './command.ts'
import { foldCommand } from './command.ts'
import {
  accepted,
  close,
  deadline,
  issuedAt,
  life,
  refused,
  reported,
  restart,
  sent,
  silence,
  tick,
  trial,
} from './test-command.ts'

describe('a leakage self-test', () => {
  const measured = (tripMs: number): CommandFact => ({ kind: 'measured', tripMs, at: issuedAt + 400 })
  const reports = (value: string): CommandFact => ({
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
    expect(life(trial, sent, accepted, before, measured(45), reports('passed'))).toMatchObject({
      state: 'acknowledged',
      tripMs: 45,
    })
    expect(life(trial, sent, accepted, opened, reports('passed')).state).toBe('acknowledged')
  })

  /** Reported of a line that was supervised since the test was sent; its trip time was reported 400 ms after the issue. */
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

  describe('of which the line is reported closed only after the deadline', () => {
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

    test('was simply not done when no trip time was reported', () => {
      const silent = life(trial, sent, accepted, tick(silence))
      expect(foldCommand(silent, reported('closed', slack + 1))).toMatchObject({
        state: 'failed',
        outcome: 'not_done',
        positionAfter: null,
      })
    })
  })

  test('is not said to have left the line closed by what may have been measured before its trip time was reported', () => {
    const measuredLife = life(trial, sent, accepted, measured(45))
    // A clock may be ahead by two seconds where a self-test is permitted.
    expect(foldCommand(measuredLife, stays(issuedAt + 2_399))).toBe(measuredLife)
    expect(foldCommand(measuredLife, stays(issuedAt + 2_400)).positionAfter).toBe('closed')
  })

  test('that told a trip time is not refused afterwards', () => {
    const measuredLife = life(trial, sent, accepted, measured(45), stays(issuedAt + 3_000))
    expect(foldCommand(measuredLife, refused('older_fence'))).toBe(measuredLife)
  })

  test('is neither proven by a quiet sounder nor failed by another state than its own', () => {
    const acknowledged = life(trial, sent, accepted)
    for (const [state, value] of [
      ['sounder', 'quiet'],
      ['health', 'failed'],
    ] as const) {
      const fact: CommandFact = { kind: 'state', state, value, deviceAt: issuedAt + 300, at: issuedAt + 350 }
      expect(foldCommand(acknowledged, fact)).toBe(acknowledged)
    }
  })

  test('takes no trip time from before it was sent, and the first from the moment of its sending', () => {
    const under = life(trial, sent)
    const measuredAt = (at: number) => foldCommand(under, { kind: 'measured', tripMs: 45, at })
    expect(foldCommand(trial, { kind: 'measured', tripMs: 45, at: issuedAt + 400 })).toBe(trial)
    expect([measuredAt(issuedAt + 9), measuredAt(issuedAt + 10).tripMs]).toEqual([under, 45])
    const closing = life(close, sent)
    expect(foldCommand(closing, measured(45))).toBe(closing)
  })

  test('that was told open, or closed, learns nothing from hearing it once more', () => {
    const open = life(trial, sent, accepted, opened)
    expect(foldCommand(open, reported('open', issuedAt + 600))).toBe(open)
    const welded = life(trial, sent, accepted, measured(45), stays(issuedAt + 2_400))
    expect(foldCommand(welded, stays(issuedAt + 2_500))).toBe(welded)
    const lost = life(trial, sent, accepted, measured(45), restart, reported('closed', late))
    expect(foldCommand(lost, reported('closed', late + 1))).toBe(lost)
  })

  test('keeps the time that was told first', () => {
    const measuredLife = life(trial, sent, accepted, measured(480))
    expect(foldCommand(measuredLife, measured(45))).toBe(measuredLife)
  })

  test('that the equipment calls failed is done, and failed', () => {
    expect(life(trial, sent, accepted, reports('failed'))).toMatchObject({
      state: 'verified',
      outcome: 'test_failed',
      tripMs: null,
    })
    expect(life(trial, sent, accepted, measured(480), reports('failed'))).toMatchObject({
      state: 'verified',
      outcome: 'too_slow',
    })
  })

  test('takes no outcome from before the acknowledgement: it may be the last test', () => {
    expect(life(trial, sent, reports('passed')).state).toBe('sent')
    expect(life(trial, sent, reports('failed')).state).toBe('sent')
  })

  test('is not proven by an open position, and not done when the line was seen closed after the deadline', () => {
    const waiting = life(trial, sent, accepted, reported('open', issuedAt + 500), tick(silence))
    expect(waiting.state).toBe('unknown')
    expect(life(waiting, reported('closed', deadline + 1))).toMatchObject({ state: 'failed', outcome: 'not_done' })
  })
})

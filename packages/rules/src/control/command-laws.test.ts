import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CommandFact } from './command.ts'
import { foldCommand } from './command.ts'
import { isFinal } from './life.ts'
import { close, deadline, issuedAt, life, restart, sent, silence, tick, trial, trip } from './test-command.ts'

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

  test('a self-test has stayed closed only if that was reported under supervision and well after its trip time was reported', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const { state, sentAt, tripMs, positionAfter } = life(trial, ...facts, tick(silence + 10_000))
        if (sentAt === null || positionAfter !== 'closed') return
        const measuredFrom = facts.findIndex((fact) => fact.kind === 'measured' && fact.tripMs > 0 && fact.at >= sentAt)
        const reports = (fact: CommandFact) =>
          fact.kind === 'position' &&
          fact.value === 'closed' &&
          fact.at >= sentAt &&
          fact.measuredAt !== undefined &&
          fact.deviceAt >= fact.measuredAt + 2_000
        expect([state, tripMs]).toEqual(['failed', expect.any(Number)])
        expect(measuredFrom >= 0 && facts.slice(measuredFrom).some(reports)).toBe(true)
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

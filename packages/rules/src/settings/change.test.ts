import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { deadlineFor } from '../control/command.ts'
import { isFinal, verifyGraceMs } from '../control/life.ts'
import { clockToleranceMs, closeClockToleranceMs } from '../monitor/quality.ts'
import type { SettingFact, SettingLife } from './change.ts'
import { foldSetting, sameSetting } from './change.ts'

const settingDeadlineMs = deadlineFor('set')

const t0 = 1_800_000_000_000
const ordered = (wanted: Record<string, number> = { 'leakage.trip': 100 }): SettingLife => ({
  wanted,
  proven: [],
  clockChecked: true,
  state: 'authorised',
  outcome: null,
  issuedAt: t0,
  deadline: t0 + settingDeadlineMs,
  sentAt: null,
  acknowledgedAt: null,
  verifiedAt: null,
  endedAt: null,
})
const after = (facts: readonly SettingFact[], life = ordered()) => facts.reduce<SettingLife>(foldSetting, life)
const sent: SettingFact = { kind: 'sent', at: t0 }
const accepted: SettingFact = { kind: 'result', status: 'accepted', reason: null, at: t0 + 10 }
const refused: SettingFact = { kind: 'result', status: 'refused', reason: 'bad_setting', at: t0 + 10 }
const read = (value: number, at = t0 + 500, key = 'leakage.trip', deviceAt = at): SettingFact => ({
  kind: 'readBack',
  key,
  value,
  at,
  deviceAt,
})
const late = t0 + settingDeadlineMs + verifyGraceMs + 1
const tick = (at: number): SettingFact => ({ kind: 'tick', at })

describe('a setting', () => {
  test.each<[string, readonly SettingFact[], SettingLife['state']]>([
    ['is acknowledged by a word and no more', [sent, accepted], 'acknowledged'],
    ['is verified by the value read back', [sent, accepted, read(100)], 'verified'],
    ['is verified also without a word', [sent, read(100)], 'verified'],
    ['is not verified by another value', [sent, read(99)], 'sent'],
    ['is not verified by another setting', [sent, read(100, t0 + 500, 'overload.trip')], 'sent'],
    ['is not verified by what was read before it was sent', [sent, read(100, t0 - 1)], 'sent'],
    [
      'is not verified by an old report that came late',
      [sent, read(100, t0 + 5, 'leakage.trip', t0 - closeClockToleranceMs - 1)],
      'sent',
    ],
    ['is not verified before it was sent', [read(100)], 'authorised'],
    ['ends refused when the gateway says so', [sent, refused], 'refused'],
    ['stays refused', [sent, refused, read(100)], 'refused'],
    ['ends unknown in silence', [sent, tick(late)], 'unknown'],
    ['waits for its proof until the grace is over', [sent, tick(late - 1)], 'sent'],
    ['ends unknown although it was acknowledged', [sent, accepted, tick(late)], 'unknown'],
    ['is resolved by a later report', [sent, tick(late), read(100, late + 60_000)], 'verified'],
    ['has failed when a later report says another value', [sent, tick(late), read(99, late + 60_000)], 'failed'],
    ['expires when it could not be sent', [{ kind: 'notSent', reason: 'offline', at: t0 }], 'expired'],
    ['expires when nobody sent it in time', [tick(t0 + settingDeadlineMs + 1)], 'expired'],
    ['that was not marked as sent was never sent', [{ kind: 'restart', at: t0 }], 'expired'],
    ['that was sent before a restart is unknown', [sent, { kind: 'restart', at: t0 + 5 }], 'unknown'],
    [
      'that the gateway has seen already was taken by it',
      [sent, { kind: 'result', status: 'refused', reason: 'seen_id', at: t0 + 9 }],
      'acknowledged',
    ],
  ])('%s', (_name, facts, state) => {
    expect(after(facts).state).toBe(state)
  })

  test('that was sent whatever the clock is provable with a clock that is wrong, as a trip is', () => {
    const anyClock = { ...ordered(), clockChecked: false }
    expect(after([sent, read(100, t0 + 5, 'leakage.trip', t0 - clockToleranceMs)], anyClock).state).toBe('verified')
    expect(after([sent, read(100, t0 + 5, 'leakage.trip', t0 - clockToleranceMs - 1)], anyClock).state).toBe('sent')
  })

  test('of several keys needs every one of them', () => {
    const two = ordered({ 'leakage.trip': 100, 'overload.delay': 30 })
    const half = after([sent, read(100)], two)
    expect(half.state).toBe('sent')
    expect(after([read(30, t0 + 600, 'overload.delay')], half).state).toBe('verified')
    expect(after([read(90, t0 + 550), read(30, t0 + 600, 'overload.delay')], half).state).toBe('sent')
  })
})

const anyFact: fc.Arbitrary<SettingFact> = fc.oneof(
  fc.constant(sent),
  fc.constant(accepted),
  fc.constant(refused),
  fc.record({
    kind: fc.constant('readBack' as const),
    key: fc.constantFrom('leakage.trip', 'overload.delay', 'overvoltage'),
    value: fc.constantFrom(100, 30, 99),
    at: fc.integer({ min: t0 - 1_000, max: late + 1_000 }),
    deviceAt: fc.integer({ min: t0 - 600_000, max: late + 1_000 }),
  }),
  fc.integer({ min: t0, max: late + 1_000 }).map(tick),
  fc.constant<SettingFact>({ kind: 'restart', at: t0 + 3 }),
)

test('whatever happens, only a read-back of every key verifies, and what has ended stays as it is', () => {
  fc.assert(
    fc.property(fc.array(anyFact, { maxLength: 25 }), (facts) => {
      let life = ordered({ 'leakage.trip': 100, 'overload.delay': 30 })
      const read = new Map<string, number>()
      for (const fact of facts) {
        const next = foldSetting(life, fact)
        if (isFinal(life.state)) expect(next).toBe(life)
        if (fact.kind === 'readBack' && life.sentAt !== null) read.set(fact.key, fact.value)
        life = next
      }
      if (life.state !== 'verified') return
      expect(life.verifiedAt).not.toBeNull()
      for (const [key, value] of Object.entries(life.wanted)) expect(read.has(key) && value !== undefined).toBe(true)
    }),
  )
})

test('single precision is the same value, the next step is not', () => {
  for (const value of [75.6, 3600, 0.3, 265, 0]) {
    expect(sameSetting(value, Math.fround(value))).toBe(true)
    expect(sameSetting(value, value + 0.1)).toBe(false)
  }
})

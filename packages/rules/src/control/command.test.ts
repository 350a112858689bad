import { describe, expect, test } from 'vitest'
import type { CommandFact, CommandLife } from './command.ts'
import { deadlineFor, foldCommand, tripTimeLimitMs, tripTimePasses, validSeconds } from './command.ts'
import { isFinal, isUnderWay, verifyGraceMs } from './life.ts'
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
  trip,
} from './test-command.ts'

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

  test('a position measured more than five minutes before a trip was sent, whose clock need not be near', () => {
    const command = life(trip, sent)
    const old: CommandFact = { kind: 'position', value: 'open', deviceAt: issuedAt + 10 - 300_001, at: issuedAt + 500 }
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

  test('is not resolved by how the line stood at the deadline itself: the equipment may still have acted', () => {
    expect(foldCommand(unknown, reported('open', deadline))).toBe(unknown)
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
  ['set', undefined, 10_000],
  ['set', 20_000, 10_000],
  ['selfTest', undefined, 5_000],
] as const)('a %s asked for with %s ms has %i ms', (action, requested, ms) => {
  expect(deadlineFor(action, requested)).toBe(ms)
})

test('people are told in whole seconds how long an order is valid', () => {
  expect((['trip', 'set', 'close'] as const).map(validSeconds)).toEqual([30, 10, 5])
})

test('a state is under way, final, or unknown', () => {
  expect((['authorised', 'sent', 'acknowledged'] as const).every((state) => isUnderWay(state) && !isFinal(state))).toBe(true)
  expect((['verified', 'refused', 'expired', 'failed'] as const).every((state) => isFinal(state) && !isUnderWay(state))).toBe(
    true,
  )
  expect(isUnderWay('unknown') || isFinal('unknown')).toBe(false)
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

  test('is proven by no other state than that of the sounder, and ended by no failed test', () => {
    const acknowledged = life(hush, sent, accepted)
    for (const [state, value] of [
      ['mute', 'quiet'],
      ['selfTest', 'failed'],
    ] as const) {
      const fact: CommandFact = { kind: 'state', state, value, deviceAt: issuedAt + 300, at: issuedAt + 350 }
      expect(foldCommand(acknowledged, fact)).toBe(acknowledged)
    }
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

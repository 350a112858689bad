import { describe, expect, test } from 'vitest'
import type { CommandFact, CommandLife } from './command.ts'
import { deadlineFor, foldCommand } from './command.ts'
import { close, deadline, issuedAt, restart, sent, silence, tick } from './test-command.ts'

const report = (what: { proves?: boolean; fails?: string }, deviceAt: number): CommandFact => ({
  kind: 'report',
  proves: what.proves ?? false,
  fails: what.fails ?? null,
  deviceAt,
  at: deviceAt + 50,
})
const life = (action: CommandLife['action'], ...facts: readonly CommandFact[]) =>
  facts.reduce<CommandLife>(foldCommand, { ...close, action })
const late = tick(silence)

describe.each(['silence', 'selfTest'] as const)('%s', (action) => {
  test('is proven by the report it waits for, and by nothing else', () => {
    expect(life(action, sent, report({ proves: true }, issuedAt + 500)).state).toBe('verified')
    expect(life(action, sent, report({}, issuedAt + 500)).state).toBe('sent')
    const position: CommandFact = { kind: 'position', value: 'closed', deviceAt: issuedAt + 500, at: issuedAt + 550 }
    expect(life(action, sent, position).state).toBe('sent')
    expect(life(action, sent, { ...position, value: 'open' }).state).toBe('sent')
  })

  test('is not proven by a report from before it was sent', () => {
    expect(life(action, report({ proves: true }, issuedAt)).state).toBe('authorised')
    expect(life(action, sent, { ...report({ proves: true }, issuedAt), at: issuedAt + 5 } as CommandFact).state).toBe('sent')
    expect(life(action, sent, { ...report({ proves: true }, issuedAt - 60_000), at: issuedAt + 50 } as CommandFact).state).toBe(
      'sent',
    )
  })

  test('ends unknown in silence, and a later report resolves it either way', () => {
    expect(life(action, sent, late)).toMatchObject({ state: 'unknown', outcome: 'no_answer' })
    expect(life(action, sent, late, report({ proves: true }, deadline + 60_000)).state).toBe('verified')
    expect(life(action, sent, late, report({}, deadline + 60_000))).toMatchObject({ state: 'failed', outcome: 'not_done' })
  })

  test('that was done and failed says so', () => {
    expect(life(action, sent, report({ fails: 'self_test_failed' }, issuedAt + 500))).toMatchObject({
      state: 'failed',
      outcome: 'self_test_failed',
    })
  })

  test('is void after five seconds, ten at most, and after a restart', () => {
    expect([deadlineFor(action), deadlineFor(action, 60_000)]).toEqual([5_000, 10_000])
    expect(life(action, restart)).toMatchObject({ state: 'expired', outcome: 'server_restarted' })
  })
})

test.each(['trip', 'close'] as const)('a %s is proven by a position only', (action) => {
  expect(life(action, sent, report({ proves: true }, issuedAt + 500)).state).toBe('sent')
  expect(life(action, sent, report({ fails: 'x' }, issuedAt + 500)).state).toBe('sent')
})

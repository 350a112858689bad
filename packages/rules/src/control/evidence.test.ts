import { expect, test } from 'vitest'
import type { CommandFact } from './command.ts'
import type { EvidenceContext, OpenCommand, StateReport } from './evidence.ts'
import { evidenceOf } from './evidence.ts'
import { verifyGraceMs } from './life.ts'

const at = 1_800_000_000_000
const deadline = at + 5_000

const command = (action: OpenCommand['action'], more: Partial<OpenCommand> = {}): OpenCommand => ({
  action,
  fence: 5,
  sentAt: at - 1_000,
  deadline,
  ...more,
})

/** A line that nobody tripped and that nothing locks out. */
const context = (more: Partial<EvidenceContext> = {}): EvidenceContext => ({
  actions: [
    { key: 'close', confirmedBy: { state: 'position', value: 'closed' } },
    { key: 'silence', confirmedBy: { state: 'sounder', value: 'silent' } },
    { key: 'selfTest', confirmedBy: { state: 'selfTest', value: 'passed' }, byChange: true },
  ],
  tripFence: 0,
  lockedOut: false,
  open: [],
  measuredAt: null,
  ...more,
})

const reported = (state: string, value: string, more: Partial<StateReport> = {}): StateReport => ({
  state,
  value,
  changed: true,
  first: false,
  deviceAt: at,
  at,
  ...more,
})

const position = (value: 'open' | 'closed', more: Partial<CommandFact> = {}) => ({
  kind: 'position',
  value,
  deviceAt: at,
  at,
  ...more,
})
const opens = reported('position', 'open')
const earlierClose = command('close', { fence: 4 })

test.each<[string, OpenCommand, StateReport, Partial<EvidenceContext>, object | null]>([
  ['an unknown position says nothing', command('trip'), reported('position', 'unknown'), {}, null],
  ['a position of a trip is evidence of it', command('trip'), opens, {}, position('open')],
  [
    'a close that left before the trip may still stand behind "open"',
    command('trip'),
    opens,
    { open: [earlierClose] },
    position('open', { afterAnswer: true }),
  ],
  [
    'until its grace is over',
    command('trip'),
    reported('position', 'open', { at: deadline + verifyGraceMs }),
    { open: [earlierClose] },
    position('open', { at: deadline + verifyGraceMs, afterAnswer: true }),
  ],
  [
    'and no longer',
    command('trip'),
    reported('position', 'open', { at: deadline + verifyGraceMs + 1 }),
    { open: [earlierClose] },
    position('open', { at: deadline + verifyGraceMs + 1 }),
  ],
  ['nor one that never left', command('trip'), opens, { open: [command('close', { fence: 4, sentAt: null })] }, position('open')],
  ['nor one that was ordered after it', command('trip'), opens, { open: [command('close', { fence: 6 })] }, position('open')],
  ['nor another trip', command('trip'), opens, { open: [command('trip', { fence: 4 })] }, position('open')],
  ['a close minds no other close', command('close'), opens, { open: [earlierClose] }, position('open')],
  [
    'a line locked out since has tripped again',
    command('close'),
    opens,
    { lockedOut: true },
    position('open', { trippedAgain: true }),
  ],
  ['which is nothing to a trip', command('trip'), opens, { lockedOut: true }, position('open')],
  [
    'a newer trip may have opened the line of a test',
    command('selfTest'),
    opens,
    { tripFence: 6 },
    position('open', { byTrip: true }),
  ],
  [
    'also while it is under way',
    command('selfTest'),
    opens,
    { open: [command('trip', { fence: 6 })] },
    position('open', { byTrip: true }),
  ],
  [
    'an older trip has not',
    command('selfTest'),
    opens,
    { tripFence: 4, open: [command('trip', { fence: 4 })] },
    position('open'),
  ],
  ['nor is it anything to a close', command('close'), opens, { tripFence: 6 }, position('open')],
  [
    'the trip time that was told goes along',
    command('selfTest'),
    opens,
    { measuredAt: at - 5 },
    position('open', { measuredAt: at - 5 }),
  ],
])('a position: %s', (_, ordered, report, more, evidence) => {
  expect(evidenceOf(ordered, report, context(more))).toEqual(evidence)
})

const report = (proves: boolean, more: object = {}) => ({ kind: 'report', proves, fails: null, deviceAt: at, at, ...more })
const measured = {
  actions: [{ key: 'selfTest', confirmedBy: { state: 'selfTest', value: 'passed' }, measures: 'tripMs' }],
} as const
const selfTest = command('selfTest')

test.each<[string, OpenCommand, StateReport, Partial<EvidenceContext>, object | null]>([
  ['of something else says nothing', command('silence'), reported('selfTest', 'passed'), {}, null],
  [
    'says nothing where the equipment has no such action',
    command('silence'),
    reported('sounder', 'silent'),
    { actions: [] },
    null,
  ],
  ['that was asked for proves', command('silence'), reported('sounder', 'silent'), {}, report(true)],
  ['that was not asked for proves nothing', command('silence'), reported('sounder', 'sounding'), {}, report(false)],
  [
    'may be told once more, and still proves',
    command('silence'),
    reported('sounder', 'silent', { changed: false }),
    {},
    report(true),
  ],
  [
    'of a test proves once it was acknowledged',
    selfTest,
    reported('selfTest', 'passed'),
    {},
    report(true, { afterAnswer: true }),
  ],
  [
    'of a failed test fails it',
    selfTest,
    reported('selfTest', 'failed'),
    {},
    report(false, { fails: 'self_test_failed', afterAnswer: true }),
  ],
  ['of a test told once more is of an earlier one', selfTest, reported('selfTest', 'passed', { changed: false }), {}, null],
  ['of a test that runs is no outcome', selfTest, reported('selfTest', 'running'), {}, null],
  ['of a test told by a birth: nobody saw it come', selfTest, reported('selfTest', 'passed', { first: true }), {}, null],
  [
    'may be the outcome of a later test',
    selfTest,
    reported('selfTest', 'passed'),
    { open: [command('selfTest', { fence: 6 })] },
    null,
  ],
  [
    'is none of an earlier one',
    selfTest,
    reported('selfTest', 'passed'),
    { open: [command('selfTest', { fence: 4 })] },
    report(true, { afterAnswer: true }),
  ],
  ['is of the test itself', selfTest, reported('selfTest', 'passed'), { open: [selfTest] }, report(true, { afterAnswer: true })],
  ['where the trip time is measured, passes nothing by itself', selfTest, reported('selfTest', 'passed'), measured, null],
  [
    'where the trip time is measured, may still fail it',
    selfTest,
    reported('selfTest', 'failed'),
    measured,
    { kind: 'state', state: 'selfTest', value: 'failed', deviceAt: at, at },
  ],
])('a state %s', (_, ordered, reported, more, evidence) => {
  expect(evidenceOf(ordered, reported, context(more))).toEqual(evidence)
})

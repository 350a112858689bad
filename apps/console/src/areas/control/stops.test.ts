import type { CommandRecord } from '@linewarden/contract'
import { expect, test } from 'vitest'
import { stopsOf } from './stops.ts'

const sent: CommandRecord = {
  CommandID: 'c',
  LineID: 1,
  ControllerID: 'D',
  LineNo: 1,
  Action: 'close',
  State: 'sent',
  Outcome: null,
  Actor: 'a',
  Source: 'console',
  Reason: { zh: 'r', en: 'r' },
  RequestedAt: 1,
  Deadline: 5001,
  SentAt: 2,
  AcknowledgedAt: null,
  VerifiedAt: null,
  EndedAt: null,
  TripMs: null,
  RunID: null,
}
const marks = (command: CommandRecord) => stopsOf(command).map(({ mark }) => mark)

test('what has not come yet is not drawn as done', () => expect(marks(sent)).toEqual(['done', 'done', 'done', 'todo', 'todo']))

test('acknowledged is not verified', () => {
  expect(marks({ ...sent, State: 'acknowledged', AcknowledgedAt: 3 })).toEqual(['done', 'done', 'done', 'done', 'todo'])
})

test('a position proves the command even when the answer was lost', () => {
  expect(marks({ ...sent, State: 'verified', VerifiedAt: 4 })).toEqual(['done', 'done', 'done', 'todo', 'done'])
})

test('a refusal ends where it came', () => {
  expect(marks({ ...sent, State: 'refused' })).toEqual(['done', 'done', 'done', 'ended', 'todo'])
})

test('what was never sent ends before the sending', () => {
  expect(marks({ ...sent, State: 'expired', SentAt: null })).toEqual(['done', 'done', 'ended', 'todo', 'todo'])
})

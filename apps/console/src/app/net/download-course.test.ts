import type { CallProblem } from '@linewarden/client'
import { CallError } from '@linewarden/client'
import { Refusal } from '@linewarden/contract'
import { expect, test } from 'vitest'
import type { Download } from './download-course.ts'
import { after, answerOf, isDownloading, maxAwayMs } from './download-course.ts'

const running: Download = { ticket: 't', name: 'n', rows: 10, share: 0.2, state: 'running', awaySince: null }
const refused = (key: ConstructorParameters<typeof Refusal>[0]): CallProblem => {
  const refusal = new Refusal(key)
  return { kind: 'refusal', status: refusal.status, failure: refusal.envelope() }
}

test.each<[string, CallProblem]>([
  ['no answer', { kind: 'network' }],
  ['a late answer', { kind: 'timeout' }],
  ['a proxy that speaks for the server', { kind: 'http', status: 502 }],
  ['being asked too often', refused('too many downloads')],
  ['a session that is over', refused('session expired')],
])('%s does not end a download', (_, problem) => {
  const next = after(running, answerOf(new CallError(problem)), 5)
  expect(isDownloading(next)).toBe(true)
  expect(next).toMatchObject({ rows: 10, share: 0.2, awaySince: 5 })
})

test('a question that was given up does not end it either', () =>
  expect(isDownloading(after(running, answerOf(new DOMException('', 'TimeoutError')), 5))).toBe(true))

test('a server that does not know it ends it at once', () => {
  const gone = answerOf(new CallError(refused('download not exists')))
  expect(after(running, gone, 5).state).toBe('ended')
})

test('it ends when the server stays away for a minute, and not when it comes back before', () => {
  const away = after(running, 'away', 1_000)
  const late = after(away, 'away', 999 + maxAwayMs)
  expect(late.state).toBe('running')
  expect(after(late, 'away', 1_000 + maxAwayMs).state).toBe('ended')
  const back = after(late, { State: 'running', Rows: 20, Share: 0.4 }, 1_000 + maxAwayMs)
  expect(back).toMatchObject({ state: 'running', rows: 20, share: 0.4, awaySince: null })
  expect(after(back, 'away', 2 * maxAwayMs).state).toBe('running')
})

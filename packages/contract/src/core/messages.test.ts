import { expect, test } from 'vitest'
import { offenders } from '../../../../tests/kit/offenders.ts'
import { isMessageKey, messages, textOf } from './messages.ts'

const all = Object.entries(messages)
const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).toSorted()

const everyMessage = (rule: string, check: (message: (typeof all)[number][1]) => void) =>
  test(`every message ${rule}`, async () => expect(await offenders(all, (_, message) => check(message))).toEqual([]))

everyMessage('speaks Chinese', ({ zh }) => expect(zh).toMatch(/\p{Script=Han}/u))

everyMessage('speaks English', ({ en }) => expect(en).toMatch(/^[A-Z][\x20-\x7e]+$/))

everyMessage('is finished in both, without a full stop', ({ zh, en }) => {
  expect(zh).not.toMatch(/[。.\s]$/)
  expect(en).not.toMatch(/[.\s]$/)
})

everyMessage('speaks of the same facts in both', ({ zh, en }) => expect(placeholders(zh)).toEqual(placeholders(en)))

everyMessage('has a status a browser understands', ({ status }) => {
  expect([200, 400, 401, 403, 404, 408, 409, 413, 415, 429, 503]).toContain(status)
})

test('every message of the specification is there', () => {
  const specified = [
    'scene contain this line',
    'schedule contain this line',
    'app not registered',
    'failed',
    'invalid parameter',
    'device not exists',
    'DeviceState:Nonexistent',
    'device exists',
    'DeviceState:NotAdded',
    'Shared equipment',
    'user not admin',
    'UserState:Nonexistent',
    'password incorrect',
    "user doesn't exist",
    'User name or password error',
    'username exists',
    'username invalid',
    'username notexists',
    'not shared',
    'Default City',
    '',
    '离线',
    'device share failed',
  ]
  expect(specified.filter((key) => !isMessageKey(key))).toEqual([])
})

test('whether the account or the password was wrong is not told apart', () => {
  const texts = ['UserState:Nonexistent', 'password incorrect', "user doesn't exist", 'User name or password error'] as const
  expect(new Set(texts.map((key) => JSON.stringify(messages[key]))).size).toBe(1)
})

test('a text is filled with the facts it speaks of', () => {
  expect(textOf('account locked', { minutes: 15 })).toEqual({
    zh: '登录失败次数过多，请 15 分钟后再试',
    en: 'Too many failed attempts. Try again in 15 min',
  })
})

test('a fact is put in as it is, whatever it looks like', () => {
  expect(textOf('too many gateways', { most: '$& {most}' }).en).toBe('A project holds at most $& {most} gateways')
})

test('a fact that was not given leaves its place visible', () => {
  expect(textOf('account locked').en).toContain('{minutes}')
})

test.each(['toString', '__proto__', 'Failed', 'no such message'])('%j is no message', (key) => {
  expect(isMessageKey(key)).toBe(false)
})

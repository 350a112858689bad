import { createHmac } from 'node:crypto'
import { createClient } from '@linewarden/client'
import { listJournal, partnerLogin, proposeNumbers, userInfo } from '@linewarden/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Duty } from '../../kit/duty.ts'
import { startDuty } from '../../kit/duty.ts'
import { outcomeOf } from '../../kit/refused.ts'

const partnerSecret = 'partner-secret-of-these-tests-0123456789'
let all: Duty

beforeAll(async () => {
  all = await startDuty({ env: { LINEWARDEN_PARTNER: `gd:${partnerSecret}` } })
})
afterAll(() => all?.close())

describe('a partner signs its users on', () => {
  const nobody = () => createClient({ baseUrl: all.stack.url, session: () => null })
  const signOn = (userName: string, more: { AppID?: string; TimeStamp?: number; Nonce?: string; secret?: string } = {}) => {
    const {
      secret = partnerSecret,
      AppID = 'gd',
      TimeStamp = Math.floor(Date.now() / 1000),
      Nonce = crypto.randomUUID().replaceAll('-', ''),
    } = more
    const Signature = createHmac('sha256', secret).update([AppID, userName, TimeStamp, Nonce].join('\n')).digest('hex')
    return nobody().call(partnerLogin, { body: { AppID, UserName: userName, TimeStamp, Nonce, Signature } })
  }

  test('by name with its signature, once per nonce', async () => {
    await all.add('13600000061')
    const once = { Nonce: 'abcdefghij0123456789', TimeStamp: Math.floor(Date.now() / 1000) }
    const session = await signOn('13600000061', once)
    const client = createClient({ baseUrl: all.stack.url, session: () => ({ userId: session.UserID, token: session.Token }) })
    expect((await client.call(userInfo)).UserName).toBe('13600000061')
    // The partner said who it is; nobody has shown a password.
    expect(await outcomeOf(client.call(proposeNumbers, { body: {} }))).toBe('password needed')
    expect(await outcomeOf(signOn('13600000061', once))).toBe('nonce replayed')
  })

  test.each([
    ['another secret', '13600000061', { secret: 'x'.repeat(40) }, 'app not registered'],
    ['another app', '13600000061', { AppID: 'other' }, 'app not registered'],
    ['an unknown user', '13600000069', {}, 'username notexists'],
    ['the platform administrator', 'admin', {}, 'username notexists'],
    ['an old time', '13600000061', { TimeStamp: 1_000 }, 'clock skewed'],
  ])('not with %s, and the log says so', async (_, userName, more, message) => {
    expect(await outcomeOf(signOn(userName, more))).toBe(message)
    const { items } = await all.platform.call(listJournal, { body: { Action: 'login.partner', Outcome: 'refused', Size: 200 } })
    const audited = items
      .filter(({ After }) => JSON.parse(After ?? '').why === message)
      .map(({ Actor, Target }) => [Actor, Target])
    // Nobody is named by who is not the partner, and of them all there is one line for a quarter of an hour.
    if (message === 'app not registered') expect(audited).toEqual([['partner', '']])
    else expect(audited).toContainEqual([userName, userName])
  })
})

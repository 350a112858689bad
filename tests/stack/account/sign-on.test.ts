import type { Client } from '@linewarden/client'
import { createClient } from '@linewarden/client'
import { addRole, branding, editUser, listJournal, listUsers, redeemSignOn, signOnPath, userInfo } from '@linewarden/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { TestProvider } from '../../kit/oidc-provider.ts'
import { signOnClient, startProvider } from '../../kit/oidc-provider.ts'
import { outcomeOf } from '../../kit/refused.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { signedIn, startStack } from '../../kit/stack.ts'

const owner = { userName: '13900000001', password: 'Owner-7391' }
let provider: TestProvider
let stack: Stack

/** What the tab keeps that began. */
const bind = 'B'.repeat(43)

const start = (more: Readonly<Record<string, string>>) =>
  startStack({
    plan: smallPlan,
    env: {
      LINEWARDEN_OIDC_ISSUER: provider.issuer,
      LINEWARDEN_OIDC_CLIENT: `${signOnClient.id}:${signOnClient.secret}`,
      LINEWARDEN_OIDC_NAME: '示例集团',
      LINEWARDEN_OIDC_CLAIM: 'preferred_username',
      ...more,
    },
  })

/** What the provider says on the terminal; nothing of it may drown what a test has to say. */
const consoles = [vi.spyOn(console, 'warn'), vi.spyOn(console, 'info')]

beforeAll(async () => {
  provider = await startProvider()
  stack = await start({})
  provider.serveFor(stack.url)
  await stack.server.accounts.createAccount({ ...owner, kind: 'project' })
})
afterAll(async () => {
  await stack?.close()
  await provider?.close()
  for (const each of consoles) each.mockRestore()
})

/** A browser without pages: it keeps cookies, and goes where it is sent until it is back at the login page. */
function browser() {
  const jar = new Map<string, Map<string, string>>()
  const go = async (url: string, form?: Record<string, string>): Promise<{ url: string; body: string }> => {
    const { origin, pathname } = new URL(url)
    if (pathname === '/login') return { url, body: '' }
    const cookies = jar.get(origin) ?? new Map<string, string>()
    jar.set(origin, cookies)
    const reply = await fetch(url, {
      redirect: 'manual',
      headers: { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const each of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    const to = reply.headers.get('Location')
    return to === null ? { url, body: await reply.text() } : go(new URL(to, url).href)
  }
  return { go, jar }
}

const formIn = (body: string) => /action="([^"]+)"/.exec(body)?.[1] ?? ''

/** Signs on at the provider as this person; answers where the browser ends. */
async function signOnAs(login: string, { at = stack, redirect = '' } = {}): Promise<URL> {
  const { go } = browser()
  const asked = await go(`${at.url}${signOnPath}/go?bind=${bind}&redirect=${encodeURIComponent(redirect)}`)
  const consent = await go(formIn(asked.body), { prompt: 'login', login, password: 'any' })
  return new URL((await go(formIn(consent.body), { prompt: 'consent' })).url)
}

const open = (at = stack) => createClient({ baseUrl: at.url, session: () => null })
const redeem = (back: URL, at = stack, Bind = bind) =>
  open(at).call(redeemSignOn, { body: { Ticket: back.hash.replace('#ticket=', ''), Bind } })

async function sessionFrom(back: URL): Promise<Client> {
  const { UserID, Token } = await redeem(back)
  return createClient({ baseUrl: stack.url, session: () => ({ userId: UserID, token: Token }) })
}

test('the login page is told the name of the sign-on; where none is configured, nothing', async () => {
  expect((await open().call(branding)).SignOn).toEqual({ Name: '示例集团' })
  const without = await startStack({ plan: smallPlan })
  expect((await open(without).call(branding)).SignOn).toBeNull()
  expect((await fetch(`${without.url}${signOnPath}/go`)).status).toBe(404)
  await without.close()
})

describe('an account of the name that the provider vouches for', () => {
  test('is signed in by a ticket that is good once, and led back to where it came from', async () => {
    const back = await signOnAs(owner.userName, { redirect: '/system/users' })
    expect(back.pathname + back.search).toBe('/login?redirect=%2Fsystem%2Fusers')
    expect((await (await sessionFrom(back)).call(userInfo)).UserName).toBe(owner.userName)
    expect(await outcomeOf(redeem(back))).toBe('sign-in step over')
  })

  test('is signed in by no other browser than the one that began, which may still do so', async () => {
    const back = await signOnAs(owner.userName)
    expect(await outcomeOf(redeem(back, stack, 'C'.repeat(43)))).toBe('sign-in step over')
    expect(await outcomeOf(redeem(back))).toBe('done')
    const reply = await fetch(`${stack.url}${signOnPath}/go`, { redirect: 'manual' })
    expect(reply.headers.get('Location')).toBe('/login#refused=failed')
  })

  test('stays that of the person who signed on first, whoever gets the name at the provider later', async () => {
    for (const userName of ['first', 'second']) {
      await stack.server.accounts.createAccount({ userName, password: 'Claim-73911', kind: 'project' })
    }
    expect((await signOnAs('first')).hash).toMatch(/^#ticket=/)
    expect((await signOnAs('b~first')).hash).toBe('#refused=unknown')
    expect((await signOnAs('first')).hash).toMatch(/^#ticket=/)
    // Nor is the same person two accounts: the name of `b~second` was changed at the provider.
    expect((await signOnAs('b~second')).hash).toMatch(/^#ticket=/)
    expect((await signOnAs('second')).hash).toBe('#refused=unknown')
  })

  test('is not meant by letters that only look like its name', async () => {
    expect((await signOnAs('\u212aevin')).hash).toBe('#refused=unknown')
    await stack.server.accounts.createAccount({ userName: 'kevin', password: 'Claim-73911', kind: 'project' })
    expect((await signOnAs('\u212aevin')).hash).toBe('#refused=unknown')
  })

  test('is refused when it is disabled, runs the installation, or is not there; the log says so', async () => {
    const accountId = await stack.server.accounts.createAccount({ userName: 'gone', password: 'Gone-73911', kind: 'project' })
    expect((await signOnAs('gone')).hash).toMatch(/^#ticket=/)
    await stack.client.call(editUser, { body: { AccountID: accountId, Enabled: false, Version: 1 } })
    for (const name of ['gone', 'admin', 'nobody-here']) expect((await signOnAs(name)).hash).toBe('#refused=unknown')
    const { items } = await stack.client.call(listJournal, { body: { Action: 'login.signon', Size: 20 } })
    const refused = new Set(items.filter(({ Outcome }) => Outcome === 'refused').map(({ Actor }) => Actor))
    expect([...refused].filter((each) => ['admin', 'gone', 'nobody-here'].includes(each)).toSorted()).toEqual([
      'admin',
      'gone',
      'nobody-here',
    ])
    expect((await stack.client.call(listUsers, { body: { UserName: 'nobody-here' } })).items).toEqual([])
  })
})

describe('a sign-on is not finished', () => {
  const begin = async () => {
    const one = browser()
    const asked = await one.go(`${stack.url}${signOnPath}/go?bind=${bind}`)
    const consent = await one.go(formIn(asked.body), { prompt: 'login', login: owner.userName, password: 'any' })
    return { one, confirm: formIn(consent.body) }
  }

  test('by another browser than the one that began it', async () => {
    const { one, confirm } = await begin()
    one.jar.get(stack.url)?.clear()
    expect(new URL((await one.go(confirm, { prompt: 'consent' })).url).hash).toBe('#refused=failed')
  })

  test('with a state of somebody else', async () => {
    const [mine, theirs] = [await begin(), await begin()]
    const cookie = theirs.one.jar.get(stack.url)
    if (cookie) mine.one.jar.set(stack.url, cookie)
    expect(new URL((await mine.one.go(mine.confirm, { prompt: 'consent' })).url).hash).toBe('#refused=failed')
  })

  test('with a code that the provider did not give', async () => {
    const one = browser()
    const { url } = await one.go(`${stack.url}${signOnPath}/go?bind=${bind}`)
    expect(url.startsWith(provider.issuer)).toBe(true)
    const back = await one.go(`${stack.url}${signOnPath}/back?code=made-up&state=made-up&iss=${provider.issuer}`)
    expect(new URL(back.url).hash).toBe('#refused=failed')
  })

  test('and its cookie is read by no script and goes nowhere else', async () => {
    const reply = await fetch(`${stack.url}${signOnPath}/go?bind=${bind}`, { redirect: 'manual' })
    expect(reply.headers.get('Set-Cookie')).toMatch(/; Path=\/api\/v1\/users\/signon; Max-Age=600; HttpOnly; SameSite=Lax$/)
    const to = new URL(reply.headers.get('Location') ?? '')
    const asked = ['response_type', 'code_challenge_method'].map((name) => to.searchParams.get(name))
    expect(asked).toEqual(['code', 'S256'])
    for (const name of ['state', 'nonce', 'code_challenge']) expect(to.searchParams.get(name)?.length).toBeGreaterThan(20)
  })
})

test('where the browser came with TLS, its cookie is one that only this host with TLS can have set', async () => {
  const at = await start({ LINEWARDEN_TRUST_PROXY: 'loopback' })
  try {
    const headers = { 'X-Forwarded-Proto': 'https' }
    const begun = `${at.url}${signOnPath}/go?bind=${bind}&redirect=%2Frealtime`
    const reply = await fetch(begun, { headers, redirect: 'manual' })
    const set = reply.headers.get('Set-Cookie') ?? ''
    expect(set).toMatch(/^__Host-linewarden_signon=1\.[\w-]+; Path=\/; Secure; Max-Age=600; HttpOnly; SameSite=Lax$/)
    const [pair = ''] = set.split(';')
    const back = async (Cookie: string) => {
      const refused = await fetch(`${at.url}${signOnPath}/back?error=x`, { headers: { ...headers, Cookie }, redirect: 'manual' })
      return refused.headers.get('Location')
    }
    expect(await back(pair)).toContain('redirect=%2Frealtime')
    expect(await back(pair.replace('__Host-', ''))).toBe('/login#refused=failed')
  } finally {
    await at.close()
  }
})

test('who has no account gets one where that is set: a sub-account that sees nothing yet', async () => {
  const second = await startProvider()
  const at = await start({ LINEWARDEN_OIDC_ISSUER: second.issuer, LINEWARDEN_OIDC_CREATE: `${owner.userName}|duty` })
  second.serveFor(at.url)
  try {
    await at.server.accounts.createAccount({ ...owner, kind: 'project' })
    const anna = await signedIn(at.url, owner)
    await anna.call(addRole, { body: { Number: 'duty', Name: '值班', Privileges: ['devmon.realtime'], Buttons: [] } })
    await redeem(await signOnAs('13600000077', { at }), at)
    const [made] = (await anna.call(listUsers, { body: {} })).items
    const nothing = { HouseIDs: [], DeviceIDs: [] }
    expect(made).toMatchObject({ UserName: '13600000077', Kind: 'sub', RoleName: '值班', Assigned: nothing })
    // Disabled it stays out: no second one is made.
    await anna.call(editUser, { body: { AccountID: made?.AccountID ?? '', Enabled: false, Version: made?.Version ?? 0 } })
    expect((await signOnAs('13600000077', { at })).hash).toBe('#refused=unknown')
    expect((await signOnAs('两个 字', { at })).hash).toBe('#refused=unknown')
  } finally {
    await at.close()
    await second.close()
  }
})

test('an email address counts only when the provider has verified it', async () => {
  const second = await startProvider()
  const at = await start({ LINEWARDEN_OIDC_ISSUER: second.issuer, LINEWARDEN_OIDC_CLAIM: 'email' })
  second.serveFor(at.url)
  try {
    for (const userName of ['proved', 'unproved']) {
      await at.server.accounts.createAccount({ userName, password: 'Claim-73911', kind: 'project' })
    }
    expect((await signOnAs('proved', { at })).hash).toMatch(/^#ticket=/)
    expect((await signOnAs('unproved', { at })).hash).toBe('#refused=failed')
  } finally {
    await at.close()
    await second.close()
  }
})

test('a provider that does not answer is a refusal in words, not an error', async () => {
  const at = await start({ LINEWARDEN_OIDC_ISSUER: 'http://127.0.0.1:9' })
  const reply = await fetch(`${at.url}${signOnPath}/go?bind=${bind}`, { redirect: 'manual' })
  expect([reply.status, reply.headers.get('Location')]).toEqual([302, '/login#refused=failed'])
  await at.close()
})

test('the provider of these tests has all that it asks for', () => {
  expect(consoles.flatMap(({ mock }) => mock.calls.flat().map(String)).filter((each) => each.includes('oidc-provider'))).toEqual(
    [],
  )
})

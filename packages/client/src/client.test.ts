import type { IncomingMessage, RequestListener, Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Authorization } from '@linewarden/contract'
import {
  attendedHeader,
  listEvents,
  listJournal,
  login,
  logout,
  operateLine,
  Refusal,
  readAuthorization,
  signatureOf,
  snapshot,
  userInfo,
} from '@linewarden/contract'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import type { ClientOptions, Session } from './client.ts'
import { CallError, createClient } from './client.ts'
import { md5Hex } from './password.ts'

/** A request as the server got it, and what the client had to know to sign it. */
interface Got {
  readonly method: string
  readonly path: string
  readonly body: string
  readonly contentType: string | undefined
  readonly attended: string | undefined
  readonly authorization: Authorization
}

const session: Session = { userId: 'user-1', token: 'token-1' }
const servers: Server[] = []

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** A server that is really there. */
async function listen(handler: RequestListener): Promise<string> {
  const server = createServer(handler)
  servers.push(server)
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Each request is kept in `got` and answered with the next of the replies; the last one again and again. */
async function answering(...replies: readonly { status?: number; body: unknown; date?: string }[]) {
  const got: Got[] = []
  const baseUrl = await listen(async (request, response) => {
    const reply = replies[Math.min(got.length, replies.length - 1)]
    got.push(await read(request))
    response.writeHead(reply?.status ?? 200, { ...(reply?.date && { Date: reply.date }) })
    response.end(typeof reply?.body === 'string' ? reply.body : JSON.stringify(reply?.body))
  })
  const client = (options: Partial<ClientOptions> = {}) => createClient({ baseUrl, session: () => session, ...options })
  return { got, client, baseUrl }
}

async function read(request: IncomingMessage): Promise<Got> {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  const authorization = readAuthorization(request.headers.authorization ?? '')
  if (!authorization) throw new Error('no Authorization header in good form')
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    body,
    contentType: request.headers['content-type'],
    attended: request.headers[attendedHeader.toLowerCase()]?.toString(),
    authorization,
  }
}

const signatureFor = ({ method, path, body, authorization }: Got, token: string) =>
  signatureOf({
    nonce: authorization.Nonce,
    timeStamp: authorization.TimeStamp,
    userId: authorization.UserID,
    token,
    method,
    path,
    body,
  })

const refused = (key: ConstructorParameters<typeof Refusal>[0], detail = {}) => {
  const refusal = new Refusal(key, detail)
  return { status: refusal.status, body: refusal.envelope() }
}

const done = { body: { Code: 1, Message: '' } }
const me = { UserID: 'user-1', UserName: 'admin' }

/** The problem of a call that must fail. */
const problemOf = async (call: Promise<unknown>): Promise<CallError['problem']> => (await errorOf(call)).problem

async function errorOf(call: Promise<unknown>): Promise<CallError> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof CallError)) throw new Error(`expected a CallError, got ${String(error)}`)
  return error
}

describe('a call', () => {
  test('is signed over the path, the query and the body exactly as they travel', async () => {
    const { got, client } = await answering(done)
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((id) => id !== '.' && id !== '..'),
        fc.string({ unit: 'grapheme', maxLength: 40 }),
        async (ControllerID, Reason) => {
          await client().call(operateLine, {
            params: { ControllerID, LineNo: 2, attr: 'trip' },
            body: { CommandID: 'c-1', Reason },
          })
          const last = got.at(-1)
          if (!last) throw new Error('nothing came')
          expect(last.authorization.Signature).toBe(signatureFor(last, session.token))
          expect(decodeURIComponent(last.path)).toBe(`/api/v1/lines/${ControllerID}/2/trip`)
          expect(JSON.parse(last.body)).toEqual({ CommandID: 'c-1', Reason })
        },
      ),
      { numRuns: 40 },
    )
  })

  test('puts its query into the path, without what is not given', async () => {
    const { got, client } = await answering({ body: { Code: 1, Message: '', Datas: [], Total: 0 } })
    await client().call(snapshot, { query: { HouseID: 3 } })
    await client().call(snapshot, { query: {} })
    expect(got.map(({ path }) => path)).toEqual(['/api/v1/monitor/lines?HouseID=3', '/api/v1/monitor/lines'])
    expect(got.map((each) => each.authorization.Signature)).toEqual(got.map((each) => signatureFor(each, session.token)))
  })

  test('says whether somebody is there, where that is known, each time anew', async () => {
    const { got, client } = await answering({ body: { Code: 1, Message: '', Data: me } })
    let isThere = true
    const console = client({ attended: () => isThere })
    await console.call(userInfo)
    isThere = false
    await console.call(userInfo)
    await client().call(userInfo)
    expect(got.map(({ attended }) => attended)).toEqual(['yes', 'no', undefined])
  })

  test('without a body has no content type and signs the empty body', async () => {
    const { got, client } = await answering({ body: { Code: 1, Message: '', Data: me } })
    await client().call(userInfo)
    expect(got[0]).toMatchObject({ method: 'GET', path: '/api/v1/users', body: '', contentType: undefined })
  })

  test('with a body says that it is JSON', async () => {
    const { got, client } = await answering(done)
    await client().call(logout, { body: { UserID: 'user-1' } })
    expect(got[0]).toMatchObject({ method: 'PUT', contentType: 'application/json', body: '{"UserID":"user-1"}' })
  })

  test('carries the user and a new nonce each time', async () => {
    const { got, client } = await answering({ body: { Code: 1, Message: '', Data: me } })
    const one = client()
    await one.call(userInfo)
    await one.call(userInfo)
    expect(got.map(({ authorization }) => authorization.UserID)).toEqual(['user-1', 'user-1'])
    expect(got[0]?.authorization.Nonce).not.toBe(got[1]?.authorization.Nonce)
  })

  test('that is public tells nobody who is signed in', async () => {
    const { got, client } = await answering({ body: { Code: 1, Message: '', Data: { UserID: 'u', Token: 't', ExpiresAt: 1 } } })
    await client().call(login, { body: { UserName: 'admin', Password: md5Hex('x') } })
    const first = got[0]
    if (!first) throw new Error('nothing came')
    expect(first.authorization.UserID).toBe('')
    expect(first.authorization.Signature).toBe(signatureFor(first, ''))
  })

  test('signs with the session of the moment', async () => {
    const { got, client } = await answering({ body: { Code: 1, Message: '', Data: me } })
    let token = 'old'
    const one = client({ session: () => ({ userId: 'user-1', token }) })
    await one.call(userInfo)
    token = 'new'
    await one.call(userInfo)
    expect(got.map((each) => each.authorization.Signature)).toEqual(
      got.map((each, index) => signatureFor(each, index === 0 ? 'old' : 'new')),
    )
  })
})

describe('the reply', () => {
  test('of a call for one thing is its Data', async () => {
    const { client } = await answering({ body: { Code: 1, Message: '', Data: me } })
    expect(await client().call(userInfo)).toEqual(me)
  })

  test('of a call for many is its Datas with their total, which may be more than came', async () => {
    const { client } = await answering({ body: { Code: 1, Message: '', Datas: [{ EventID: '7' }], Total: 31 } })
    expect(await client().call(listEvents, { body: {} })).toEqual({ items: [{ EventID: '7' }], total: 31 })
  })

  test('of a call that says something of all of them has that, too', async () => {
    const { client } = await answering({ body: { Code: 1, Message: '', Datas: [], Total: 0, About: { Names: 'cut' } } })
    expect(await client().call(listJournal, { body: {} })).toEqual({ items: [], total: 0, about: { Names: 'cut' } })
  })

  test('of a call for nothing is null', async () => {
    const { client } = await answering(done)
    expect(await client().call(logout, { body: { UserID: 'user-1' } })).toBeNull()
  })
})

describe('a call fails', () => {
  test('with the refusal of the server, its text and its facts', async () => {
    const reply = refused('User name or password error', { left: 3 })
    const { client } = await answering(reply)
    const problem = await problemOf(client().call(login, { body: { UserName: 'a', Password: md5Hex('b') } }))
    expect(problem).toEqual({ kind: 'refusal', status: reply.status, failure: reply.body })
  })

  test.each([
    ['no JSON', '<html>'],
    ['nothing', ''],
    ['JSON that is no envelope', '[1]'],
    ['null', 'null'],
  ])('with the HTTP status when the answer is %s', async (_, body) => {
    const { client } = await answering({ status: 502, body })
    expect(await problemOf(client().call(userInfo))).toEqual({ kind: 'http', status: 502 })
  })

  test('as "network" when nobody answers', async () => {
    const { client, baseUrl } = await answering(done)
    const server = servers.pop()
    await new Promise((closed) => server?.close(closed))
    expect(await problemOf(client({ baseUrl }).call(userInfo))).toEqual({ kind: 'network' })
  })

  test('as "timeout" when the answer takes too long', async () => {
    const baseUrl = await listen(() => {})
    const client = createClient({ baseUrl, session: () => session, timeoutMs: 20 })
    expect(await problemOf(client.call(userInfo))).toEqual({ kind: 'timeout' })
  })

  test('as "timeout" too when its caller may take it back and does not', async () => {
    const baseUrl = await listen(() => {})
    const client = createClient({ baseUrl, session: () => session, timeoutMs: 20 })
    const { signal } = new AbortController()
    expect(await problemOf(client.call(userInfo, {}, { signal }))).toEqual({ kind: 'timeout' })
  })

  test('as "network" when the answer is cut off in its body', async () => {
    const baseUrl = await listen((_, response) => {
      response.writeHead(200, { 'Content-Length': '100' })
      response.write('{"Code":1,', () => response.destroy())
    })
    expect(await problemOf(createClient({ baseUrl, session: () => session }).call(userInfo))).toEqual({ kind: 'network' })
  })

  test('as "timeout" when the body stays away', async () => {
    const baseUrl = await listen((_, response) => {
      response.writeHead(200, { 'Content-Length': '100' })
      response.write('{"Code":1,')
    })
    const client = createClient({ baseUrl, session: () => session, timeoutMs: 50 })
    expect(await problemOf(client.call(userInfo))).toEqual({ kind: 'timeout' })
  })

  test('with the abort itself when the caller took it back', async () => {
    const abort = new AbortController()
    const baseUrl = await listen(() => abort.abort())
    const client = createClient({ baseUrl, session: () => session })
    await expect(client.call(userInfo, {}, { signal: abort.signal })).rejects.toMatchObject({ name: 'AbortError' })
  })
})

test.each([
  ['a refusal', { kind: 'refusal', status: 200 }, true],
  ['a refusal with an HTTP status', { kind: 'refusal', status: 403 }, true],
  ['a failure with an envelope', { kind: 'refusal', status: 500 }, false],
  ['a failure without one', { kind: 'http', status: 403 }, false],
  ['no answer', { kind: 'network' }, false],
] as const)('the server refused, and did not just fail: %s', (_, problem, refused) => {
  const failure = new Refusal('failed').envelope()
  expect(new CallError(problem.kind === 'refusal' ? { ...problem, failure } : problem).refused).toBe(refused)
})

describe('when the clocks differ', () => {
  const serverDate = 'Tue, 01 Dec 2026 00:00:00 GMT'
  const serverSeconds = Date.parse(serverDate) / 1000
  const skewed = { ...refused('clock skewed'), date: serverDate }
  const good = { body: { Code: 1, Message: '', Data: me } }
  /** This machine is a day behind. */
  const now = () => Date.parse(serverDate) - 86_400_000

  test('the client takes over the clock of the server and tries once more, with a new nonce', async () => {
    const { got, client } = await answering(skewed, good)
    expect(await client({ now }).call(userInfo)).toEqual(me)
    expect(got.map(({ authorization }) => authorization.TimeStamp)).toEqual([serverSeconds - 86_400, serverSeconds])
    expect(got[0]?.authorization.Nonce).not.toBe(got[1]?.authorization.Nonce)
    expect(got[1]?.authorization.Signature).toBe(got[1] && signatureFor(got[1], session.token))
  })

  test('it keeps the clock of the server for the calls after', async () => {
    const { got, client } = await answering(skewed, good)
    const one = client({ now })
    await one.call(userInfo)
    await one.call(userInfo)
    expect(got.map(({ authorization }) => authorization.TimeStamp)).toEqual([
      serverSeconds - 86_400,
      serverSeconds,
      serverSeconds,
    ])
  })

  test('a second refusal is told, and not tried for ever', async () => {
    const { got, client } = await answering(skewed)
    expect(await problemOf(client({ now }).call(userInfo))).toMatchObject({
      kind: 'refusal',
      failure: { Message: 'clock skewed' },
    })
    expect(got).toHaveLength(2)
  })
})

describe('the session', () => {
  test('is over when the server says so, and the caller is told why', async () => {
    let ended = 0
    const { client } = await answering(refused('session expired'))
    const problem = await problemOf(client({ onSessionEnd: () => (ended += 1) }).call(userInfo))
    expect(problem).toMatchObject({ kind: 'refusal', status: 401 })
    expect(ended).toBe(1)
  })

  test('is not over when a login was refused, nor when a right is missing', async () => {
    let ended = 0
    const onSessionEnd = () => (ended += 1)
    const wrong = await answering({ status: 401, body: refused('User name or password error').body })
    await problemOf(wrong.client({ onSessionEnd }).call(login, { body: { UserName: 'a', Password: md5Hex('b') } }))
    const forbidden = await answering({ status: 403, body: '' })
    await problemOf(forbidden.client({ onSessionEnd }).call(userInfo))
    expect(ended).toBe(0)
  })

  test.each([
    ['an empty body', { status: 401, body: '' }],
    ['a nonce that came twice', refused('nonce replayed')],
    ['a clock that is wrong', refused('clock skewed')],
  ] as const)('is not over with a 401 that says nothing of it: %s', async (_, answer) => {
    let ended = 0
    const { client } = await answering(answer)
    const caller = client({ onSessionEnd: () => (ended += 1) })
    // Nor does signing out take it for an end.
    expect(await errorOf(caller.call(logout, { body: { UserID: 'user-1' } }))).toMatchObject({ endsSession: false })
    expect(ended).toBe(0)
  })

  test.each(['session expired', 'signature wrong', 'authorization missing', 'authorization malformed'] as const)(
    'is over with "%s"',
    async (key) => {
      const { client } = await answering(refused(key))
      expect(await errorOf(client().call(userInfo))).toMatchObject({ endsSession: true })
    },
  )

  test('of now is not over because a late answer says so of a former one', async () => {
    let ended = 0
    let token = 'former'
    const reply = refused('session expired')
    const baseUrl = await listen((_, response) => {
      token = 'new'
      response.writeHead(reply.status).end(JSON.stringify(reply.body))
    })
    const client = createClient({
      baseUrl,
      session: () => ({ userId: 'user-1', token }),
      onSessionEnd: () => {
        ended += 1
      },
    })
    expect(await problemOf(client.call(userInfo))).toMatchObject({ kind: 'refusal', status: 401 })
    expect(ended).toBe(0)
  })

  test('is not over because a server is ill', async () => {
    let ended = 0
    const { client } = await answering({ status: 500, body: '' })
    await problemOf(client({ onSessionEnd: () => (ended += 1) }).call(userInfo))
    expect(ended).toBe(0)
  })
})

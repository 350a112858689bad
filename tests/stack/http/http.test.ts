import { once } from 'node:events'
import { connect } from 'node:net'
import type { Session } from '@linewarden/client'
import { CallError, createClient, md5Hex } from '@linewarden/client'
import type { Call } from '@linewarden/contract'
import {
  addGateways,
  allCalls,
  authorizationOf,
  closePermit,
  grantControl,
  lineDetails,
  listEvents,
  listJournal,
  login,
  logout,
  makeNonce,
  operateLine,
  pathOf,
  quarantine,
  searchTree,
  snapshot,
  startRun,
  switchSetting,
  tree,
  userInfo,
} from '@linewarden/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exampleOf } from '../../kit/example.ts'
import type { Sent } from '../../kit/send-raw.ts'
import { sendRaw } from '../../kit/send-raw.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { sessionOf, signedIn, startStack } from '../../kit/stack.ts'

let stack: Stack
let session: Session

beforeAll(async () => {
  stack = await startStack({ plan: smallPlan })
  session = await sessionOf(stack.url, stack.admin)
})
afterAll(() => stack?.close())

const send = (sent: Sent) => sendRaw(stack.url, session, sent)

const me = pathOf(userInfo)

describe('a request is refused, in both languages, when', () => {
  test.each<[string, Sent & { skewS?: number }, number, string]>([
    ['it carries no signature', { path: me, authorization: null }, 401, 'authorization missing'],
    ['its header is not base64 of JSON', { path: me, authorization: '%%%' }, 401, 'authorization malformed'],
    ['its header has other fields', { path: me, authorization: btoa('{"Nonce":"abcdef"}') }, 401, 'authorization malformed'],
    ['it is signed with another token', { path: me, token: 'x' }, 401, 'signature wrong'],
    ['nobody has that account', { path: me, userId: '00000000-0000-4000-8000-000000000000' }, 401, 'session expired'],
    ['the account is no id', { path: me, userId: "' or 1=1 --" }, 401, 'session expired'],
    ['its clock is six minutes behind', { path: me, skewS: -360 }, 401, 'clock skewed'],
    ['its clock is six minutes ahead', { path: me, skewS: 360 }, 401, 'clock skewed'],
    ['the body is no JSON', { method: 'POST', path: pathOf(listEvents), body: '{' }, 400, 'body malformed'],
    [
      'the body is no JSON type',
      { method: 'POST', path: pathOf(listEvents), body: '<a/>', type: 'text/xml' },
      415,
      'content type wrong',
    ],
    ['a field is unknown', { method: 'POST', path: pathOf(listEvents), body: '{"Color":1}' }, 400, 'invalid parameter'],
    ['a number is text', { method: 'POST', path: pathOf(listEvents), body: '{"Page":"1"}' }, 400, 'invalid parameter'],
    ['a number is out of range', { method: 'POST', path: pathOf(listEvents), body: '{"Size":201}' }, 400, 'invalid parameter'],
    ['a query is unknown', { path: `${pathOf(snapshot)}?House=1` }, 400, 'invalid parameter'],
    ['there is no such project', { path: `${pathOf(snapshot)}?HouseID=99999` }, 404, 'project not exists'],
    ['there is no such device', { path: pathOf(lineDetails, { ControllerID: 'nope', LineNo: 1 }) }, 404, 'device not exists'],
    ['there is no such line', { path: pathOf(lineDetails, { ControllerID: 'A-T1', LineNo: 99 }) }, 404, 'device not exists'],
    ['there is no such call', { path: '/api/v1/nothing/there' }, 404, 'page not found'],
  ])('%s', async (_, { skewS = 0, ...sent }, status, message) => {
    const { envelope, ...reply } = await send({ timeStamp: Math.floor(Date.now() / 1000) + skewS, ...sent })
    expect([reply.status, envelope.Code, envelope.Message]).toEqual([status, 0, message])
    expect(envelope.Text?.zh).toMatch(/\p{Script=Han}/u)
    expect(envelope.Text?.en).toMatch(/[a-z]/)
  })

  test('it was made before: the same nonce twice', async () => {
    const again = { path: me, nonce: 'abcdef', timeStamp: Math.floor(Date.now() / 1000) }
    expect((await send(again)).status).toBe(200)
    expect((await send(again)).envelope.Message).toBe('nonce replayed')
  })

  test('its path, method or body was swapped after signing', async () => {
    const timeStamp = Math.floor(Date.now() / 1000)
    const authorization = authorizationOf({
      nonce: makeNonce(),
      timeStamp,
      userId: session.userId,
      token: session.token,
      method: 'POST',
      path: pathOf(listEvents),
      body: '{"Page":1}',
    })
    expect((await send({ method: 'POST', path: pathOf(listEvents), body: '{"Page":2}', authorization })).envelope.Message).toBe(
      'signature wrong',
    )
    expect((await send({ path: pathOf(tree), authorization })).envelope.Message).toBe('signature wrong')
  })

  const ofBytes = (bytes: number) => JSON.stringify({ x: 'y'.repeat(bytes - '{"x":""}'.length) })
  const nobody = { userId: '', token: '' }
  test.each<[string, Sent, number]>([
    ['a stranger', { method: 'PUT', path: pathOf(login), ...nobody }, 4_096],
    ['anybody', { method: 'POST', path: pathOf(listEvents) }, 65_536],
    ['whoever names hundreds of lines', { method: 'POST', path: pathOf(startRun) }, 262_144],
    ['whoever imports a list', { method: 'POST', path: pathOf(addGateways) }, 1_048_576],
  ])('it is larger than %s may send', async (_, sent, most) => {
    const atMost = await send({ ...sent, body: ofBytes(most) })
    expect([atMost.status, atMost.envelope.Message]).toEqual([400, 'invalid parameter'])
    const more = await send({ ...sent, body: ofBytes(most + 1) })
    expect([more.status, more.envelope.Message]).toEqual([413, 'body too large'])
  })

  test('nobody has that session: its body is not waited for', async () => {
    const authorization = authorizationOf({
      ...{ nonce: makeNonce(), timeStamp: Math.floor(Date.now() / 1000), method: 'POST', path: pathOf(listEvents), body: '' },
      ...{ userId: '00000000-0000-4000-8000-000000000000', token: 'x' },
    })
    const socket = connect(Number(new URL(stack.url).port), '127.0.0.1')
    const head = [`POST ${pathOf(listEvents)} HTTP/1.1`, 'Host: x', `Authorization: ${authorization}`]
    socket.write(`${[...head, 'Content-Type: application/json', 'Content-Length: 60000'].join('\r\n')}\r\n\r\n`)
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1\.1 401 /)
    socket.destroy()
  })

  test.each([
    ['a list', JSON.stringify(Array(20_000).fill([]))],
    [
      'more fields than can be signed one by one',
      JSON.stringify(Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`f${n}`, n]))),
    ],
  ])('it is %s: its hash alone is signed', async (_, body) => {
    const { status, envelope } = await send({ method: 'POST', path: pathOf(listEvents), body })
    expect([status, envelope.Message]).toEqual([400, 'invalid parameter'])
  })

  test('each wrong field is named', async () => {
    const { envelope } = await send({
      method: 'PUT',
      path: pathOf(login),
      body: '{"UserName":"","Passwort":"x"}',
      userId: '',
      token: '',
    })
    expect(envelope.Problems?.map(({ Path }) => Path).sort()).toEqual(['body.Password', 'body.Passwort', 'body.UserName'])
  })
})

/** A well-formed request of any call, pointing at project B. */
const example = (call: Call) => exampleOf(call, { ControllerID: 'B-T1', attr: 'trip' })

describe.each(
  allCalls.filter((call) => call.permission !== 'public').map((call) => [`${call.method} ${call.path}`, call] as const),
)('%s', (_, call) => {
  const { path, body } = example(call)

  test('is refused without a token', async () => {
    expect((await send({ method: call.method, path, body, authorization: null })).status).toBe(401)
  })

  test('is refused after signing out', async () => {
    const mine = await sessionOf(stack.url, stack.admin)
    await createClient({ baseUrl: stack.url, session: () => mine }).call(logout, { body: { UserID: mine.userId } })
    expect((await send({ method: call.method, path, body, ...mine })).status).toBe(401)
  })
})

describe('a sub-account of project A', () => {
  let sub: Awaited<ReturnType<typeof signedIn>>
  let viewer: Awaited<ReturnType<typeof signedIn>>

  beforeAll(async () => {
    const { accounts, plant } = stack.server
    const a = [...plant.projects.values()].find(({ name }) => name === '项目A')
    const roleId = await accounts.createRole({
      number: 'duty',
      name: '值班',
      privileges: ['devmon', 'devmon.realtime'],
      buttons: ['lineSwitch'],
    })
    const noneId = await accounts.createRole({ number: 'none', name: '无', privileges: [], buttons: [] })
    await accounts.createAccount({
      userName: '13800000001',
      password: 'Duty-7391',
      kind: 'sub',
      roleId,
      projectIds: [a?.id ?? 0],
    })
    await accounts.createAccount({
      userName: '13800000002',
      password: 'None-7391',
      kind: 'sub',
      roleId: noneId,
      projectIds: [a?.id ?? 0],
    })
    sub = await signedIn(stack.url, { userName: '13800000001', password: 'Duty-7391' })
    viewer = await signedIn(stack.url, { userName: '13800000002', password: 'None-7391' })
  })

  const refused = (promise: Promise<unknown>, message: string) =>
    expect(promise).rejects.toMatchObject({ problem: { kind: 'refusal', failure: { Message: message } } })

  test('sees only project A', async () => {
    const { Groups } = await sub.call(tree, { query: {} })
    expect(Groups.flatMap(({ Houses }) => Houses.map(({ Name }) => Name))).toEqual(['项目A'])
    const lines = await sub.call(snapshot, { query: {} })
    expect(new Set(lines.items.map(({ LineID }) => stack.server.plant.lines.get(LineID)?.device.gateway.project.name))).toEqual(
      new Set(['项目A']),
    )
  })

  test('gets the projects alone with their counts, or one project with its equipment', async () => {
    const projects = await sub.call(tree, { query: { Depth: 'projects' } })
    const [house] = projects.Groups.flatMap(({ Houses }) => Houses)
    const own = [...stack.server.plant.lines.values()].filter(({ device }) => device.gateway.project.name === '项目A')
    expect(house?.Devices).toEqual([])
    expect(house?.Counts).toMatchObject({ Gateways: new Set(own.map(({ device }) => device.gateway)).size, Lines: own.length })
    const whole = await sub.call(tree, { query: { HouseID: house?.HouseID ?? 0 } })
    expect(whole.Groups[0]?.Houses[0]?.Devices.flatMap(({ Devices }) => Devices.flatMap(({ Lines }) => Lines))).toHaveLength(
      own.length,
    )
  })

  test('searches its own equipment alone', async () => {
    const b = [...stack.server.plant.lines.values()].find(({ device }) => device.gateway.project.name === '项目B')
    const a = [...stack.server.plant.lines.values()].find(({ device }) => device.gateway.project.name === '项目A')
    expect((await sub.call(searchTree, { query: { Text: b?.device.gateway.number ?? '' } })).total).toBe(0)
    const found = await sub.call(searchTree, { query: { Text: a?.device.gateway.number.toLowerCase() ?? '' } })
    expect(found.items).toMatchObject([{ Kind: 'gateway', Number: a?.device.gateway.number, LineID: null }])
    const byName = await sub.call(searchTree, { query: { Text: a?.name ?? '' } })
    expect(byName.items).toContainEqual(
      expect.objectContaining({ Kind: 'line', LineID: a?.id, LineName: a?.name, HouseName: '项目A' }),
    )
  })

  test('finds nothing of project B: it answers as if it were not there', async () => {
    const b = [...stack.server.plant.projects.values()].find(({ name }) => name === '项目B')
    const line = { ControllerID: 'B-T1', LineNo: 1 }
    await refused(sub.call(snapshot, { query: { HouseID: b?.id ?? 0 } }), 'project not exists')
    await refused(sub.call(lineDetails, { params: line }), 'device not exists')
    await refused(sub.call(closePermit, { params: line }), 'device not exists')
    await refused(
      sub.call(operateLine, { params: { ...line, attr: 'trip' }, body: { CommandID: crypto.randomUUID(), Reason: 'x' } }),
      'device not exists',
    )
    await refused(sub.call(listEvents, { body: { HouseID: b?.id ?? 0 } }), 'project not exists')
    await refused(sub.call(tree, { query: { HouseID: b?.id ?? 0 } }), 'project not exists')
    expect(stack.fleet.executed).toEqual([])
  })

  test('may not look into the quarantine of the installation', () =>
    refused(sub.call(quarantine, { query: {} }), 'access denied'))

  test('without the privilege sees no lines, and without the button moves none', async () => {
    await refused(viewer.call(snapshot, { query: {} }), 'access denied')
    await refused(
      viewer.call(operateLine, {
        params: { ControllerID: 'A-T1', LineNo: 1, attr: 'trip' },
        body: { CommandID: crypto.randomUUID(), Reason: 'x' },
      }),
      'access denied',
    )
    expect(stack.fleet.executed).toEqual([])
  })
})

test('five wrong passwords lock the account from this address, and say for how long', async () => {
  await stack.server.accounts.createAccount({ userName: 'locked', password: 'Right-4711', kind: 'sub' })
  const attempt = (password: string) =>
    signedIn(stack.url, { userName: 'locked', password }).then(
      () => 'in',
      (error: CallError) => error.message,
    )
  for (let i = 0; i < 4; i++) expect(await attempt('wrong')).toBe('User name or password error')
  expect(await attempt('wrong')).toBe('account locked')
  expect(await attempt('Right-4711')).toBe('account locked')
})

test('passwords that everybody tries first cannot be set', async () => {
  const create = (password: string) => stack.server.accounts.createAccount({ userName: 'weak-one', password, kind: 'sub' })
  for (const password of ['', '123456', 'password', 'weak-one'])
    await expect(create(password)).rejects.toMatchObject({ key: 'password too common' })
})

test('the sixth session of an account ends its first', async () => {
  await stack.server.accounts.createAccount({ userName: 'many', password: 'Many-4711', kind: 'sub' })
  const clients = []
  for (let i = 0; i < 6; i++) clients.push(await signedIn(stack.url, { userName: 'many', password: 'Many-4711' }))
  await expect(clients[0]?.call(userInfo)).rejects.toBeInstanceOf(CallError)
  await expect(clients[5]?.call(userInfo)).resolves.toMatchObject({ UserName: 'many' })
})

test('a caller whose clock is wrong corrects itself once and goes on', async () => {
  const client = createClient({ baseUrl: stack.url, session: () => session, now: () => Date.now() - 3_600_000 })
  await expect(client.call(userInfo)).resolves.toMatchObject({ UserName: stack.admin.userName })
})

test('the alarm-sound switch stands where the specification has it: Data[0].Setting', async () => {
  const { envelope } = await send({ path: `${pathOf(switchSetting)}?UserID=${session.userId}` })
  expect(envelope).toEqual({ Code: 1, Message: '', Data: [{ Setting: 1 }] })
})

test('whatever is sent, signed or not, is answered and never breaks the server', async () => {
  const calls = allCalls.filter((call) => call !== logout && call !== operateLine && call !== grantControl)
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...calls), fc.jsonValue(), fc.boolean(), async (call, body, signed) => {
      const { path } = example(call)
      const sent = { method: call.method, path, ...(call.method !== 'GET' && { body: JSON.stringify(body) }) }
      const { status, envelope } = await send(signed ? sent : { ...sent, authorization: btoa(JSON.stringify(body)) })
      expect(status).toBeLessThan(500)
      expect([0, 1]).toContain(envelope.Code)
    }),
    { numRuns: 150 },
  )
})

test('without a proxy that is believed nobody comes with TLS, and the metrics go through none', async () => {
  const asked = (path: string, headers: Record<string, string>) => fetch(stack.url + path, { headers })
  expect((await asked('/health', { 'X-Forwarded-Proto': 'https' })).headers.get('Strict-Transport-Security')).toBeNull()
  expect((await asked('/metrics', {})).status).toBe(200)
  expect((await asked('/metrics', { 'X-Forwarded-For': '127.0.0.1' })).status).toBe(404)
  const metrics = await (await asked('/metrics', {})).text()
  for (const name of ['linewarden_faults_total', 'linewarden_mqtt_connections_cut_off_total']) expect(metrics).toContain(name)
})

test('the API reference loads its scripts without TLS too', async () => {
  const policy = (await fetch(`${stack.url}/api/docs/`)).headers.get('Content-Security-Policy')
  expect(policy).toContain("script-src 'self'")
  expect(policy).not.toContain('upgrade-insecure-requests')
})

test('behind a proxy an address is what the proxy says, not what came along from outside', async () => {
  const behind = await startStack({ plan: smallPlan, env: { LINEWARDEN_TRUST_PROXY: 'yes' } })
  try {
    const sent = (UserName: string, forwarded: string) =>
      sendRaw(
        behind.url,
        { userId: '', token: '' },
        {
          method: login.method,
          path: pathOf(login),
          body: JSON.stringify({ UserName, Password: md5Hex('wrong') }),
          forwardedFor: forwarded,
        },
      )
    await sent(behind.admin.userName, '203.0.113.9, 198.51.100.7')
    const { items } = await behind.client.call(listJournal, { body: { Action: 'login', Outcome: 'refused', Size: 5 } })
    expect(items.map(({ Address }) => Address)).toEqual(['198.51.100.7'])
    // Somebody in the plant's own network writes another address in front of their own, or none at all.
    for (const userName of ['insider', 'painter'])
      await behind.server.accounts.createAccount({ userName, password: 'Right-4711', kind: 'sub' })
    await sent('insider', '10.9.9.9, 192.168.1.50')
    await sent('painter', '<img src=x onerror=alert(1)>')
    const addressOf = async (Actor: string) =>
      (await behind.client.call(listJournal, { body: { Actor, Size: 5 } })).items[0]?.Address
    expect([await addressOf('insider'), await addressOf('painter')]).toEqual(['192.168.1.50', '127.0.0.1'])
    const asked = async (path: string, headers: Record<string, string>) => fetch(behind.url + path, { headers })
    const secure = await asked('/health', { 'X-Forwarded-Proto': 'https' })
    expect(secure.headers.get('Strict-Transport-Security')).toBe('max-age=31536000')
    expect((await asked('/health', {})).headers.get('Strict-Transport-Security')).toBeNull()
    expect((await asked('/metrics', { 'X-Forwarded-For': '192.168.1.50' })).status).toBe(404)
    // Whoever has one address of IPv6 has a whole network of them: their tries are counted together.
    const tries = []
    for (const host of [1, 2, 3, 4, 5, 6]) tries.push((await sent('guesser', `2001:db8:7:1::${host}`)).envelope.Message)
    expect(tries).toEqual([...Array(4).fill('User name or password error'), 'account locked', 'account locked'])
    expect((await sent('guesser', '2001:db8:7:2::1')).envelope.Message).toBe('User name or password error')
  } finally {
    await behind.close()
  }
})

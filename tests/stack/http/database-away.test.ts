import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Session } from '@linewarden/client'
import type { Call } from '@linewarden/contract'
import { allCalls, authorizationOf, ledger, makeNonce, operateLine } from '@linewarden/contract'
import { ownDatabase } from '@linewarden/server/test-database'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { exampleOf } from '../../kit/example.ts'
import type { OpenProxy } from '../../kit/proxy.ts'
import { openProxy } from '../../kit/proxy.ts'
import { smallPlan } from '../../kit/small-plan.ts'
import type { Stack } from '../../kit/stack.ts'
import { sessionOf, startStack } from '../../kit/stack.ts'

let stack: Stack
let copy: string
let own: Awaited<ReturnType<typeof ownDatabase>>
let proxy: OpenProxy

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'linewarden-away-'))
  own = await ownDatabase()
  const database = new URL(own.url)
  const { host, port } = Object.fromEntries(database.searchParams)
  proxy = await openProxy(() => connect(`${host}/.s.PGSQL.${port}`))
  stack = await startStack({
    plan: smallPlan,
    env: {
      DATABASE_URL: `postgres://${database.username}@127.0.0.1:${proxy.port}${database.pathname}`,
      LINEWARDEN_AUDIT_COPY: copy,
    },
    fleet: { ticking: false },
    // What the log says of a database that has gone; anything else is printed.
    expects: /Connection terminated|ECONNREFUSED|connection error|notify listener|audit trail is not copied/,
  })
})
afterAll(async () => {
  await stack?.close()
  proxy?.close()
  await own?.drop()
  await rm(copy, { recursive: true, force: true })
})

const trip = (CommandID: string) =>
  stack.client.call(operateLine, {
    params: { ControllerID: 'A-T1', LineNo: 1, attr: 'trip' },
    body: { CommandID, Reason: 'test' },
  })
const probe = async (path: string) => (await fetch(stack.url + path)).status
const health = () => probe('/health')
const gateway = () => stack.fleet.gatewayOf('A-T1')

test('while the database is away nothing is promised: no order, no sign-in, no acknowledgement; afterwards nothing is missing', async () => {
  expect(await health()).toBe(200)
  await proxy.takeAway()

  expect(await health()).toBe(503)
  // What would start the server again is told that it lives: that would help nobody.
  expect([await probe('/readyz'), await probe('/healthz')]).toEqual([503, 200])
  const away = { message: 'database away', problem: { status: 503 } }
  const CommandID = crypto.randomUUID()
  await expect(trip(CommandID)).rejects.toMatchObject(away)
  await expect(sessionOf(stack.url, stack.admin)).rejects.toMatchObject(away)
  const before = gateway().acknowledged
  gateway().setPoint('A-T1', 2, 'residual', 17)
  const reported = gateway().report()
  const line = stack.server.plant.lineAt('A-T1', 2)
  expect(await health()).toBe(503)
  expect([gateway().acknowledged, stack.fleet.executed, line?.values[10] === 17]).toEqual([before, [], false])

  await proxy.bringBack()
  await reported
  expect([await health(), await probe('/readyz')]).toEqual([200, 200])
  expect(gateway().acknowledged).toBeGreaterThan(before)
  expect(line?.values[10]).toBe(17)
  // The same intent, sent again, is one order.
  await trip(CommandID)
  await trip(CommandID)
  const [entry, ...others] = (await stack.client.call(ledger, { query: {} })).items
  expect([entry?.Command.CommandID, others]).toEqual([CommandID, []])
  await vi.waitFor(() => expect(stack.fleet.executed.map(({ outcome }) => outcome)).toEqual(['executed']))
})

test('while the database is away the metrics are told all the same, without those that only it knows', async () => {
  const shown = async () => {
    const reply = await fetch(`${stack.url}/metrics`)
    const lines = (await reply.text()).split('\n')
    const has = (name: string) => lines.some((line) => line.startsWith(name))
    return [
      reply.status,
      has('process_cpu_seconds_total '),
      has('linewarden_under_pepper{'),
      has('linewarden_audit_copy_waiting '),
    ]
  }
  expect(await shown()).toEqual([200, true, true, true])
  await proxy.takeAway()
  expect(await shown()).toEqual([200, true, false, false])
  await proxy.bringBack()
  expect(await shown()).toEqual([200, true, true, true])
})

/** They end the session that the others are made with. */
const ending = ['logout', 'endSession', 'editUser', 'deleteUser', 'editOwnPassword']

test('whatever call is under way when the database goes, it is refused or answered, and nothing of it ends the process', async () => {
  const session = await sessionOf(stack.url, stack.admin)
  const calls = allCalls.filter(({ name }) => !ending.includes(name))
  const answers: string[] = []
  for (const answeredBefore of [0, 3, 10, 25, 50]) {
    let answered = 0
    const enough = Promise.withResolvers<void>()
    const made = calls.map(async (call) => {
      answers.push(`${await statusOf(call, session)} ${call.name}`)
      answered += 1
      if (answered >= answeredBefore) enough.resolve()
    })
    if (answeredBefore > 0) await enough.promise
    await proxy.takeAway()
    await Promise.all(made)
    await proxy.bringBack()
    expect(await health()).toBe(200)
  }
  expect(answers.filter((each) => each.startsWith('503')).length).toBeGreaterThan(20)
  expect(answers.filter((each) => !/^(2..|4..|503) /.test(each))).toEqual([])
})

async function statusOf(call: Call, session: Session): Promise<number> {
  const { path, body } = exampleOf(call, { ControllerID: 'A-T1', LineNo: 1 })
  const authorization = authorizationOf({
    nonce: makeNonce(),
    timeStamp: Math.floor(Date.now() / 1_000),
    userId: session.userId,
    token: session.token,
    method: call.method,
    path,
    body,
  })
  const answer = await fetch(`${stack.url}${path}`, {
    method: call.method,
    headers: { Authorization: authorization, ...(body !== '' && { 'Content-Type': 'application/json' }) },
    ...(body !== '' && { body }),
  })
  await answer.arrayBuffer()
  return answer.status
}

import { setTimeout as wait } from 'node:timers/promises'
import { createClient } from '@linewarden/client'
import { livePath, liveTicket, logout, userInfo } from '@linewarden/contract'
import type { GatewayPlan } from '@linewarden/simulator'
import { generatedPlan } from '@linewarden/simulator'
import { breakConnections, doors as doorNames } from '../tests/kit/broken-connections.ts'
import { upgrade } from '../tests/kit/broken-http.ts'
import { connectPacket } from '../tests/kit/broken-mqtt.ts'
import { sweepMutated } from '../tests/kit/mutated-calls.ts'
import { ownTenant } from '../tests/kit/own-tenant.ts'
import { sessionOf, signedIn } from '../tests/kit/stack.ts'
import { tryConnect } from '../tests/kit/try-connect.ts'
import { rawCopyRate } from './calibrate.ts'
import type { Field } from './field.ts'
import { field } from './field.ts'
import { report } from './report.ts'
import { reporting } from './reporting.ts'

const targets = { processEnds: 0, answers5xx: 0, unanswered: 0, slowerThanASecond: 0, foreignNames: 0 }
const port = 18_340
const hidden = 'HIDDENNAME'
const password = 'Owner-7391'
const [anna, bert] = ['13900000001', '13900000002'].map((userName) => ({ userName, password }))

/**
 * What nobody should send, at each door of a server in a process of its own: malformed and broken-off connections, then mutated calls of every
 * call of the contract, by a project's owner and by whoever runs the platform. Meanwhile a signed call, a reading and a gateway's sign-in each
 * wait for their answer.
 */
export async function doors(options: { calls?: number; connections?: number; seed?: number }): Promise<void> {
  const { calls = 40_000, connections = 5_000, seed = 1 } = options
  if (!anna || !bert) throw new Error('nobody asks')
  const plan = generatedPlan({ gateways: 3, linesPerGateway: 10 })
  const target = await field(plan, port, {
    seed: async ({ accounts }) => {
      for (const each of [anna, bert]) await accounts.createAccount({ ...each, kind: 'project' })
    },
  })
  const database = await target.database()
  const rawCopyRowsPerSecond = await rawCopyRate(database, 3)
  await database.end()
  const [reporter, broken, connecting] = target.gateways
  const foreign = await ownTenant(await signedIn(target.url, anna), hidden, '13500000001')
  const given = await ownTenant(await signedIn(target.url, bert), 'bert', '13500000002')
  const memoryBeforeMb = Math.round(await target.memoryMb())
  const probes = await probing(target, reporter, connecting)
  const found: Record<string, unknown> = {}
  const wrong: string[] = []
  const bad = { answers5xx: 0, unanswered: 0, foreignNames: 0, slowerThanASecond: 0 }
  for (const door of doorNames) {
    const live = await signedIn(target.url, bert)
    const admission = {
      http: null,
      upgrade: { number: '', bytes: async () => upgrade(`${livePath}?ticket=${(await live.call(liveTicket, {})).Ticket}`) },
      mqtt: {
        number: broken?.number ?? '',
        bytes: async () => connectPacket({ number: broken?.number ?? '', secret: broken?.secret ?? '' }),
      },
    }[door]
    const { answers } = await breakConnections({
      ...{ door, port: door === 'mqtt' ? target.mqttPort : port, count: connections, seed },
      ...(process.platform === 'linux' && { fromMany: true }),
      ...(admission && { admission }),
    })
    for (const [code, times] of answers) if (code !== null && code >= 500) bad.answers5xx += times
    found[door] = { connections, answers: Object.fromEntries(answers) }
    process.stderr.write(`${door}: ${JSON.stringify(found[door])}\n`)
  }
  let slowestMs = 0
  // Whoever runs the platform comes last: what is let through may change it for all.
  for (const [who, account, share] of [
    ['owner', bert, 0.75],
    ['platform', target.admin, 0.25],
  ] as const) {
    if (!target.isAlive()) break
    const ended = await sessionOf(target.url, account)
    await createClient({ baseUrl: target.url, session: () => ended }).call(logout, { body: { UserID: ended.userId } })
    const session = await sessionOf(target.url, account)
    const outcome = await sweepMutated({
      ...{ url: target.url, session, ended, count: Math.round(calls * share), seed, given, foreign },
      foreignNames: who === 'owner' ? [hidden, '13500000001'] : [],
    })
    wrong.push(...outcome.wrong)
    for (const [status, times] of outcome.statuses) if (status >= 500) bad.answers5xx += times
    slowestMs = Math.max(slowestMs, outcome.slowestMs)
    wrong.push(...outcome.slow)
    bad.slowerThanASecond += outcome.slow.length
    bad.unanswered += outcome.unanswered
    bad.foreignNames += outcome.foreignNames
    found[who] = { calls: Math.round(calls * share), statuses: Object.fromEntries(outcome.statuses) }
    process.stderr.write(`${who}: ${JSON.stringify(found[who])}\n`)
  }
  const { slower, slowest } = await probes.end()
  bad.slowerThanASecond += slower
  const processEnds = target.isAlive() ? 0 : 1
  const memoryAfterMb = processEnds === 0 ? Math.round(await target.memoryMb()) : null
  await target.close()
  for (const each of wrong.slice(0, 20)) process.stderr.write(`${each}\n`)
  report('doors', {
    seed,
    ...found,
    processEnds,
    ...bad,
    slowestCallMs: Math.round(slowestMs),
    probesSlowestMs: slowest,
    memoryBeforeMb,
    memoryAfterMb,
    rawCopyRowsPerSecond,
    targets,
    verdict: processEnds === 0 && Object.values(bad).every((each) => each === 0),
  })
}

/** A signed call, a reading and a gateway's sign-in, ten times a second each; one that fails is one that came too late. */
async function probing(target: Field, reporter: GatewayPlan | undefined, connecting: GatewayPlan | undefined) {
  const client = await signedIn(target.url, target.admin)
  const edge = await reporting(target, reporter)
  let going = true
  const slowest: Record<string, number> = {}
  let slower = 0
  const probe = async (name: string, one: (index: number) => Promise<unknown>) => {
    slowest[name] = 0
    for (let i = 0; going; i++) {
      const began = performance.now()
      const failed = await one(i).then(
        () => false,
        () => true,
      )
      const tookMs = performance.now() - began
      slowest[name] = Math.max(slowest[name] ?? 0, Math.round(tookMs))
      if (failed || tookMs > 1_000) slower += 1
      await wait(100)
    }
  }
  const probes = Promise.all([
    probe('call', () => client.call(userInfo)),
    probe('reading', edge.report),
    probe('signIn', async () => {
      if ((await tryConnect(target.mqttPort, connecting?.number ?? '', connecting?.secret ?? '')) !== 'in')
        throw new Error('not let in')
    }),
  ])
  return {
    async end() {
      going = false
      await probes
      await edge.end()
      return { slowest, slower }
    },
  }
}

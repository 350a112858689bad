import { setTimeout as wait } from 'node:timers/promises'
import tls from 'node:tls'
import { createClient } from '@linewarden/client'
import { livePath, liveTicket, logout, userInfo } from '@linewarden/contract'
import type { Server } from '@linewarden/server/compose'
import { testCertificate } from '@linewarden/server/test-certificate'
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
 * What nobody should send, at each door of a server in a process of its own: malformed and broken-off connections, without TLS and with it, then
 * mutated calls of every call of the contract, by a project's owner and by whoever runs the platform. Meanwhile a signed call, a reading and a
 * gateway's sign-in each wait for their answer.
 */
export async function doors(options: { calls?: number; connections?: number; seed?: number }): Promise<void> {
  const { calls = 40_000, connections = 5_000, seed = 1 } = options
  if (!anna || !bert) throw new Error('nobody asks')
  const bad = { answers5xx: 0, unanswered: 0, foreignNames: 0, slowerThanASecond: 0 }
  const overTls = await doorsOverTls({ connections, seed }, bad)
  const target = await field(plan(), port, { seed: twoOwners })
  const database = await target.database()
  const rawCopyRowsPerSecond = await rawCopyRate(database, 3)
  await database.end()
  const foreign = await ownTenant(await signedIn(target.url, anna), hidden, '13500000001')
  const given = await ownTenant(await signedIn(target.url, bert), 'bert', '13500000002')
  const memoryBeforeMb = Math.round(await target.memoryMb())
  const probes = await probing(target)
  const found: Record<string, unknown> = await atEachDoor(target, { connections, seed }, bad)
  const wrong: string[] = []
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
  const isAlive = target.isAlive()
  const processEnds = (isAlive ? 0 : 1) + overTls.processEnds
  const memoryAfterMb = isAlive ? Math.round(await target.memoryMb()) : null
  await target.close()
  for (const each of wrong.slice(0, 20)) process.stderr.write(`${each}\n`)
  report('doors', {
    seed,
    ...found,
    overTls,
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

/** What is counted of what should never be. */
type Bad = Record<'answers5xx' | 'unanswered' | 'foreignNames' | 'slowerThanASecond', number>

const plan = () => generatedPlan({ gateways: 3, linesPerGateway: 10 })

/** Two people who each own projects, so that one has something to hide from the other. */
const twoOwners = async ({ accounts }: Server) => {
  for (const each of [anna, bert]) if (each) await accounts.createAccount({ ...each, kind: 'project' })
}

/** The same doors of a server that speaks TLS, with a certificate that is made for it. */
async function doorsOverTls(which: { connections: number; seed: number }, bad: Bad) {
  const certificate = testCertificate()
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), certificate.cert])
  const target = await field(plan(), port + 10, { seed: twoOwners, certificate })
  const memoryBeforeMb = Math.round(await target.memoryMb())
  const probes = await probing(target)
  const found = await atEachDoor(target, which, bad)
  const { slower, slowest } = await probes.end()
  bad.slowerThanASecond += slower
  const isAlive = target.isAlive()
  const memoryAfterMb = isAlive ? Math.round(await target.memoryMb()) : null
  await target.close()
  return { ...found, probesSlowestMs: slowest, memoryBeforeMb, memoryAfterMb, processEnds: isAlive ? 0 : 1 }
}

/** Malformed and broken-off connections at one door after the other; answers how each was answered. */
async function atEachDoor(target: Field, { connections, seed }: { connections: number; seed: number }, bad: Bad) {
  const found: Record<string, unknown> = {}
  const broken = target.gateways[1]
  const isTls = target.mqttsPort !== null
  for (const door of doorNames) {
    const live = await signedIn(target.url, bert ?? target.admin)
    const admission = {
      http: null,
      upgrade: { number: '', bytes: async () => upgrade(`${livePath}?ticket=${(await live.call(liveTicket, {})).Ticket}`) },
      mqtt: {
        number: broken?.number ?? '',
        bytes: async () => connectPacket({ number: broken?.number ?? '', secret: broken?.secret ?? '' }),
      },
    }[door]
    const { answers } = await breakConnections({
      ...{ door, tls: isTls, count: connections, seed },
      port: door === 'mqtt' ? (target.mqttsPort ?? target.mqttPort) : Number(new URL(target.url).port),
      ...(process.platform === 'linux' && { fromMany: true }),
      ...(admission && { admission }),
    })
    for (const [code, times] of answers) if (code !== null && code >= 500) bad.answers5xx += times
    found[door] = { connections, answers: Object.fromEntries(answers) }
    process.stderr.write(`${door}${isTls ? ' over TLS' : ''}: ${JSON.stringify(found[door])}\n`)
  }
  return found
}

/** A signed call, a reading and a gateway's sign-in, ten times a second each; one that fails is one that came too late. */
async function probing(target: Field) {
  const [reporter, , connecting] = target.gateways
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
      const { number, secret } = connecting ?? { number: '', secret: '' }
      const { mqttsPort, mqttPort } = target
      const outcome = tryConnect(mqttsPort ?? mqttPort, number, secret, mqttsPort === null ? 'mqtt' : 'mqtts')
      if ((await outcome) !== 'in') throw new Error('not let in')
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

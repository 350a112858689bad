import { aboutNothing } from '@linewarden/contract'
import { familyOf } from '@linewarden/equipment'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { insertSelfTest, selfTestsOf, unrecordedSelfTests } from '../../store/control/self-test.ts'
import { TestExecution } from './test-execution.ts'

// What proves a self-test, and what leaves it unknown.
const server = new TestExecution()
const { answers, begun, ofId, position, reportOf } = server

beforeAll(() => server.open())
afterEach(() => server.close())
afterAll(() => server.drop())

/** The line reports where its self-test stands. `changed`: it was something else before. */
const tested = async (lineNo: number, value: string, changed: boolean) => {
  server.hub.publish({ reports: [{ ...reportOf(server.line(lineNo), value), state: 'selfTest', changed }] })
  await server.execution.tick()
}

test.each(['passed', 'failed'] as const)(
  'the %s of an earlier self-test, told once more after the answer, is no outcome of this one',
  async (earlier) => {
    await server.start()
    const lineNo = earlier === 'passed' ? 22 : 23
    const { device } = server.line(lineNo)
    for (const [family, outcome] of [
      ['detectorRs', { passed: ['verified', null], failed: ['failed', 'self_test_failed'] }],
      // Proven by the measured time and the open position: of passing it says nothing else.
      ['breaker3p', { passed: ['acknowledged', null], failed: ['verified', 'test_failed'] }],
    ] as const) {
      device.family = familyOf(family) ?? device.family
      const id = await begun(lineNo, 'selfTest')
      // What changes before the equipment has taken the order is somebody else's test.
      await tested(lineNo, earlier, true)
      expect(await ofId(id)).toEqual({ state: 'sent', outcome: null })
      await answers(lineNo, id, {})
      await tested(lineNo, earlier, false)
      await tested(lineNo, 'running', true)
      expect(await ofId(id)).toEqual({ state: 'acknowledged', outcome: null })
      const later = earlier === 'passed' ? 'failed' : 'passed'
      await tested(lineNo, later, true)
      const [state, why] = outcome[later]
      expect(await ofId(id)).toEqual({ state, outcome: why })
    }
  },
)

test('one outcome proves one self-test: not one that a newer one has overtaken, and not as a birth tells it', async () => {
  await server.start()
  const { device } = server.line(31)
  device.family = familyOf('detectorRs') ?? device.family
  const lost = await begun(31, 'selfTest')
  await answers(31, lost, {})
  server.now += 20_000
  await server.execution.tick()
  expect((await ofId(lost)).state).toBe('unknown')
  const newer = await begun(31, 'selfTest')
  await answers(31, newer, {})
  await tested(31, 'running', true)
  server.hub.publish({ reports: [{ ...reportOf(server.line(31), 'passed'), state: 'selfTest', first: true }] })
  await server.execution.tick()
  expect([(await ofId(lost)).state, (await ofId(newer)).state]).toEqual(['unknown', 'acknowledged'])
  await tested(31, 'passed', true)
  expect([(await ofId(lost)).state, (await ofId(newer)).state]).toEqual(['unknown', 'verified'])
})

test('a trip time told before a restart proves a self-test with the open position after it, and is worth nothing with a closed one', async () => {
  await server.start()
  const [sound, welded] = [await begun(24, 'selfTest'), await begun(25, 'selfTest')]
  for (const [lineNo, id] of [
    [24, sound],
    [25, welded],
  ] as const) {
    await answers(lineNo, id, { tripMs: 45 })
    expect(await ofId(id)).toEqual({ state: 'acknowledged', outcome: null })
  }
  server.now += 2_500
  await position(25, 'closed')
  await server.execution.close()
  server.now += 1_000
  await server.start()
  await position(24, 'open')
  expect(await ofId(sound)).toEqual({ state: 'verified', outcome: null })
  server.now += 10_000
  // It may have opened and been closed again while the server was away.
  await position(25, 'closed')
  await server.execution.tick()
  expect(await ofId(welded)).toEqual({ state: 'unknown', outcome: 'not_watched' })
})

test('an open position proves no self-test once the line was ordered to trip, also when that trip is over', async () => {
  await server.start()
  const id = await begun(28, 'selfTest')
  await answers(28, id, { tripMs: 45 })
  const trip = await begun(28, 'trip')
  server.now += 100
  await position(28, 'open')
  expect(await ofId(trip)).toEqual({ state: 'verified', outcome: null })
  server.now += 100
  await position(28, 'open')
  expect((await ofId(id)).state).toBe('acknowledged')
  await server.execution.close()
  server.now += 100
  await server.start()
  await position(28, 'open')
  expect(await ofId(id)).toEqual({ state: 'unknown', outcome: 'server_restarted' })
})

describe('of a self-test that told a trip time, and a line that is reported closed only after the deadline', () => {
  const worthless = { state: 'unknown', outcome: 'not_watched' }
  const failed = { state: 'failed', outcome: 'not_done' }
  const disabled = () => Object.assign(server.line(29).device.gateway, { disabled: true })
  const unwatched: readonly (readonly [string, object, () => unknown])[] = [
    ['that was never out of sight', failed, () => {}],
    [
      'whose other line was born again',
      failed,
      () => server.hub.publish({ reports: [{ ...reportOf(server.line(30), 'closed'), first: true }] }),
    ],
    [
      'whose device was born again',
      worthless,
      () => server.hub.publish({ reports: [{ ...reportOf(server.line(29), 'closed'), first: true }] }),
    ],
    ['of which something was missed', worthless, () => server.hub.publish({ positionInvalidated: new Set([server.line(29)]) })],
    ['whose device was away', worthless, () => server.hub.publish({ positionInvalidated: new Set([server.line(29).device]) })],
    [
      'whose gateway was away',
      worthless,
      () => server.hub.publish({ positionInvalidated: new Set([server.line(29).device.gateway]) }),
    ],
    [
      'whose other line lost its valid position',
      failed,
      () => server.hub.publish({ positionInvalidated: new Set([server.line(30)]) }),
    ],
    ['whose gateway is disabled', worthless, () => server.hub.publish({ gateways: [disabled()] })],
    [
      'whose server restarted',
      worthless,
      async () => {
        await server.execution.close()
        await server.start()
      },
    ],
    // Opened when the test was over: not by the test, and closed again by whoever did.
    ['that was opened and closed again since', worthless, () => position(29, 'open')],
  ]

  test.each(unwatched)('%s', async (_, outcome, happens) => {
    await server.start()
    const id = await begun(29, 'selfTest')
    await position(29, 'closed')
    await answers(29, id, { tripMs: 45 })
    server.now += 12_000
    await server.execution.tick()
    await happens()
    server.now += 1_000
    await position(29, 'closed')
    await server.execution.tick()
    expect(await ofId(id)).toEqual(outcome)
    const unrecorded = (await unrecordedSelfTests(server.database)).map(({ commandId }) => commandId)
    expect(unrecorded.includes(id)).toBe(outcome === failed)
  })
})

test.each([
  ['has failed', false, { state: 'failed', outcome: 'not_done' }],
  ['is worth nothing when its device was born in between', true, { state: 'unknown', outcome: 'not_watched' }],
])('a self-test whose line is told closed a second after the deadline %s', async (_, born, outcome) => {
  await server.start()
  const lineNo = born ? 29 : 30
  const id = await begun(lineNo, 'selfTest')
  await answers(lineNo, id, { tripMs: 45 })
  server.now += 6_000
  server.hub.publish({ reports: [{ ...reportOf(server.line(lineNo), 'closed'), first: born }] })
  server.now += 5_000
  await server.execution.tick()
  await position(lineNo, 'closed')
  await server.execution.tick()
  expect(await ofId(id)).toEqual(outcome)
})

test('a trip time told after a restart proves it with the open position from before', async () => {
  await server.start()
  const id = await begun(26, 'selfTest')
  await position(26, 'open')
  await server.execution.close()
  await server.start()
  await answers(26, id, { tripMs: 45 })
  expect(await ofId(id)).toEqual({ state: 'verified', outcome: null })
})

test('a position that was reported before the trip time, though both are heard at once, does not say that the line stayed closed', async () => {
  await server.start()
  const id = await begun(27, 'selfTest')
  const report = reportOf(server.line(27), 'closed')
  server.now += 100
  const { gateway } = server.line(27).device
  const result = { commandId: id, gateway, status: 'accepted', reason: null, tripMs: 45, receivedAt: server.now } as const
  server.hub.publish({ reports: [report], results: [result] })
  server.now += 20_000
  await server.execution.tick()
  expect(await ofId(id)).toEqual({ state: 'unknown', outcome: 'no_answer' })
})

test('nothing but the outcome of an earlier self-test leaves it unknown, until there is one of its own', async () => {
  await server.start()
  const { device } = server.line(24)
  device.family = familyOf('detectorRs') ?? device.family
  const id = await begun(24, 'selfTest')
  await answers(24, id, {})
  server.now += 20_000
  await tested(24, 'passed', false)
  await tested(24, 'running', true)
  expect(await ofId(id)).toEqual({ state: 'unknown', outcome: 'no_answer' })
  await tested(24, 'passed', true)
  expect(await ofId(id)).toMatchObject({ state: 'verified' })
})

test('a self-test that is recorded twice is one record and one entry of the log', async () => {
  await server.start()
  const commandId = await begun(19, 'selfTest')
  const test = {
    commandId,
    lineId: server.line(19).id,
    at: server.now,
    actor: 'a',
    result: 'passed',
    tripMs: 45,
    limitMs: 300,
    residualMa: 300,
    model: '3P',
  } as const
  const entry = {
    at: server.now,
    actor: 'a',
    address: '',
    action: 'selfTest.result',
    subject: aboutNothing,
    target: 'D/19',
    outcome: 'passed',
  } as const
  for (let times = 0; times < 2; times++) await insertSelfTest(server.database, test, { ...entry, after: { commandId } })
  const { rows } = await sql`select from audit where action = 'selfTest.result' and after ->> 'commandId' = ${commandId}`.execute(
    server.database.general,
  )
  expect(rows).toHaveLength(1)
  expect(await selfTestsOf(server.database, server.line(19).id, 9)).toHaveLength(1)
})

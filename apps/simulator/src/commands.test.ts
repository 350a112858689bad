import { families, wire } from '@linewarden/equipment'
import { DataType, encodePayload, metric } from '@linewarden/sparkplug'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CommandDesk } from './commands.ts'
import type { SimulatedDevice } from './device.ts'
import { newDevice } from './device.ts'
import { ExecutedLog } from './executed-log.ts'
import { seededRandom } from './random.ts'

const now = Date.UTC(2026, 0, 5, 4)

beforeEach(() => {
  vi.useFakeTimers({ now })
})
afterEach(() => {
  vi.useRealTimers()
})

function field(family: string, model: string) {
  let alias = 0
  const lines =
    families.find(({ key }) => key === family)?.level === 'line'
      ? [{ lineNo: 1, name: 'L', ratedCurrentA: 63, load: 'office' as const }]
      : []
  const device = newDevice(
    { controllerId: 'C', family, model, name: 'C', lines, circuit: { ratedCurrentA: 63, load: 'office' } },
    { now, random: seededRandom(1), nextAlias: () => alias++ },
  )
  const log = new ExecutedLog(null)
  const answers: { status: string; reason: string; tripMs: number | undefined }[] = []
  const reported: (readonly string[])[] = []
  /** Where the self-test stood at each report. */
  const tests: (string | undefined)[] = []
  const clock = { offMs: 0 }
  const desk = new CommandDesk({
    number: 'G',
    behaviour: { acknowledge: true, move: true, report: true, reportFirst: false, mechanismMs: 100 },
    log,
    random: seededRandom(1),
    now: Date.now,
    session: () => ({ clockSynchronised: true, bdSeq: 4, now: Date.now() + clock.offMs }),
    answer: (_device, _id, status, reason, tripMs) => answers.push({ status, reason, tripMs }),
    async reportAtOnce(_device, _lineNo, settings) {
      reported.push(settings)
      const entry = device.metrics.find(({ metric: { when, key } }) => when === 'state' && key === 'selfTest')
      const values = device.family.states.find(({ key }) => key === 'selfTest')?.values
      tests.push(values?.[Number(entry?.metric.read())]?.key)
    },
  })
  return { device, desk, clock, log, answers, reported, tests, lineNo: lines.length }
}

let ids = 0
function order(
  desk: CommandDesk,
  device: SimulatedDevice,
  lineNo: number,
  action: string,
  extra: Record<string, number> = {},
): void {
  ids += 1
  const metrics = [
    metric({ name: wire.command.id, type: DataType.String, value: `id-${ids}` }),
    metric({ name: wire.command.line, type: DataType.Int32, value: lineNo }),
    metric({ name: wire.command.action, type: DataType.String, value: action }),
    metric({ name: wire.command.deadline, type: DataType.DateTime, value: Date.now() + 5_000 }),
    metric({ name: wire.command.fence, type: DataType.Int64, value: ids }),
    metric({ name: wire.command.bdSeq, type: DataType.Int64, value: 4 }),
    ...Object.entries(extra).map(([name, value]) => metric({ name, type: DataType.Float, value })),
  ]
  desk.take(device, encodePayload({ timestampMs: Date.now(), metrics }))
  vi.advanceTimersByTime(200)
}

test.each(
  families.flatMap(({ key, models, actions }) => actions.map((action) => [key, action.key, models[0] ?? '', action] as const)),
)('%s does its %s, and reports what confirms it', (key, action, model, { confirmedBy }) => {
  const { device, desk, log, answers, reported, lineNo } = field(key, model)
  if (action === 'close') order(desk, device, lineNo, 'trip')
  if (action === 'silence') device.detector?.states.set('sounder', 'sounding')
  order(desk, device, lineNo, action)
  expect(log.entries.at(-1)).toMatchObject({ action, outcome: 'executed' })
  expect(answers.at(-1)?.status).toBe('accepted')
  expect(reported.length).toBeGreaterThan(0)
  const entry = device.metrics.find(({ metric: { when, key: of } }) => when === 'state' && of === confirmedBy.state)
  const values = device.family.states.find((state) => state.key === confirmedBy.state)?.values
  expect(values?.[Number(entry?.metric.read())]?.key).toBe(confirmedBy.value)
})

test.each([
  ['breaker3p', '3PN'],
  ['detectorRs', 'TCQ-RS'],
])('%s says that its self-test runs before it says how that went', (family, model) => {
  const { device, desk, lineNo, tests } = field(family, model)
  order(desk, device, lineNo, 'selfTest')
  expect(tests).toEqual(['running', 'passed'])
})

test('a sound release trips within 300 ms and says how long it took', () => {
  const { device, desk, answers } = field('breaker3p', '3PN')
  order(desk, device, 1, 'selfTest')
  expect(device.lines.get(1)).toMatchObject({ position: 'open', tripCause: 'selfTest', selfTest: 'passed' })
  expect(answers.at(-1)?.tripMs).toBeLessThanOrEqual(300)
})

test.each([
  ['slow', { ms: 400, rise: 0 }, 'open'],
  ['stuck', 'stuck', 'closed'],
] as const)('a %s release fails its test', (_, release, position) => {
  const { device, desk, answers } = field('breaker3p', '3PN')
  const line = device.lines.get(1)
  if (line) line.fault.release = release
  order(desk, device, 1, 'selfTest')
  expect(line).toMatchObject({ position, selfTest: 'failed' })
  expect((answers.at(-1)?.tripMs ?? Number.POSITIVE_INFINITY) > 300).toBe(true)
})

test('a breaker with welded contacts tells a trip time, calls itself sound, and reports that the line is closed', () => {
  const { device, desk, answers } = field('breaker3p', '3PN')
  const line = device.lines.get(1)
  if (line) line.fault.welded = true
  order(desk, device, 1, 'selfTest')
  expect(line).toMatchObject({ position: 'closed', selfTest: 'passed' })
  expect(answers.at(-1)?.tripMs).toBeLessThanOrEqual(300)
  order(desk, device, 1, 'trip')
  expect(line?.position).toBe('closed')
})

test('an open line is not tested', () => {
  const { device, desk, answers } = field('breaker1p', '1PN')
  order(desk, device, 1, 'trip')
  order(desk, device, 1, 'selfTest')
  expect(answers.at(-1)).toMatchObject({ status: 'refused', reason: 'line_open' })
})

test('a written setting is taken, protects, and is read back', () => {
  const { device, desk, reported } = field('breaker3p', '3PN')
  order(desk, device, 1, 'set', { 'settings/1/leakage.trip': 100 })
  expect(reported).toEqual([['leakage.trip']])
  expect(device.metrics.find(({ metric: { name } }) => name === 'settings/1/leakage.trip')?.metric.read()).toBe(100)
  expect(device.lines.get(1)?.settings.get('leakage.trip')).toBe(100)
})

test.each([
  ['below its range', { 'settings/1/leakage.trip': 29 }],
  ['beyond its range', { 'settings/1/leakage.trip': 501 }],
  ['of another line', { 'settings/2/leakage.trip': 100 }],
  ['of no family', { 'settings/1/colour': 1 }],
  ['that is missing', {}],
  ['one of which is bad', { 'settings/1/leakage.trip': 100, 'settings/1/overvoltage': 400 }],
])('a setting %s is refused, and nothing is changed', (_, settings) => {
  const { device, desk, answers, reported } = field('breaker3p', '3PN')
  order(desk, device, 1, 'set', settings)
  expect(answers).toEqual([{ status: 'refused', reason: 'bad_setting', tripMs: undefined }])
  expect(reported).toEqual([])
  expect(device.lines.get(1)?.settings.size).toBe(0)
})

test('the ranges of a 48 V model are its own', () => {
  const { device, desk, answers } = field('breaker1p', '1PN_Z')
  order(desk, device, 1, 'set', { 'settings/1/overvoltage': 265 })
  expect(answers.at(-1)?.reason).toBe('bad_setting')
  order(desk, device, 1, 'set', { 'settings/1/overvoltage': 59 })
  expect(device.lines.get(1)?.settings.get('overvoltage')).toBe(59)
})

test('a locked line is tripped, and neither closed, tested nor set', () => {
  const { device, desk, answers } = field('breaker3p', '3PN')
  const line = device.lines.get(1)
  if (line) line.localLock = true
  for (const action of ['close', 'selfTest', 'set'])
    order(desk, device, 1, action, action === 'set' ? { 'settings/1/leakage.trip': 100 } : {})
  expect(answers.map(({ reason }) => reason)).toEqual(['local_lock', 'local_lock', 'local_lock'])
  order(desk, device, 1, 'trip')
  expect(line?.position).toBe('open')
})

test('a detector takes no switching, a breaker no silencing', () => {
  const smoke = field('smoke', 'JTY-GD')
  order(smoke.desk, smoke.device, 0, 'trip')
  expect(smoke.answers.at(-1)?.reason).toBe('unknown_action')
  const breaker = field('breaker3p', '3PN')
  order(breaker.desk, breaker.device, 1, 'silence')
  expect(breaker.answers.at(-1)?.reason).toBe('unknown_action')
})

/** Hands over without letting the mechanism move yet. */
function hand(desk: CommandDesk, device: SimulatedDevice, action: string, fence: number, deadline = Date.now() + 5_000): void {
  const metrics = [
    metric({ name: wire.command.id, type: DataType.String, value: `hand-${fence}` }),
    metric({ name: wire.command.line, type: DataType.Int32, value: 1 }),
    metric({ name: wire.command.action, type: DataType.String, value: action }),
    metric({ name: wire.command.deadline, type: DataType.DateTime, value: deadline }),
    metric({ name: wire.command.fence, type: DataType.Int64, value: fence }),
    metric({ name: wire.command.bdSeq, type: DataType.Int64, value: 4 }),
  ]
  desk.take(device, encodePayload({ timestampMs: Date.now(), metrics }))
}

test('a close that a trip has overtaken does not move the mechanism', () => {
  const { device, desk, answers, log } = field('breaker3p', '3PN')
  order(desk, device, 1, 'trip')
  hand(desk, device, 'close', 1_000)
  hand(desk, device, 'trip', 1_001)
  vi.advanceTimersByTime(200)
  expect(device.lines.get(1)?.position).toBe('open')
  expect(answers).toContainEqual(expect.objectContaining({ status: 'refused', reason: 'older_fence' }))
  expect(log.entries.filter(({ action, outcome }) => action === 'close' && outcome === 'executed')).toEqual([])
})

test('a close whose deadline passes before the mechanism moves is refused', () => {
  const { device, desk, answers } = field('breaker3p', '3PN')
  order(desk, device, 1, 'trip')
  hand(desk, device, 'close', 2_000, Date.now() + 50)
  vi.advanceTimersByTime(200)
  expect(device.lines.get(1)?.position).toBe('open')
  expect(answers.at(-1)).toMatchObject({ status: 'refused', reason: 'deadline_passed' })
})

test('a gateway whose clock is slow closes after the deadline, and the log has the true time of it', () => {
  const { device, desk, clock, log } = field('breaker3p', '3PN')
  order(desk, device, 1, 'trip')
  clock.offMs = -60_000
  const deadline = Date.now() - 50_000
  hand(desk, device, 'close', 3_000, deadline)
  vi.advanceTimersByTime(200)
  expect(device.lines.get(1)?.position).toBe('closed')
  expect(log.entries.at(-1)).toMatchObject({ action: 'close', outcome: 'executed', deadline })
  expect(log.entries.at(-1)?.at).toBeGreaterThan(deadline)
})

import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoPlan } from '../demo-plan.ts'
import type { Fleet } from '../fleet.ts'
import { startFleet } from '../fleet.ts'
import type { Frame } from '../script/incident.ts'
import { readIncident, writeIncident } from '../script/incident.ts'
import { askControl, controlPath, openControl } from './socket.ts'

let folder: string
let fleet: Fleet
let control: { close(): Promise<void> }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lw-control-'))
  // Nobody listens there: the plant lives, and says nothing.
  fleet = startFleet(
    demoPlan().flatMap((project) => project.gateways),
    { url: 'mqtt://127.0.0.1:1', ticking: false },
  )
  control = await openControl(fleet, folder, () => {})
})
afterAll(async () => {
  await control.close()
  await fleet.close()
  await rm(folder, { recursive: true, force: true })
})

const inject = (target: string, fault: string, given: Record<string, string> = {}) =>
  askControl(folder, { do: 'inject', target, fault, given })
const value = (id: string, name: string) => {
  const device = fleet
    .gatewayOf(id)
    .devices()
    .find(({ controllerId }) => controllerId === id)
  return device?.metrics.find(({ metric }) => metric.name === name)?.metric.read()
}

test('only this user reaches it', async () => {
  expect((await stat(controlPath(folder))).mode & 0o777).toBe(0o600)
})

test('a fault asked for happens to the plant', async () => {
  expect(await inject('BJ06-W1', 'water')).toEqual({ ok: true, text: 'BJ06-W1: water' })
  await fleet.step()
  expect(value('BJ06-W1', 'water')).toBe(1)
  expect((await inject('BJ06-W1', 'mend')).ok).toBe(true)
  expect((await inject('BJ01-T1/2', 'shortCircuit')).ok).toBe(true)
  expect(value('BJ01-T1', '2/position')).toBe(0)
})

test('what is said of a fault is taken, or refused with what can be said', async () => {
  const before = Number(value('BJ01-T1', '4/residual'))
  expect(await inject('BJ01-T1/4', 'leakageStep', { mA: '77' })).toEqual({ ok: true, text: 'BJ01-T1/4: leakageStep mA=77' })
  await fleet.step()
  expect(Number(value('BJ01-T1', '4/residual')) - before).toBeGreaterThan(70)
  expect(await inject('BJ01-T1/4', 'leakageStep', { volts: '7' })).toEqual({
    ok: false,
    error: 'leakageStep has no volts; it has mA',
  })
  expect((await inject('BJ01-T1/4', 'mend')).ok).toBe(true)
})

test('a meter that is reset counts from nought, of a line and of a detector', async () => {
  const limiter = [...fleet.gateways.values()]
    .flatMap((gateway) => gateway.devices())
    .find(({ family }) => family.key === 'currentLimiter')
  const id = limiter?.controllerId ?? ''
  expect(value('BJ01-T1', '3/energy')).toBeGreaterThan(100)
  expect(value(id, 'energy')).toBeGreaterThan(100)
  expect((await inject('BJ01-T1/3', 'meterReset')).ok).toBe(true)
  expect((await inject(id, 'meterReset')).ok).toBe(true)
  expect([value('BJ01-T1', '3/energy'), value(id, 'energy')]).toEqual([0, 0])
})

test.each([
  ['BJ06-W1', 'gasLeak', 'cannot have gasLeak'],
  ['BJ01-T1', 'smoke', 'a line cannot have smoke'],
  ['BJ06-W1', 'meterReset', 'cannot have meterReset'],
  ['GW-BJ-01', 'smoke', 'a gateway cannot have smoke'],
  ['NOBODY', 'smoke', 'the fleet has no device NOBODY'],
  ['BJ01-T1/99', 'overload', 'BJ01-T1 has no line 99'],
  ['BJ01-T1', 'constructor', 'a line cannot have constructor'],
])('%s cannot have %s, and it says so', async (target, fault, why) => {
  const reply = await inject(target, fault)
  expect(reply.ok ? reply.text : reply.error).toContain(why)
})

test('a line cannot have what its family cannot: an air switch trips on no leakage', async () => {
  const ways = [...fleet.gateways.values()]
    .flatMap((gateway) => gateway.devices())
    .find(({ family }) => family.key === 'airSwitch3p')
  const id = ways?.controllerId ?? ''
  for (const fault of ['leakageTrip', 'releaseSlow']) {
    const reply = await inject(`${id}/1`, fault)
    expect(reply.ok ? reply.text : reply.error).toContain(`cannot have ${fault}`)
  }
  expect(value(id, '1/position')).toBe(1)
  expect((await inject(`${id}/1`, 'overheatTrip')).ok).toBe(true)
  expect(value(id, '1/position')).toBe(0)
})

test.each([
  ['BJ01-T1/99', 'overload', 'BJ01-T1 has no line 99'],
  ['BJ01-T1/1', 'smoke', 'a line cannot have smoke'],
  ['NOBODY', 'mend', 'the fleet has no device NOBODY'],
])('a scenario in which %s would have %s is refused before its first step', async (target, fault, why) => {
  const scenario = `name: X\nsteps:\n  - { at: 0s, target: BJ03-T1/1, fault: shortCircuit }\n  - { at: 1s, target: ${target}, fault: ${fault} }\n`
  const reply = await askControl(folder, { do: 'play', scenario })
  expect(reply.ok ? reply.text : reply.error).toContain(why)
  expect(value('BJ03-T1', '1/position')).toBe(1)
})

test('what is there can be listed', async () => {
  const reply = await askControl(folder, { do: 'list' })
  expect(reply.ok && reply.text).toContain('BJ06-A1  arcDetector')
})

test('what was recorded is what the device reports, and can be replayed on another one', async () => {
  const recorded = await askControl(folder, { do: 'record', target: 'BJ01-T1/1', seconds: 1 })
  const [frame] = readIncident(recorded.ok ? recorded.text : '')
  expect(frame?.values['1/current.a']).toBe(value('BJ01-T1', '1/current.a'))
  expect(frame?.values['1/position']).toBe('closed')
  const incident: Frame[] = [
    { device: 'BJ01-T1', time: 5_000, values: { '1/residual': 287, '1/position': 'closed', '1/energy': 1 } },
    { device: 'BJ01-T1', time: 6_000, values: { '1/residual': 0, '1/position': 'open', '1/trip.cause': 'leakage' } },
  ]
  const before = value('BJ02-T1', '1/energy')
  const reply = await askControl(folder, {
    do: 'replay',
    incident: writeIncident(incident),
    speed: 10,
    onto: { 'BJ01-T1': 'BJ02-T1' },
  })
  expect(reply).toEqual({ ok: true, text: 'replaying 2 messages, 0 s' })
  await expect.poll(() => [value('BJ02-T1', '1/residual'), value('BJ02-T1', '1/position')], { interval: 5 }).toEqual([0, 0])
  expect(value('BJ02-T1', '1/energy')).toBe(before)
  // After its end physics goes on where it was.
  await expect.poll(() => value('BJ02-T1', '1/position'), { interval: 5 }).toBe(1)
})

test.each([
  ['not json', 'line 1: this is no JSON'],
  ['{"device":"BJ01-T1","values":{}}', 'line 1: time is missing'],
  ['{"device":"BJ01-T1","time":1,"values":{"1/position":"ajar"}}', 'position has no value ajar'],
  ['{"device":"BJ01-T1","time":1,"values":{"99/residual":1}}', 'BJ01-T1 has no line 99'],
  ['{"device":"NOBODY","time":1,"values":{}}', 'the fleet has no device NOBODY'],
  ['', 'the incident is empty'],
])('an incident that cannot be played is refused before it begins: %s', async (incident, why) => {
  const reply = await askControl(folder, { do: 'replay', incident, speed: 1, onto: {} })
  expect(reply.ok ? '' : reply.error).toContain(why)
  expect(value('BJ01-T1', '1/position')).toBe(1)
})

test('without a demo it says what to do', async () => {
  await expect(askControl(join(folder, 'elsewhere'), { do: 'list' })).rejects.toThrow('no demo is running')
})

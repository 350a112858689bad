import { families, familyOf } from '@linewarden/equipment'
import { describe, expect, test } from 'vitest'
import { demoPlan } from '../demo-plan.ts'
import type { SimulatedDevice } from '../device.ts'
import { newDevice, wired } from '../device.ts'
import type { DevicePlan } from '../plan.ts'
import { seededRandom } from '../random.ts'
import { newDetector, resetDetector, stepDetector } from './detector.ts'
import type { SimulatedDetector, Surroundings } from './senses/sense.ts'
import { sound } from './senses/sense.ts'

const noon = Date.UTC(2026, 0, 5, 4)
const clocks = new WeakMap<SimulatedDetector, number>()

function detectorOf(key: string, settings: Record<string, number> = {}): SimulatedDetector {
  const family = familyOf(key)
  if (!family) throw new Error(`no family ${key}`)
  const plan = { controllerId: 'D', family: key, model: family.models[0] ?? '', name: 'D', lines: [] }
  const detector = newDetector({ ...plan, circuit: { ratedCurrentA: 40, load: 'office' } }, family, seededRandom(1))
  for (const [setting, value] of Object.entries(settings)) detector.settings.set(setting, value)
  return detector
}

/** Lives some seconds among these surroundings, from where it stopped before. */
function live(detector: SimulatedDetector, seconds: number, change: Partial<Surroundings> = {}): SimulatedDetector {
  const random = seededRandom(2)
  Object.assign(detector.around, change)
  let now = clocks.get(detector) ?? noon
  for (let i = 0; i < seconds; i++) {
    now += 1_000
    stepDetector(detector, 1_000, now, random)
  }
  clocks.set(detector, now)
  return detector
}

/** A device by itself on a live board. */
function inService(plan: DevicePlan, nextAlias: () => number): SimulatedDevice {
  const device = newDevice(plan, { now: noon, random: seededRandom(3), nextAlias })
  wired({ number: 'G', name: 'G', secret: '', reportingPeriodMs: 1_000, devices: [plan] }, [device], noon, seededRandom(3))
  return device
}

const state = (detector: SimulatedDetector, key: string) => detector.states.get(key)

test('the demo has a device of every family', () => {
  const used = new Set(
    demoPlan().flatMap(({ gateways }) => gateways.flatMap(({ devices }) => devices.map(({ family }) => family))),
  )
  expect([...used].sort()).toEqual(families.map(({ key }) => key).sort())
})

test('every device of the demo reports every point, state and setting of its family, and starts sound', () => {
  let alias = 0
  for (const plan of demoPlan().flatMap(({ gateways }) => gateways.flatMap(({ devices }) => devices))) {
    const device = inService(plan, () => alias++)
    const places = plan.lines.length || 1
    const of = (when: string) => device.metrics.filter(({ metric }) => metric.when === when)
    expect([plan.family, of('value').length]).toEqual([plan.family, device.family.points.length * places])
    expect(of('state')).toHaveLength(device.family.states.length * places)
    expect(of('setting')).toHaveLength(device.family.settings.length * places)
    // Of direct current nobody measures a power factor.
    for (const { metric } of [...of('value'), ...of('setting')])
      expect([metric.name, Number.isFinite(metric.read())]).toEqual([
        metric.name,
        !(plan.model === '1PN_Z' && metric.key === 'powerFactor'),
      ])
    const alarms = device.family.alarms.flatMap((alarm) => (alarm.on === 'state' ? [alarm] : []))
    for (const { metric } of of('state')) {
      const code = metric.read()
      const word = typeof code === 'number' ? device.family.states.find(({ key }) => key === metric.key)?.values[code]?.key : null
      expect(word).toBeDefined()
      for (const alarm of alarms) if (alarm.state === metric.key) expect(alarm.values).not.toContain(word)
    }
  }
})

test('a 48 V breaker has 48 V, within the settings it reports', () => {
  const plan = demoPlan()
    .flatMap(({ gateways }) => gateways.flatMap(({ devices }) => devices))
    .find(({ model }) => model === '1PN_Z')
  if (!plan) throw new Error('no 48 V breaker in the demo')
  let alias = 0
  const device = inService(plan, () => alias++)
  const read = (name: string) => Number(device.metrics.find(({ metric }) => metric.name === name)?.metric.read())
  expect(read('1/voltage.a')).toBeGreaterThan(read('settings/1/undervoltage'))
  expect(read('1/voltage.a')).toBeLessThan(read('settings/1/overvoltage'))
  expect(read('settings/1/overvoltage')).toBe(60)
})

describe.each(['smoke', 'nt8141', 'nt8117', 'tokenDetector'])('%s', (key) => {
  test('alarms in smoke, sounds, and stays in alarm when the smoke is gone until it is reset', () => {
    const detector = live(detectorOf(key), 60, { smokePercentPerM: 25 })
    expect([state(detector, 'smoke.alarm'), state(detector, 'sounder')]).toEqual(['alarm', 'sounding'])
    live(detector, 300, { smokePercentPerM: 0.2 })
    expect(detector.values.get('smoke')).toBeLessThan(1)
    expect(state(detector, 'smoke.alarm')).toBe('alarm')
    resetDetector(detector)
    live(detector, 10)
    expect([state(detector, 'smoke.alarm'), state(detector, 'sounder')]).toEqual(['normal', 'quiet'])
  })

  test('alarms again when it is reset in the smoke', () => {
    const detector = live(detectorOf(key), 60, { smokePercentPerM: 25 })
    resetDetector(detector)
    expect(state(live(detector, 1), 'smoke.alarm')).toBe('alarm')
  })
})

describe.each(['gas', 'nt9141'])('%s', (key) => {
  test('alarms at its low limit, not below', () => {
    expect(state(live(detectorOf(key, { 'gas.low': 20 }), 600, { gasPercentLel: 19 }), 'gas.alarm')).toBe('normal')
    expect(state(live(detectorOf(key, { 'gas.low': 20 }), 600, { gasPercentLel: 22 }), 'gas.alarm')).toBe('low')
  })

  test('shuts the valve at 50 %LEL, and stays in high alarm though the room airs', () => {
    const detector = live(detectorOf(key), 600, { gasPercentLel: 70 })
    expect([state(detector, 'gas.alarm'), state(detector, 'valve')]).toEqual(['high', 'shut'])
    expect(detector.values.get('gas')).toBeLessThan(1)
  })
})

describe.each(['detectorRs', 'detectorLte'])('%s', (key) => {
  test('alarms on residual current that stands, latched', () => {
    const detector = live(detectorOf(key), 4, { residualMa: 350 })
    expect(state(detector, 'fire.alarm')).toBe('normal')
    live(detector, 4)
    expect([state(detector, 'fire.alarm'), state(detector, 'sounder')]).toEqual(['residual', 'sounding'])
    expect(state(live(detector, 60, { residualMa: 20 }), 'fire.alarm')).toBe('residual')
  })

  test('follows its set point', () => {
    expect(state(live(detectorOf(key, { 'residual.alarm': 500 }), 60, { residualMa: 480 }), 'fire.alarm')).toBe('normal')
  })

  test('alarms on a hot clamp', () => {
    expect(state(live(detectorOf(key), 900, { contact: 31 }), 'fire.alarm')).toBe('temperature')
  })

  test('is quiet with its alarms switched off, and says so', () => {
    const detector = live(detectorOf(key, { 'residual.enabled': 0 }), 60, { residualMa: 400 })
    expect([state(detector, 'fire.alarm'), state(detector, 'disabled')]).toEqual(['normal', 'some'])
    detector.settings.set('temperature.enabled', 0)
    expect(state(live(detector, 1), 'disabled')).toBe('all')
  })
})

test('switching arcs a few half-cycles and alarms nobody in a day; an arc alarms, counted by its kind', () => {
  const detector = live(detectorOf('arcDetector'), 86_400)
  expect(state(detector, 'arc.alarm')).toBe('normal')
  live(detector, 1, { arc: 'series' })
  expect([state(detector, 'arc.alarm'), detector.values.get('arc.count'), detector.values.get('arc.series')]).toEqual([
    'series',
    1,
    1,
  ])
})

test('the current limiter cuts a short circuit at once and an overload after its time; nothing flows then', () => {
  const short = live(detectorOf('currentLimiter'), 1, { short: true })
  expect([state(short, 'output'), state(short, 'sounder'), short.values.get('current.a')]).toEqual(['short', 'sounding', 0])
  const overloaded = live(detectorOf('currentLimiter', { 'overload.delay': 30 }), 28, { loadFactor: 4 })
  expect(state(overloaded, 'output')).toBe('on')
  live(overloaded, 5)
  expect(state(overloaded, 'output')).toBe('overload')
  const energy = overloaded.values.get('energy')
  expect(live(overloaded, 60).values.get('energy')).toBe(energy)
})

test('somebody is seen at once; nobody is believed after the set time; only a guarded room is intruded on', () => {
  const detector = live(detectorOf('infrared', { 'presence.hold': 10 }), 1, { somebody: true })
  expect([state(detector, 'presence'), state(detector, 'intrusion'), detector.values.get('presence.count')]).toEqual([
    'somebody',
    'normal',
    1,
  ])
  expect(state(live(detector, 9, { somebody: false }), 'presence')).toBe('somebody')
  expect(state(live(detector, 2), 'presence')).toBe('nobody')
  detector.settings.set('guard.enabled', 1)
  expect(state(live(detector, 1, { somebody: true }), 'intrusion')).toBe('alarm')
  expect(state(live(detector, 60, { somebody: false }), 'intrusion')).toBe('alarm')
})

test('water is wet while it is there', () => {
  const detector = live(detectorOf('waterImmersion'), 1, { wet: true })
  expect(state(detector, 'water')).toBe('wet')
  expect(state(live(detector, 1, { wet: false }), 'water')).toBe('dry')
})

test('a flat cell falls below the limit that warns; a sound one lasts', () => {
  const detector = detectorOf('nt8141')
  const fresh = detector.values.get('battery') ?? 0
  expect(live(detector, 3_600).values.get('battery')).toBeGreaterThan(fresh - 1)
  expect(live(detector, 120, { batteryFlat: true }).values.get('battery')).toBeLessThan(15)
})

test.each(families.filter(({ level }) => level === 'device').map(({ key }) => key))('%s is left alone by a sound day', (key) => {
  const detector = live(detectorOf(key), 3_600, sound())
  const family = detector.family
  for (const alarm of family.alarms)
    if (alarm.on === 'state')
      expect([alarm.key, alarm.values.includes(state(detector, alarm.state) ?? '')]).toEqual([alarm.key, false])
})

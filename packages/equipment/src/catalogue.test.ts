import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { families, familyOf, familyOfModel } from './catalogue.ts'
import type { Figure, Text } from './family.ts'
import { COUNTER_SLOT, SLOTS } from './family.ts'

const textsOf = (family: (typeof families)[number]): Text[] => [
  family.label,
  ...[...family.points, ...family.states, ...family.settings, ...family.actions, ...family.alarms].map((each) => each.label),
  ...family.states.flatMap((state) => state.values.map((value) => value.label)),
]
const unique = (keys: readonly (string | number)[]) => expect([...new Set(keys)]).toEqual(keys)
const at = (figure: Figure, ratedA: number) => (typeof figure === 'number' ? figure : figure.timesIn * ratedA)

/** domain.md, the table of families, with the calls of specification 7 that each row stands for. */
const table: Readonly<Record<string, readonly string[]>> = {
  breaker3p: [
    'POST /status/analysis',
    'PUT /status/{ID}/{type}/{attr}',
    'PUT /status/{ControllerID}',
    'PUT /lines/{ControllerID}/{LineNo}/{attr}',
    'GET /lines/{ControllerID}/{LineNo}',
    'POST /lines/testleakages',
    'PUT /line/detection',
    'GET /line/detection/{DeviceID}/{LineID}',
    'PUT /lines/threeline/update',
  ],
  breaker1p: ['PUT /lines/{ControllerID}/{LineNo}/{attr}', 'GET /lines/{ControllerID}/{LineNo}', 'POST /lines/testleakages'],
  airSwitch3p: ['GET /air/details', 'PUT /air/update'],
  airSwitch1p: ['GET /air/details', 'PUT /air/update'],
  arcDetector: ['GET /arcms/details/arcm620', 'GET /arc/record'],
  powerController: ['GET /pps/list', 'GET /pps/details', 'PUT /pps/control'],
  currentLimiter: ['GET /aesp/list', 'GET /aesp/details', 'PUT /aesp/silencing'],
  smoke: ['GET /smoke/details', 'PUT /smoke/silencing'],
  gas: ['GET /gas/details', 'GET /gas/realtime', 'PUT /gas/silencing'],
  infrared: ['GET /infrared/details', 'GET /infrared/realtime'],
  waterImmersion: ['GET /waterimmersion/details/4g'],
  nt8141: ['GET /nt8141/details/nb', 'PUT /nt8141/silencing'],
  nt8117: ['GET /nt8117/details/lte', 'PUT /nt8117/silencing/lte'],
  nt9141: ['GET /nt9141/details/lte', 'PUT /nt9141/silencing/lte'],
  detectorRs: [
    'GET /detector/details/rs',
    'PUT /detector/control/rs',
    'PUT /detector/tcqset',
    'GET /detector/details',
    'PUT /detector/alarmset',
  ],
  detectorLte: ['GET /detector/details/lte', 'PUT /detector/control/lte'],
  tokenDetector: ['GET {token}', 'PUT {token}'],
}

test('the catalogue holds every family of the domain, and each file of families/ once', () => {
  expect(families.map(({ key }) => key).sort()).toEqual(Object.keys(table).sort())
  const files = readdirSync(new URL('./families/', import.meta.url)).filter((name) => !name.endsWith('.test.ts'))
  expect(files).toHaveLength(families.length)
  unique(families.map(({ key }) => key))
  unique(families.flatMap(({ models }) => models))
})

test.each(Object.entries(table))('%s answers its calls', (key, calls) => {
  expect(familyOf(key)?.calls).toEqual(expect.arrayContaining([...calls]))
})

describe.each(families.map((each) => [each.key, each] as const))('family %s', (key, family) => {
  test('is found by its key and by each of its models', () => {
    expect(familyOf(key)).toBe(family)
    expect(family.models.length).toBeGreaterThan(0)
    for (const model of family.models) expect(familyOfModel(model)).toBe(family)
  })

  test('gives every point its own key and its own slot', () => {
    unique(family.points.map((point) => point.key))
    unique(family.points.map((point) => point.slot))
    for (const { slot } of family.points) expect(slot >= 0 && slot < SLOTS && Number.isInteger(slot)).toBe(true)
  })

  test('keeps only counters in the counter slot', () => {
    for (const point of family.points) expect(point.slot === COUNTER_SLOT).toBe(point.quantity === 'energy')
  })

  test('gives states, settings, actions and alarms their own keys, and no state the name of a point', () => {
    unique([...family.points, ...family.states].map((each) => each.key))
    unique(family.settings.map((each) => each.key))
    unique(family.actions.map((each) => each.key))
    unique(family.alarms.map((each) => each.key))
    for (const { values } of family.states) unique(values.map((each) => each.key))
  })

  test('names for every action the reported state that confirms it', () => {
    for (const action of family.actions) {
      const state = family.states.find((each) => each.key === action.confirmedBy.state)
      expect(state?.values.map((value) => value.key)).toContain(action.confirmedBy.value)
    }
  })

  test('lets people set only what has a range, a step, a default inside, and a source', () => {
    for (const setting of family.settings)
      for (const ratedA of [6, 16, 63, 250]) {
        const [min, max, usual] = [at(setting.min, ratedA), at(setting.max, ratedA), at(setting.default, ratedA)]
        expect(min).toBeLessThan(max)
        expect(usual).toBeGreaterThanOrEqual(min)
        expect(usual).toBeLessThanOrEqual(max)
        expect(setting.step).toBeGreaterThan(0)
        expect(setting.step).toBeLessThanOrEqual(max - min)
        expect(setting.source).not.toBe('')
      }
  })

  test('raises alarms only from points, states and settings it has', () => {
    for (const alarm of family.alarms) {
      if (alarm.on === 'state') {
        const state = family.states.find((each) => each.key === alarm.state)
        expect(alarm.values.length).toBeGreaterThan(0)
        for (const value of alarm.values) expect(state?.values.map((each) => each.key)).toContain(value)
        const { points = [], limit } = alarm.judges ?? {}
        for (const point of points) expect(family.points.map((each) => each.key)).toContain(point)
        if (limit && 'setting' in limit) expect(family.settings.map((each) => each.key)).toContain(limit.setting)
      } else {
        expect(alarm.points.length).toBeGreaterThan(0)
        for (const point of alarm.points) expect(family.points.map((each) => each.key)).toContain(point)
        const { limit } = alarm
        if ('setting' in limit) expect(family.settings.map((each) => each.key)).toContain(limit.setting)
      }
    }
  })

  test('latches fire and gas, as critical alarms, and nothing else', () => {
    for (const alarm of family.alarms) {
      expect([alarm.key, alarm.latching]).toEqual([alarm.key, alarm.danger !== undefined])
      if (alarm.danger) expect([alarm.kind, alarm.priority]).toEqual(['alarm', 'critical'])
    }
    const states = family.states.map(({ key }) => key).filter((key) => /^(smoke|gas|fire|arc)\.alarm$/.test(key))
    for (const key of states)
      expect(family.alarms.some((alarm) => alarm.on === 'state' && alarm.state === key && alarm.danger)).toBe(true)
  })

  test('can be silenced if it can sound', () => {
    const sounds = family.states.some((state) => state.key === 'sounder')
    const silencing = family.actions.some((action) => action.key === 'silence')
    // The wired and the 4G fire detector are silenced through /detector/control.
    expect(silencing).toBe(sounds)
  })

  test('warns of an empty battery if it has one', () => {
    const has = family.points.some((point) => point.quantity === 'battery')
    expect(family.alarms.some((alarm) => alarm.key === 'battery.low')).toBe(has)
  })

  test('speaks both languages', () => {
    for (const text of textsOf(family)) {
      expect(text.zh).toMatch(/\p{Script=Han}/u)
      expect(text.en).toMatch(/^[\x20-\x7e]+$/)
    }
  })
})

test('a three-phase breaker reports 17 values, a full wide row', () => {
  expect(familyOf('breaker3p')?.points).toHaveLength(SLOTS)
})

/** Stored readings carry no names: these slots and codes are what old rows mean. */
test.each([
  [
    'breaker3p',
    'current.a 0,current.b 1,current.c 2,voltage.a 3,voltage.b 4,voltage.c 5,power.a 6,power.b 7,power.c 8,power.total 9,residual 10,temperature.a 11,temperature.b 12,temperature.c 13,temperature.n 14,powerFactor 15,energy 16',
  ],
  ['breaker1p', 'current.a 0,voltage.a 3,power.total 9,residual 10,temperature.a 11,temperature.n 14,powerFactor 15,energy 16'],
  ['smoke', 'smoke 0,temperature 1,battery 2,signal 3'],
])('the slots of %s are what they were', (key, slots) => {
  expect(
    familyOf(key)
      ?.points.map((point) => `${point.key} ${point.slot}`)
      .join(),
  ).toBe(slots)
})

import { families, familyOf } from '@linewarden/equipment'
import { expect, test } from 'vitest'
import { detectors } from '../warning/index.ts'
import { linkageSource, raisedBy } from './linkage-source.ts'

test.each([
  ['smoke', 'state', 'smoke.alarm', { isDanger: true, barsCloses: true }],
  ['breaker3p', 'point', 'current.a', { isDanger: false, barsCloses: false }],
  ['breaker3p', 'state', 'position', { isDanger: false, barsCloses: false }],
  // What a linkage raises may tell of a fire: nothing is closed after it, and no limit is waived for it.
  ['breaker3p', 'alarm', raisedBy(7), { isDanger: false, barsCloses: true }],
] as const)('of %s the %s %s', (family, kind, key, expected) => {
  const known = familyOf(family)
  expect(known && linkageSource(known, kind, key)).toMatchObject(expected)
})

/** Written out by hand: what of each family tells of fire, gas, arc or leakage, and so after what only a person closes. */
type Dangers = Readonly<Record<'point' | 'state' | 'alarm', readonly string[]>>
const smokeDetector: Dangers = { point: ['smoke'], state: ['smoke.alarm', 'sounder'], alarm: ['smoke.alarm'] }
const gasDetector: Dangers = {
  point: ['gas'],
  state: ['gas.alarm', 'sounder', 'valve'],
  alarm: ['gas.low', 'gas.high', 'gas.rising'],
}
const fireDetector: Dangers = {
  point: ['residual', 'temperature.a', 'temperature.b', 'temperature.c', 'temperature.n'],
  state: ['fire.alarm', 'sounder'],
  alarm: ['fire.residual', 'fire.temperature', 'residual.warning', 'temperature.warning'],
}
const rcbo: Dangers = {
  point: ['residual'],
  state: ['trip.cause'],
  alarm: ['residual.notice', 'residual.warning', 'residual.alarm', 'trip.leakage', 'trip.short', 'trip.arc'],
}
const withoutLeakage: Dangers = { point: [], state: ['trip.cause'], alarm: ['trip.short', 'trip.arc'] }
const none: Dangers = { point: [], state: [], alarm: [] }
const dangers: Readonly<Record<string, Dangers>> = {
  ...{
    breaker3p: rcbo,
    breaker1p: rcbo,
    airSwitch3p: withoutLeakage,
    airSwitch1p: withoutLeakage,
    powerController: withoutLeakage,
  },
  arcDetector: {
    point: ['arc.halfCycles', 'arc.count', 'arc.series', 'arc.parallel'],
    state: ['arc.alarm'],
    alarm: ['arc'],
  },
  currentLimiter: { point: ['residual'], state: ['output', 'sounder'], alarm: ['limit.short'] },
  ...{ smoke: smokeDetector, nt8141: smokeDetector, nt8117: smokeDetector, tokenDetector: smokeDetector },
  ...{ gas: gasDetector, nt9141: gasDetector, detectorRs: fireDetector, detectorLte: fireDetector },
  ...{ infrared: none, waterImmersion: none },
}

test.each(families.map((family) => [family.key, family] as const))('what of %s tells of a danger', (key, family) => {
  const barring = (kind: keyof Dangers, of: readonly { readonly key: string }[]) =>
    of.map((each) => each.key).filter((each) => linkageSource(family, kind, each)?.barsCloses)
  const found = { point: barring('point', family.points), state: barring('state', family.states) }
  const expected = dangers[key]
  for (const kind of ['point', 'state'] as const) expect(found[kind].toSorted()).toEqual(expected?.[kind].toSorted())
  expect(barring('alarm', family.alarms).toSorted()).toEqual(expected?.alarm.toSorted())
  // An alarm is also read of one of its points.
  for (const alarm of family.alarms)
    for (const point of alarm.on === 'limit' ? alarm.points : [])
      expect(linkageSource(family, 'alarm', `${alarm.key}@${point}`)?.barsCloses).toBe(expected?.alarm.includes(alarm.key))
})

test('of early warnings those of leakage and arcs are dangers', () => {
  const family = familyOf('breaker3p')
  const keys = new Set(detectors.map(({ key }) => key))
  const found = [...keys].filter((key) => family && linkageSource(family, 'alarm', key, keys)?.barsCloses)
  expect(found.toSorted()).toEqual(['arc.precursor', 'leakage.drift', 'leakage.step'])
})

import { resetDetector } from '../plant/detector.ts'
import type { SimulatedDetector, Surroundings } from '../plant/senses/sense.ts'
import { sound } from '../plant/senses/sense.ts'
import { faultOf } from './fault.ts'

const fault = faultOf<SimulatedDetector>()

/** Something around it is so from now on. */
const around = (about: string, needs: string, change: Partial<Surroundings>) =>
  fault(about, needs, {}, (detector) => void Object.assign(detector.around, change))

const figure = (value: number, unit: string, max: number) => ({ figure: value, unit, min: 0, max }) as const

export const detectorFaults = {
  smoke: fault('Smoke of this density.', 'smoke', { percentPerM: figure(25, '%/m', 100) }, ({ around }, { percentPerM }) => {
    around.smokePercentPerM = percentPerM
  }),
  gasLeak: fault(
    'Gas rises evenly to this share of the lower explosive limit.',
    'gas',
    { percentLel: figure(70, '%LEL', 100), over: { time: '60s' } },
    ({ around }, { percentLel, over }, courses) =>
      courses.ramp(around, 'gas', over, (share) => (around.gasPercentLel = percentLel * share)),
  ),
  water: around('It stands in water.', 'water', { wet: true }),
  presence: around('Somebody comes in.', 'presence', { somebody: true }),
  nobody: around('Nobody is there any more.', 'presence', { somebody: false }),
  arc: around('An arc in series with a load.', 'arc.alarm', { arc: 'series' }),
  parallelArc: around('An arc between conductors.', 'arc.alarm', { arc: 'parallel' }),
  arcPrecursor: fault(
    'A contact begins to arc now and then: bursts of this many half-cycles, too few for an alarm, so many times an hour by chance.',
    'arc.halfCycles',
    { halfCycles: { figure: 9, unit: '', min: 5, max: 13 }, perHour: { figure: 2, unit: '', min: 0, max: 3_600 } },
    ({ around }, { halfCycles, perHour }) => {
      around.arcBursts = { halfCycles: Math.round(halfCycles), perHour }
    },
  ),
  shortCircuit: around('Its circuit is shorted.', 'output', { short: true }),
  overload: fault(
    'Its circuit takes this multiple of the usual load.',
    'current.a',
    { factor: figure(2.6, '', 100) },
    ({ around }, { factor }) => {
      around.loadFactor = factor
    },
  ),
  overvoltage: fault(
    'The voltage is this multiple of the supply.',
    'voltage.a',
    { factor: figure(1.22, '', 2) },
    (its, { factor }) => {
      its.around.voltageFactor = factor
    },
  ),
  undervoltage: fault(
    'The voltage is this share of the supply.',
    'voltage.a',
    { factor: figure(0.7, '', 2) },
    (its, { factor }) => {
      its.around.voltageFactor = factor
    },
  ),
  contactHeating: fault(
    'The clamp at probe A comes loose: it warms this many times as much as a sound one.',
    'temperature.a',
    { times: figure(31, '', 200), over: { time: '60s' } },
    ({ around }, { times, over }, courses) =>
      courses.ramp(around, 'contact', over, (share) => (around.contact = 1 + (times - 1) * share)),
  ),
  leakageRamp: fault(
    'Residual current rises evenly by this much.',
    'residual',
    { mA: figure(400, 'mA', 30_000), over: { time: '40s' } },
    ({ around }, { mA, over }, courses) =>
      courses.ramp(around, 'leakage', over, (share) => (around.residualMa = sound().residualMa + mA * share)),
  ),
  leakageDrift: fault(
    'Insulation ages: the same over weeks.',
    'residual',
    { mA: figure(200, 'mA', 30_000), over: { time: '60d' } },
    ({ around }, { mA, over }, courses) =>
      courses.ramp(around, 'leakage', over, (share) => (around.residualMa = sound().residualMa + mA * share)),
  ),
  leakageStep: fault('From one moment to the next more leaks.', 'residual', { mA: figure(75, 'mA', 30_000) }, (its, { mA }) => {
    its.around.residualMa = sound().residualMa + mA
  }),
  chatteringValue: fault(
    'The wire of one sensor is loose: it reads `low` and `high` in turn, each for `every`, whatever there is to measure.',
    null,
    {
      point: { word: 'residual' },
      low: { figure: 210, unit: '', min: -1_000_000, max: 1_000_000 },
      high: { figure: 255, unit: '', min: -1_000_000, max: 1_000_000 },
      every: { time: '8s' },
    },
    (detector, { point, low, high, every }, courses) =>
      courses.begin(detector.around, `chatter ${point}`, (passedMs) => {
        detector.forced.set(point, Math.floor(passedMs / Math.max(1, every)) % 2 === 0 ? high : low)
        return true
      }),
  ),
  meterReset: fault('The meter was exchanged: its counter begins at nought.', 'energy', {}, ({ values }) => {
    values.set('energy', 0)
  }),
  lowBattery: around('Its cell is nearly flat.', 'battery', { batteryFlat: true }),
  removed: around('Somebody takes it off its base.', 'tamper', { removed: true }),
  detectorFault: fault('The first fault of its own that the family knows.', 'detector.fault', {}, ({ family, around }) => {
    const own = family.states.find(({ key }) => key === 'detector.fault')?.values[1]
    if (own) around.fault = own.key
  }),
  selfTestFails: around('Its next self-test fails.', 'selfTest', { testFails: true }),
  sounder: fault('Somebody pressed its test button: it only sounds.', 'sounder', {}, ({ states }) => {
    states.set('sounder', 'sounding')
  }),
  mend: fault(
    'Everything around it is sound again, with a fresh cell; a latched alarm stays.',
    null,
    {},
    (detector, _, courses) => {
      courses.end(detector.around)
      detector.forced.clear()
      Object.assign(detector.around, sound())
      if (detector.values.has('battery')) detector.values.set('battery', 100)
    },
  ),
  reset: fault('Somebody airs the room, stands before it and resets it.', null, {}, (detector, _, courses) => {
    courses.end(detector.around)
    Object.assign(detector.around, sound())
    for (const [key, clean] of [
      ['smoke', 0.2],
      ['gas', 0],
    ] as const)
      if (detector.values.has(key)) detector.values.set(key, clean)
    resetDetector(detector)
  }),
}

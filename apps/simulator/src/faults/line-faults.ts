import type { SimulatedLine } from '../plant/line.ts'
import { leakageTripMa, soundLine, trip } from '../plant/line.ts'
import { faultOf } from './fault.ts'
import * as supply from './supply-faults.ts'

const fault = faultOf<SimulatedLine>()
const factor = (figure: number) => ({ figure, unit: '', min: 0, max: 100 }) as const
const milliamperes = (figure: number) => ({ figure, unit: 'mA', min: 0, max: 30_000 }) as const

/** The neutral is the last of a line's contacts. */
function contactOf(line: SimulatedLine, letter: string): number {
  return letter === 'N' ? line.phases : 'ABC'.indexOf(letter)
}

const threePhaseOnly = (line: SimulatedLine): string | null => (line.phases === 3 ? null : 'a single-phase line has one phase')

export const lineFaults = {
  leakageRamp: fault(
    'Residual current rises evenly to this much above what always leaks.',
    'residual',
    { mA: milliamperes(255), over: { time: '40s' } },
    (line, { mA, over }, courses) => courses.ramp(line, 'leakage', over, (share) => (line.fault.leakageMa = mA * share)),
  ),
  leakageDrift: fault(
    'Insulation ages: the same over weeks, and by the share `damp` more in the dampest air.',
    'residual',
    { mA: milliamperes(120), over: { time: '60d' }, damp: { figure: 0, unit: '', min: 0, max: 1 } },
    (line, { mA, over, damp }, courses) =>
      courses.ramp(line, 'aged', over, (share) => (line.fault.aged = { leakageMa: mA * share, damp })),
  ),
  leakageStep: fault(
    'From one moment to the next more leaks: water in a socket, a new appliance.',
    'residual',
    { mA: milliamperes(45) },
    (line, { mA }) => {
      line.fault.leakageMa = mA
    },
  ),
  leakageTrip: fault(
    'A person or a cable touches earth: the line trips on this multiple of its level.',
    'residual',
    { times: { figure: 1.25, unit: '', min: 1, max: 20 } },
    (line, { times }) => void trip(line, 'leakage', { residualMa: leakageTripMa(line) * times }),
  ),
  shortCircuit: fault(
    'Phase A to neutral: the current is what the cable lets through, in multiples of the rated one, and the voltage gives way.',
    null,
    { times: { figure: 11, unit: '', min: 8, max: 100 } },
    (line, { times }) => {
      const [voltage = 0, ...sound] = line.voltageV
      const [, ...others] = line.currentA
      const currentA = [times * line.plan.ratedCurrentA, ...others]
      trip(line, 'short', { currentA, voltageV: [0.6 * voltage, ...sound] })
    },
  ),
  arcTrip: fault('Its arc-fault detection opens it.', null, {}, (line) => void trip(line, 'arc')),
  overheatTrip: fault('Its own protection opens it, because it is too hot inside; it cools from then on.', null, {}, (line) => {
    line.temperatureC[0] = (line.settings.get('temperature.alarm') ?? 80) + 12
    trip(line, 'overtemperature')
  }),
  overload: fault('Its loads take this multiple of what they usually do.', null, { factor: factor(2.2) }, (line, values) => {
    line.fault.loadFactor = values.factor
  }),
  loadGrowth: fault(
    'Its loads grow evenly to this multiple of the usual ones.',
    null,
    { factor: factor(1.6), over: { time: '10w' } },
    (line, values, courses) =>
      courses.ramp(line, 'load', values.over, (share) => (line.fault.loadFactor = 1 + (values.factor - 1) * share)),
  ),
  overvoltage: fault(
    'The voltage is this multiple of the supply.',
    'voltage.a',
    supply.voltage(1.22).parameters,
    (line, values) => supply.voltage(1.22).happen(line.fault, values),
  ),
  undervoltage: fault('The voltage is this share of the supply.', 'voltage.a', supply.voltage(0.7).parameters, (line, values) =>
    supply.voltage(0.7).happen(line.fault, values),
  ),
  contactHeating: fault(
    'A clamp comes loose: beyond a sound one it heats by this many kelvin at rated current, with the square of the current and a time constant of 90 s.',
    'temperature.a',
    {
      excessK: { figure: 960, unit: 'K', min: 0, max: 5_000 },
      over: { time: '60s' },
      phase: { oneOf: ['A', 'B', 'C', 'N'] },
    },
    (line, { excessK, over, phase }, courses) =>
      courses.ramp(
        line,
        `contact ${phase}`,
        over,
        (share) => (line.fault.contactExcessK[contactOf(line, phase)] = excessK * share),
      ),
    (line, { phase }) => (line.phases === 3 || phase === 'A' || phase === 'N' ? null : `it has no phase ${phase}`),
  ),
  neutralBreak: fault(supply.neutralBreak.about, 'voltage.a', supply.neutralBreak.parameters, (line, values, courses) =>
    supply.neutralBreak.happen(line.fault, values, courses),
  ),
  phaseLoss: fault(
    supply.phaseLoss.about,
    'voltage.b',
    supply.phaseLoss.parameters,
    (line, values) => supply.phaseLoss.happen(line.fault, values),
    threePhaseOnly,
  ),
  unbalance: fault(
    supply.unbalance.about,
    'voltage.b',
    supply.unbalance.parameters,
    (line, values, courses) => supply.unbalance.happen(line.fault, values, courses),
    threePhaseOnly,
  ),
  chatteringValue: fault(
    'The wire of one sensor is loose: it reads `low` and `high` in turn, each for `every`, whatever there is to measure.',
    null,
    {
      point: { word: 'residual' },
      low: { figure: 210, unit: '', min: -1_000_000, max: 1_000_000 },
      high: { figure: 255, unit: '', min: -1_000_000, max: 1_000_000 },
      every: { time: '8s' },
    },
    (line, { point, low, high, every }, courses) =>
      courses.begin(line, `chatter ${point}`, (passedMs) => {
        line.forced.set(point, Math.floor(passedMs / Math.max(1, every)) % 2 === 0 ? high : low)
        return true
      }),
  ),
  localLock: fault('Somebody locks it on site.', 'lock.local', {}, (line) => {
    line.localLock = true
  }),
  localUnlock: fault('Somebody unlocks it on site.', 'lock.local', {}, (line) => {
    line.localLock = false
  }),
  releaseSlow: fault(
    'Its residual-current release opens too late, and later at every test by `rise`. Seen only when it is tested.',
    'selfTest',
    { ms: { figure: 380, unit: 'ms', min: 20, max: 5_000 }, rise: { figure: 0, unit: 'ms', min: 0, max: 1_000 } },
    (line, { ms, rise }) => {
      line.fault.release = { ms, rise }
    },
  ),
  releaseStuck: fault(
    'Its residual-current release does not open at all. Seen only when it is tested.',
    'selfTest',
    {},
    (line) => {
      line.fault.release = 'stuck'
    },
  ),
  contactsWelded: fault('Whatever its mechanism does, the line stays closed, and says so.', null, {}, (line) => {
    line.fault.welded = true
  }),
  meterReset: fault('The meter was exchanged, or lost its memory: its counter begins at nought.', 'energy', {}, (line) => {
    line.energyKwh = 0
  }),
  ctWrong: fault(
    'Its meter has a wrong current transformer ratio: its counter counts this multiple of what is used (0.333: one phase of three). Power is read as it is.',
    'energy',
    { factor: { figure: 2, unit: '', min: 0.01, max: 100 } },
    (line, { factor: meterFactor }) => {
      line.fault.meterFactor = meterFactor
    },
  ),
  mend: fault('Everything on the line is sound again. What tripped stays open.', null, {}, (line, _, courses) => {
    for (const each of [line, line.fault]) courses.end(each)
    line.forced.clear()
    Object.assign(line.fault, soundLine(line.phases))
  }),
}

import type { Family } from '@linewarden/equipment'
import type { SimulatedGateway } from './gateway.ts'
import { resetDetector } from './plant/detector.ts'
import type { SimulatedLine } from './plant/line.ts'
import { leakageTripMa, soundLine, trip } from './plant/line.ts'
import type { SimulatedDetector } from './plant/senses/sense.ts'
import { sound } from './plant/senses/sense.ts'

/** What can be made to go wrong, and to come right again. A fault changes the plant; the rest follows from physics. */

const onLine = {
  /** Residual current creeps up to 85 % of a 300 mA trip level. */
  leakageRamp: (line: SimulatedLine, stop: Stop) => {
    ramp(40, (share) => (line.fault.leakageMa = 255 * share), stop)
  },
  leakageTrip: (line: SimulatedLine) => {
    trip(line, 'leakage', { residualMa: leakageTripMa(line) * 1.25 })
  },
  /** Phase A to neutral: the current is what the cable lets through, and the voltage gives way. */
  shortCircuit: (line: SimulatedLine) => {
    const [voltage = 0, ...sound] = line.voltageV
    const [, ...others] = line.currentA
    trip(line, 'short', {
      currentA: [11 * line.plan.ratedCurrentA, ...others],
      voltageV: [0.6 * voltage, ...sound],
    })
  },
  arcTrip: (line: SimulatedLine) => {
    trip(line, 'arc')
  },
  /** Its own protection opens it, because it is too hot inside; it cools from then on. */
  overheatTrip: (line: SimulatedLine) => {
    line.temperatureC[0] = (line.settings.get('temperature.alarm') ?? 80) + 12
    trip(line, 'overtemperature')
  },
  overload: (line: SimulatedLine) => {
    line.fault.loadFactor = 2.2
  },
  overvoltage: (line: SimulatedLine) => {
    line.fault.voltageFactor = 1.22
  },
  undervoltage: (line: SimulatedLine) => {
    line.fault.voltageFactor = 0.7
  },
  /** A loose clamp on phase A: its resistance grows. */
  contactHeating: (line: SimulatedLine, stop: Stop) => {
    ramp(60, (share) => (line.fault.contactExcessK[0] = 960 * share), stop)
  },
  localLock: (line: SimulatedLine) => {
    line.localLock = true
  },
  localUnlock: (line: SimulatedLine) => {
    line.localLock = false
  },
  /** The residual-current release: too slow, or not at all. Seen only when it is tested. */
  releaseSlow: (line: SimulatedLine) => {
    line.fault.release = 'slow'
  },
  releaseStuck: (line: SimulatedLine) => {
    line.fault.release = 'stuck'
  },
  /** Whatever its mechanism does, the line stays closed, and says so. */
  contactsWelded: (line: SimulatedLine) => {
    line.fault.welded = true
  },
  /** The meter was exchanged, or lost its memory: its counter begins at nought. */
  meterReset: (line: SimulatedLine) => {
    line.energyKwh = 0
  },
  /** Everything on the line is sound again. What tripped stays open. */
  mend: (line: SimulatedLine) => {
    Object.assign(line.fault, soundLine(line.phases))
  },
} as const satisfies Record<string, (line: SimulatedLine, stop: Stop) => void>

/** What a fault of a line needs its family to have, as a point or a state; without it the fault could not happen there, and is refused. */
const lineNeeds: Readonly<Record<keyof typeof onLine, string | null>> = {
  leakageRamp: 'residual',
  leakageTrip: 'residual',
  shortCircuit: null,
  arcTrip: null,
  overheatTrip: null,
  overload: null,
  overvoltage: 'voltage.a',
  undervoltage: 'voltage.a',
  contactHeating: 'temperature.a',
  localLock: 'lock.local',
  localUnlock: 'lock.local',
  releaseSlow: 'selfTest',
  releaseStuck: 'selfTest',
  contactsWelded: null,
  meterReset: 'energy',
  mend: null,
}

const around =
  (change: Partial<SimulatedDetector['around']>) =>
  (detector: SimulatedDetector): void => {
    Object.assign(detector.around, change)
  }

const onDetector = {
  smoke: around({ smokePercentPerM: 25 }),
  gasLeak: (detector: SimulatedDetector, stop: Stop) => {
    ramp(60, (share) => (detector.around.gasPercentLel = 70 * share), stop)
  },
  water: around({ wet: true }),
  presence: around({ somebody: true }),
  nobody: around({ somebody: false }),
  arc: around({ arc: 'series' }),
  parallelArc: around({ arc: 'parallel' }),
  shortCircuit: around({ short: true }),
  overload: around({ loadFactor: 2.6 }),
  overvoltage: around({ voltageFactor: 1.22 }),
  undervoltage: around({ voltageFactor: 0.7 }),
  contactHeating: (detector: SimulatedDetector, stop: Stop) => {
    ramp(60, (share) => (detector.around.contact = 1 + 30 * share), stop)
  },
  leakageRamp: (detector: SimulatedDetector, stop: Stop) => {
    ramp(40, (share) => (detector.around.residualMa = 24 + 400 * share), stop)
  },
  meterReset: (detector: SimulatedDetector) => {
    detector.values.set('energy', 0)
  },
  lowBattery: around({ batteryFlat: true }),
  removed: around({ removed: true }),
  /** The first fault of its own that the family knows. */
  detectorFault: (detector: SimulatedDetector) => {
    const fault = detector.family.states.find(({ key }) => key === 'detector.fault')?.values[1]
    if (fault) detector.around.fault = fault.key
  },
  selfTestFails: around({ testFails: true }),
  /** Somebody pressed its test button: it only sounds. */
  sounder: (detector: SimulatedDetector) => {
    if (detector.states.has('sounder')) detector.states.set('sounder', 'sounding')
  },
  /** Everything around it is sound again, with a fresh cell; a latched alarm stays. */
  mend: (detector: SimulatedDetector) => {
    Object.assign(detector.around, sound())
    if (detector.values.has('battery')) detector.values.set('battery', 100)
  },
  /** Somebody airs the room, stands before it and resets it. */
  reset: (detector: SimulatedDetector) => {
    Object.assign(detector.around, sound())
    for (const [key, clean] of [
      ['smoke', 0.2],
      ['gas', 0],
    ] as const)
      if (detector.values.has(key)) detector.values.set(key, clean)
    resetDetector(detector)
  },
} as const satisfies Record<string, (detector: SimulatedDetector, stop: Stop) => void>

/** What a fault of a detector needs the detector to have; without it the fault would do nothing, and is refused. */
const needs: Readonly<Record<keyof typeof onDetector, string | null>> = {
  smoke: 'smoke',
  gasLeak: 'gas',
  water: 'water',
  presence: 'presence',
  nobody: 'presence',
  arc: 'arc.alarm',
  parallelArc: 'arc.alarm',
  shortCircuit: 'output',
  overload: 'current.a',
  overvoltage: 'voltage.a',
  undervoltage: 'voltage.a',
  contactHeating: 'temperature.a',
  leakageRamp: 'residual',
  meterReset: 'energy',
  lowBattery: 'battery',
  removed: 'tamper',
  detectorFault: 'detector.fault',
  selfTestFails: 'selfTest',
  sounder: 'sounder',
  mend: null,
  reset: null,
}

const onGateway = {
  gatewayOffline: (gateway: SimulatedGateway) => gateway.disconnectAbruptly(),
  gatewayBack: (gateway: SimulatedGateway) => void gateway.reconnect(),
  /** The power goes and comes back at once: whatever it was doing is over. */
  powerLoss: (gateway: SimulatedGateway) => void gateway.powerLoss(),
  /** Firmware that is installed from now on does not come up: the gateway goes back to what it ran before. */
  firmwareBad: (gateway: SimulatedGateway) => {
    gateway.updater.habits.comesUp = false
  },
  firmwareGood: (gateway: SimulatedGateway) => {
    gateway.updater.habits.comesUp = true
  },
  /**
   * Its clock is seven minutes slow, and it does not know: it calls itself synchronised, as a gateway with a bad time server does. A slow
   * clock is the dangerous one: by it a deadline that has passed is still to come.
   */
  clockWrong: (gateway: SimulatedGateway) => gateway.setClock(-7 * 60_000),
  clockRight: (gateway: SimulatedGateway) => gateway.setClock(0),
  /** It takes commands and does nothing: the mechanisms are stuck. */
  mechanismStuck: (gateway: SimulatedGateway) => {
    gateway.behaviour.move = false
  },
  mechanismFree: (gateway: SimulatedGateway) => {
    gateway.behaviour.move = true
  },
} as const satisfies Record<string, (gateway: SimulatedGateway) => void>

export type FaultName = keyof typeof onLine | keyof typeof onDetector | keyof typeof onGateway
export type FaultTarget = { readonly controllerId: string; readonly lineNo?: number } | { readonly gateway: string }
export type Stop = (stop: () => void) => void

const has = <T extends object>(faults: T, name: string): name is Extract<keyof T, string> => Object.hasOwn(faults, name)

/** Every fault there is, by what it happens to. */
export const faultNames = {
  line: Object.keys(onLine),
  detector: Object.keys(onDetector),
  gateway: Object.keys(onGateway),
} as const

/** Whether there is such a fault at all. */
export const isFault = (name: string): name is FaultName => has(onLine, name) || has(onDetector, name) || has(onGateway, name)

/** Puts a fault into a detector. Throws when it cannot have it. */
export function injectDetectorFault(name: string, detector: SimulatedDetector, onStop: Stop): void {
  ofDetector(name, detector)(onStop)
}

/** What puts a fault into a detector. Throws when it cannot have it. */
function ofDetector(name: string, detector: SimulatedDetector): (onStop: Stop) => void {
  const need = has(onDetector, name) ? needs[name] : undefined
  if (!has(onDetector, name) || (need != null && !detector.values.has(need) && !detector.states.has(need)))
    throw new Error(
      `${detector.family.label.en} ${detector.plan.controllerId} cannot have ${name}; it can have ${possible(detector)}`,
    )
  return (onStop) => onDetector[name](detector, onStop)
}

/** What puts a fault into a line. Throws when there is no such line, or it cannot have it. */
function ofLine(name: string, line: SimulatedLine, family: Family): (onStop: Stop) => void {
  const possible = faultNames.line.filter((each) => has(onLine, each) && isIn(family, lineNeeds[each]))
  if (!has(onLine, name)) throw new Error(`a line cannot have ${name}; it can have ${possible.join(', ')}`)
  if (!possible.includes(name)) throw new Error(`${family.label.en} cannot have ${name}; it can have ${possible.join(', ')}`)
  return (onStop) => onLine[name](line, onStop)
}

const isIn = ({ points, states }: Family, need: string | null): boolean =>
  need === null || points.some(({ key }) => key === need) || states.some(({ key }) => key === need)

/** Puts a fault into a gateway's equipment. `onStop` is told how to end what goes on by itself. Throws when the target cannot have it. */
export function injectFault(name: string, gateway: SimulatedGateway, target: FaultTarget, onStop: Stop): void {
  faultOf(name, gateway, target)(onStop)
  // What trips or alarms says so in the moment it happens, not when the period is over.
  if (!has(onGateway, name)) void gateway.report(false)
}

/** What puts a fault into a gateway's equipment; nothing happens until it is called. Throws when the target cannot have it. */
export function faultOf(name: string, gateway: SimulatedGateway, target: FaultTarget): (onStop: Stop) => void {
  if (has(onGateway, name)) return () => onGateway[name](gateway)
  if (!('controllerId' in target)) throw new Error(`a gateway cannot have ${name}; it can have ${faultNames.gateway.join(', ')}`)
  const { controllerId, lineNo } = target
  const device = gateway.devices().find((each) => each.controllerId === controllerId)
  if (!device) throw new Error(`the gateway has no device ${controllerId}`)
  if (device.detector) return ofDetector(name, device.detector)
  return ofLine(name, gateway.line(controllerId, lineNo ?? 1), device.family)
}

const possible = (detector: SimulatedDetector): string =>
  faultNames.detector
    .filter((name) => {
      const need = has(onDetector, name) ? needs[name] : null
      return need === null || detector.values.has(need) || detector.states.has(need)
    })
    .join(', ')

function ramp(seconds: number, set: (share: number) => void, onStop: Stop): void {
  let passed = 0
  const timer = setInterval(() => {
    passed += 1
    set(Math.min(1, passed / seconds))
    if (passed >= seconds) clearInterval(timer)
  }, 1_000)
  onStop(() => clearInterval(timer))
}

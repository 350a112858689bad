import type { SimulatedGateway } from './gateway.ts'
import { resetDetector } from './plant/detector.ts'
import type { SimulatedLine } from './plant/line.ts'
import { open } from './plant/line.ts'

interface LineTarget {
  readonly controllerId: string
  readonly lineNo?: number
}

/** What can be made to go wrong, and to come right again. A scenario changes the plant; the rest follows from physics. */
const onLine = {
  /** Residual current creeps up to 85 % of a 300 mA trip level. */
  leakageRamp: (line: SimulatedLine, stop: Stop) =>
    ramp(
      40,
      (share) => {
        line.fault.leakageMa = 255 * share
      },
      stop,
    ),
  leakageTrip: (line: SimulatedLine) => {
    open(line, 'leakage')
  },
  shortCircuit: (line: SimulatedLine) => {
    open(line, 'short')
  },
  overload: (line: SimulatedLine) => {
    line.fault.loadFactor = 2.2
  },
  /** A loose clamp on phase A: its resistance grows. */
  contactHeating: (line: SimulatedLine, stop: Stop) =>
    ramp(
      60,
      (share) => {
        line.fault.contact[0] = 1 + 30 * share
      },
      stop,
    ),
  /** Everything on the line is sound again. */
  mend: (line: SimulatedLine) => {
    line.fault.loadFactor = 1
    line.fault.leakageMa = 0
    line.fault.contact.fill(1)
  },
} as const

export type ScenarioName = keyof typeof onLine | 'smoke' | 'smokeReset' | 'gatewayOffline' | 'gatewayBack'
export type ScenarioTarget = LineTarget | { readonly gateway: string }
type Stop = (stop: () => void) => void

/** Runs a scenario on a gateway's equipment. `onStop` is told how to end what goes on by itself. */
export function runScenario(name: ScenarioName, gateway: SimulatedGateway, target: ScenarioTarget, onStop: Stop): void {
  if (name === 'gatewayOffline') {
    gateway.disconnectAbruptly()
    return
  }
  if (name === 'gatewayBack') {
    void gateway.reconnect()
    return
  }
  if (!('controllerId' in target)) throw new Error(`scenario ${name} needs a device`)
  if (name === 'smoke') {
    gateway.detector(target.controllerId).smokeTarget = 25
    return
  }
  if (name === 'smokeReset') {
    const detector = gateway.detector(target.controllerId)
    detector.smokeTarget = 0.2
    detector.smokePercentPerM = 0.2
    resetDetector(detector)
    void gateway.report()
    return
  }
  onLine[name](gateway.line(target.controllerId, target.lineNo ?? 1), onStop)
  // A trip is reported in the moment it happens, not when the period is over.
  void gateway.report(false)
}

function ramp(seconds: number, set: (share: number) => void, onStop: Stop): void {
  let passed = 0
  const timer = setInterval(() => {
    passed += 1
    set(Math.min(1, passed / seconds))
    if (passed >= seconds) clearInterval(timer)
  }, 1_000)
  onStop(() => clearInterval(timer))
}

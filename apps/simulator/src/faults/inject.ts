import type { Family } from '@linewarden/equipment'
import type { SimulatedGateway } from '../gateway.ts'
import type { LineAddress } from '../plan.ts'
import type { SimulatedLine } from '../plant/line.ts'
import type { SimulatedDetector } from '../plant/senses/sense.ts'
import type { Courses } from './courses.ts'
import { detectorFaults } from './detector-faults.ts'
import type { Fault } from './fault.ts'
import { gatewayFaults } from './gateway-faults.ts'
import { lineFaults } from './line-faults.ts'
import type { Given } from './parameters.ts'
import { readParameters } from './parameters.ts'

export type FaultName = keyof typeof lineFaults | keyof typeof detectorFaults | keyof typeof gatewayFaults
export type FaultTarget = (Omit<LineAddress, 'lineNo'> & { readonly lineNo?: number }) | { readonly gateway: string }

/** Every fault there is, by what it happens to. */
export const faults: {
  readonly line: Readonly<Record<string, Fault<SimulatedLine>>>
  readonly detector: Readonly<Record<string, Fault<SimulatedDetector>>>
  readonly gateway: Readonly<Record<string, Fault<SimulatedGateway>>>
} = { line: lineFaults, detector: detectorFaults, gateway: gatewayFaults }

const has = (all: object, name: string): boolean => Object.hasOwn(all, name)

/** Whether there is such a fault at all. */
export const isFault = (name: string): name is FaultName => Object.values(faults).some((each) => has(each, name))

/** Makes something go wrong; nothing has happened before it is called. */
type Happening = (courses: Courses) => void

/** What puts a fault into a detector. Throws when it cannot have it so. */
export function ofDetector(name: string, detector: SimulatedDetector, given: Given): Happening {
  const { family, plan } = detector
  return chosen(`${family.label.en} ${plan.controllerId}`, name, faults.detector, { target: detector, family, given })
}

/** What puts a fault into a gateway's equipment. Throws when the target cannot have it so. */
export function happeningOf(name: string, gateway: SimulatedGateway, target: FaultTarget, given: Given): Happening {
  if (has(faults.gateway, name) && ('gateway' in target || !isOfItsPart(name)))
    return chosen('a gateway', name, faults.gateway, { target: gateway, family: null, given })
  if (!('controllerId' in target))
    throw new Error(`a gateway cannot have ${name}; it can have ${Object.keys(faults.gateway).join(', ')}`)
  const { controllerId, lineNo } = target
  const device = gateway.devices().find((each) => each.controllerId === controllerId)
  if (!device) throw new Error(`the gateway has no device ${controllerId}`)
  if (device.detector) return ofDetector(name, device.detector, given)
  const { family } = device
  const who = has(faults.line, name) ? family.label.en : 'a line'
  return chosen(who, name, faults.line, { target: gateway.line(controllerId, lineNo ?? 1), family, given })
}

/** Some faults of a supply may be of the whole cabinet or of one line. */
const isOfItsPart = (name: string): boolean => has(faults.line, name) || has(faults.detector, name)

function chosen<Target>(
  who: string,
  name: string,
  all: Readonly<Record<string, Fault<Target>>>,
  { target, family, given }: { readonly target: Target; readonly family: Family | null; readonly given: Given },
): Happening {
  const fault = has(all, name) ? all[name] : undefined
  if (!fault || !isIn(family, fault.needs)) {
    const possible = Object.keys(all).filter((each) => isIn(family, all[each]?.needs ?? null))
    throw new Error(`${who} cannot have ${name}; it can have ${possible.join(', ')}`)
  }
  const values = readParameters(name, fault.parameters, given)
  const { point } = values
  if (typeof point === 'string' && family && !family.points.some(({ key }) => key === point))
    throw new Error(`${family.label.en} does not measure ${point}; it measures ${family.points.map(({ key }) => key).join(', ')}`)
  const refusal = fault.refusal(target, values)
  if (refusal !== null) throw new Error(`${who} cannot have ${name}: ${refusal}`)
  return (courses) => fault.happen(target, values, courses)
}

function isIn(family: Family | null, need: string | null): boolean {
  if (need === null || family === null) return true
  return family.points.some(({ key }) => key === need) || family.states.some(({ key }) => key === need)
}

/** Puts a fault into a gateway's equipment, as if it had begun at `since`. Throws when the target cannot have it so. */
export function injectFault(name: string, gateway: SimulatedGateway, target: FaultTarget, given: Given, since?: number): void {
  happeningOf(name, gateway, target, given)(since === undefined ? gateway.courses : gateway.courses.begunAt(since))
  // What trips or alarms says so in the moment it happens, not when the period is over.
  if (!has(faults.gateway, name) || 'controllerId' in target) void gateway.report(false)
}

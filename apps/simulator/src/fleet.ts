import type { ExecutedEntry } from './executed-log.ts'
import { ExecutedLog } from './executed-log.ts'
import type { FaultTarget } from './faults/inject.ts'
import { happeningOf, injectFault } from './faults/inject.ts'
import type { Given } from './faults/parameters.ts'
import { SimulatedGateway } from './gateway.ts'
import type { GatewayPlan } from './plan.ts'
import { seededRandom } from './random.ts'

export interface FleetOptions {
  /** `mqtt://127.0.0.1:1883`, or `mqtts://` */
  readonly url: string
  /** Of `mqtts://`: the one certificate, as PEM, that is believed, whoever it names; absent: those that this machine believes. */
  readonly certificate?: string
  readonly groupId?: string
  readonly hostId?: string
  readonly seed?: number
  readonly now?: () => number
  /** Every command executed or refused, one JSON line each. */
  readonly executedLogFile?: string
  /** Remember every acknowledged reading, for `acknowledgedReadings`. */
  readonly remember?: boolean
  /** Public Ed25519 keys, 32 bytes in base64, whose firmware the gateways take. */
  readonly firmwareKeys?: readonly string[]
  /** False: time moves only by `step()`. */
  readonly ticking?: boolean
  /** False: it connects, and time moves, only from `connect()` on. */
  readonly connected?: false
  /** One gateway after the other, in the order of the plan: the server comes to know them in that order. */
  readonly inTurn?: true
}

export interface Fleet {
  readonly gateways: ReadonlyMap<string, SimulatedGateway>
  /** Resolves when every gateway has been born; of a fleet that was made unconnected nothing. */
  readonly ready: Promise<void>
  /** Connects every gateway of a fleet that was made unconnected; resolves when all have been born. */
  connect(): Promise<void>
  readonly executed: readonly ExecutedEntry[]
  gatewayOf(controllerId: string): SimulatedGateway
  /** Moves every plant on to now. */
  step(): Promise<void>
  /** Puts a fault into the plant, or mends it; `since`: as if it had begun then. Throws when the target cannot have it so. */
  run(fault: string, target: FaultTarget, given?: Given, since?: number): void
  /** Throws when the target cannot have the fault so; nothing happens to it. */
  refuseUnlessPossible(fault: string, target: FaultTarget, given: Given): void
  now(): number
  /** DATA messages the server has acknowledged. */
  acknowledged(): number
  /** Every reading the server has acknowledged; needs `remember`. */
  acknowledgedReadings(): readonly { readonly controllerId: string; readonly lineNo: number; readonly at: number }[]
  close(): Promise<void>
}

const tickMs = 250

/** Starts a fleet. One timer moves all of it, a slice at a time, so that thousands of gateways fit one process. */
export function startFleet(plans: readonly GatewayPlan[], options: FleetOptions): Fleet {
  const random = seededRandom(options.seed ?? 1)
  const log = new ExecutedLog(options.executedLogFile ?? null)
  const now = options.now ?? Date.now
  const shared = {
    url: options.url,
    ...(options.certificate !== undefined && { certificate: options.certificate }),
    groupId: options.groupId ?? 'linewarden',
    hostId: options.hostId ?? 'linewarden',
    now,
    log,
    remember: options.remember ?? false,
    firmwareKeys: options.firmwareKeys ?? [],
  }
  const gateways = new Map(
    plans.map((plan) => [
      plan.number,
      new SimulatedGateway(plan, { ...shared, random: seededRandom(Math.floor(random() * 2 ** 31)) }),
    ]),
  )
  let timer: NodeJS.Timeout | null = null
  const ready = options.connected === false ? Promise.resolve() : connect()

  return {
    gateways,
    ready,
    connect,
    executed: log.entries,
    gatewayOf,
    step,
    now,
    run: (fault, target, given = {}, since) => injectFault(fault, gatewayAt(target), target, given, since),
    refuseUnlessPossible: (fault, target, given) => void happeningOf(fault, gatewayAt(target), target, given),
    acknowledged: () => [...gateways.values()].reduce((sum, gateway) => sum + gateway.acknowledged, 0),
    acknowledgedReadings: () => [...gateways.values()].flatMap((gateway) => gateway.stored ?? []),
    async close() {
      if (timer) clearInterval(timer)
      await Promise.all([...gateways.values()].map((gateway) => gateway.close()))
    },
  }

  async function connect(): Promise<void> {
    const born = options.inTurn ? connectInTurn() : Promise.all([...gateways.values()].map((gateway) => gateway.connect()))
    // What was made unconnected, or waits for its turn, has nothing to bring along that it read while it connected.
    if (options.connected === false || options.inTurn) await born
    if (options.ticking !== false) timer ??= setInterval(() => void step(), tickMs)
    await born
  }

  async function connectInTurn(): Promise<void> {
    for (const gateway of gateways.values()) await gateway.connect()
  }

  async function step(): Promise<void> {
    await Promise.all([...gateways.values()].map((gateway) => gateway.step()))
  }

  function gatewayAt(target: FaultTarget): SimulatedGateway {
    const gateway = 'gateway' in target ? gateways.get(target.gateway) : gatewayOf(target.controllerId)
    if (!gateway) throw new Error('the fleet has no such gateway')
    return gateway
  }

  function gatewayOf(controllerId: string): SimulatedGateway {
    const found = [...gateways.values()].find((gateway) => gateway.hasDevice(controllerId))
    if (!found) throw new Error(`the fleet has no device ${controllerId}`)
    return found
  }
}

import type { AlarmKind, Family, Priority } from '@linewarden/equipment'
import { SLOTS } from '@linewarden/equipment'
import type { AlarmTiming, Link } from '@linewarden/rules/alarm'
import type { CommandAction, TagKind, TagPlace, TestResult } from '@linewarden/rules/control'
import { tagsInForce } from '@linewarden/rules/control'
import type { Standard } from '@linewarden/rules/site'

export interface PlantGroup {
  readonly id: number
  readonly ownerId: string | null
  readonly isDefault: boolean
  /** The account that made it, where that is known. */
  readonly madeBy: string | null
  name: string
}

/**
 * The plant as last reported and committed, in memory: what monitoring shows and what the permit is evaluated from. Only ingest's commit and the
 * services' own committed writes change it; a value is here only after the database has it.
 */
export interface PlantProject {
  readonly id: number
  cityId: number
  /** The project administrator whose tenant it stands in; null: the installation's own. */
  ownerId: string | null
  name: string
  timeZone: string
  standard: Standard
  /** Since when a simulator stands for its equipment, Unix ms; absent: it is real. */
  simulatedSince?: number
}

export interface PlantGateway {
  readonly id: number
  /** Changes when the gateway is moved to another project. */
  project: PlantProject
  readonly number: string
  name: string
  disabled: boolean
  reportingPeriodMs: number
  /** It promised at birth that its devices report by the period. */
  keepsPeriod: boolean
  link: Link
  /** Unix ms. */
  linkSince: number | null
  linkReason: string | null
  /** Birth sequence of the present Sparkplug session; null before the first birth. */
  bdSeq: number | null
  clockSynchronised: boolean | null
  lastMessageAt: number | null
  /** How strongly it hears its network, as it last reported (received, Unix ms); null: not known. */
  signal: { readonly dbm: number; readonly at: number } | null
  /** As it last reported at birth; null: it never did. */
  model: string | null
  firmware: string | null
  firmwareAt: number | null
  /** Tags that hang on the whole gateway: they are in force on every line behind it. */
  ownTags: readonly PlantTag[]
  /** By what it calls them. */
  readonly devices: Map<string, PlantDevice>
}

/** A gateway that was just enrolled and has not reported yet. */
export const newGateway = (
  known: Pick<PlantGateway, 'id' | 'project' | 'number' | 'name' | 'reportingPeriodMs'>,
): PlantGateway => ({
  ...known,
  disabled: false,
  keepsPeriod: false,
  link: 'never',
  linkSince: null,
  linkReason: null,
  bdSeq: null,
  clockSynchronised: null,
  lastMessageAt: null,
  signal: null,
  model: null,
  firmware: null,
  firmwareAt: null,
  ownTags: [],
  devices: new Map(),
})

export interface PlantDevice {
  readonly id: number
  readonly gateway: PlantGateway
  /** By which everybody calls it: one of a kind. */
  readonly controllerId: string
  /** By which its gateway calls it: one of its gateway's. */
  readonly wireId: string
  name: string
  family: Family
  model: string
  /** As it said at its last birth; null: it did not. */
  firmware: string | null
  /** As it reported at birth; 0: it reports when something changes. Null: as its gateway does. */
  reportingPeriodMs: number | null
  /** Its own, behind a gateway that is online; `linkOfDevice` says how it stands. */
  link: Link
  /** Unix ms. */
  linkSince: number | null
  linkReason: string | null
  /** Keys of its own events that are open. */
  readonly openEvents: Set<string>
  /** Tags that hang on the whole device. */
  ownTags: readonly PlantTag[]
  readonly lines: Map<number, PlantLine>
}

/** A device that was just registered and has reported nothing yet. */
export const newDevice = (
  known: Pick<PlantDevice, 'id' | 'gateway' | 'controllerId' | 'name' | 'family' | 'model'> & { readonly wireId?: string },
): PlantDevice => ({
  wireId: known.controllerId,
  ...known,
  firmware: null,
  reportingPeriodMs: null,
  link: 'never',
  linkSince: null,
  linkReason: null,
  openEvents: new Set(),
  ownTags: [],
  lines: new Map(),
})

export const linesBehind = ({ devices }: Pick<PlantGateway, 'devices'>): PlantLine[] =>
  [...devices.values()].flatMap(({ lines }) => [...lines.values()])

/** How a device stands: behind a gateway that is away nothing is known of it. */
export const linkOfDevice = (device: PlantDevice): Pick<PlantDevice, 'link' | 'linkSince' | 'linkReason'> =>
  device.gateway.link === 'online' ? device : device.gateway

/** An alarm that is open on a line: what the table's edge and chips show. */
interface OpenAlarm {
  readonly eventId: string
  readonly key: string
  readonly kind: AlarmKind
  readonly priority: Priority
  readonly point: string | null
}

/** How alarms of a line are evaluated where somebody tuned them. */
export type LineTunings = ReadonlyMap<string, AlarmTiming>

const untuned: LineTunings = new Map()

export interface PlantLine {
  readonly id: number
  readonly device: PlantDevice
  readonly lineNo: number
  name: string
  ratedCurrentA: number | null
  /** The line that feeds it, as registered and last known here: to be shown. Whatever is decided by it asks the database. */
  upstreamId: number | null
  /** Settings the equipment reported, by key. */
  readonly reported: Map<string, number>
  /** Delays and dead bands that somebody set, by `alarmKeyOf`. */
  tunings: LineTunings
  /** Device time of the newest live values, and when they were received; Unix ms, null before the first. */
  liveAt: number | null
  liveReceivedAt: number | null
  clockGood: boolean
  /** By slot; NaN is missing. */
  readonly values: Float64Array
  /** By slot when its value was received since the start of this server, Unix ms; 0: not yet. A message need not carry them all. */
  readonly valuesReceivedAt: Float64Array
  /** By state key, value key; absent is not known. */
  readonly states: Map<string, string>
  /** When the position was last reported (received), Unix ms. */
  positionAt: number | null
  /** Since when the position is what it is, device time bounded by the server's, Unix ms; null: its change was not observed. */
  positionSince: number | null
  readonly alarms: Map<string, OpenAlarm>
  /** A trip by leakage, short circuit or arc that nobody has explained yet. */
  lockoutCause: string | null
  /** Number of the latest trip that locked the line out: a recorded cause belongs to one trip and never to a newer one. */
  tripSequence: number
  inspectionUntil: number | null
  /** Lock-out and tag-out tags that hang on the line itself. Those in force on it are more: `tagsInForce` says them. */
  ownTags: readonly PlantTag[]
  /** The last leakage self-test; null: none was ever recorded. */
  selfTest: { readonly at: number; readonly result: TestResult; readonly tripMs: number | null } | null
  lastOperationAt: number | null
  /** Orders under way, by id: a trip does not wait for what was ordered before it. */
  readonly underWay: Map<string, CommandAction>
  /** The fence of the trip that was ordered last: nothing leaves that was ordered before it. */
  tripFence: number
}

/** The order under way that people are shown, a trip before all others; null: there is none. */
export function pendingOf({ underWay }: PlantLine): { readonly commandId: string; readonly action: CommandAction } | null {
  const orders = [...underWay].map(([commandId, action]) => ({ commandId, action }))
  return orders.findLast(({ action }) => action === 'trip') ?? orders.at(-1) ?? null
}

/** A lock or tag that hangs on a line, on a device or on a gateway. */
export interface PlantTag {
  readonly id: string
  readonly on: TagPlace
  /** The id of that line, device or gateway. */
  readonly onId: number
  readonly kind: TagKind
  readonly accountId: string | null
  readonly holder: string
  readonly reason: string
  readonly photo: boolean
  /** Unix ms. */
  readonly placedAt: number
  /** When its holder thinks to be done; nothing happens by itself then. */
  readonly expectedEnd: number | null
}

/** What has been applied to a line: nothing closes, tests or sets it under a tag or in an inspection, and nothing closes it after a trip or a test that keeps it open. */
export interface AppliedInterlocks {
  readonly inspectionUntil: number | null
  /** All in force, wherever they hang. */
  readonly tags: readonly PlantTag[]
  /** The protective trip that nobody has explained yet. */
  readonly lockout: { readonly cause: string; readonly sequence: number } | null
  /** The newest self-test that was recorded, when it failed. */
  readonly failedTest: { readonly at: number; readonly tripMs: number | null } | null
}

/** The same as the plant knows it. */
export const knownInterlocks = (line: PlantLine): AppliedInterlocks => ({
  inspectionUntil: line.inspectionUntil,
  tags: tagsInForce(line),
  lockout: line.lockoutCause === null ? null : { cause: line.lockoutCause, sequence: line.tripSequence },
  failedTest: line.selfTest?.result === 'failed' ? line.selfTest : null,
})

/** Key of an open alarm on its line. */
export const alarmKeyOf = (key: string, point: string | null) => (point === null ? key : `${key}@${point}`)

/** The equipment, found by every id it goes by. */
export class Plant {
  readonly cities = new Map<number, PlantGroup>()
  readonly projects = new Map<number, PlantProject>()
  readonly gateways = new Map<number, PlantGateway>()
  readonly gatewayByNumber = new Map<string, PlantGateway>()
  readonly devices = new Map<number, PlantDevice>()
  readonly deviceByControllerId = new Map<string, PlantDevice>()
  readonly lines = new Map<number, PlantLine>()
  /** Of lines by their id, also of those that are not here yet: they come with how they are tuned. */
  #tunings: ReadonlyMap<number, LineTunings> = new Map()

  addGateway(gateway: PlantGateway): void {
    this.gateways.set(gateway.id, gateway)
    this.gatewayByNumber.set(gateway.number, gateway)
  }

  /** Takes a gateway out with everything on it. */
  removeGateway(gateway: PlantGateway): void {
    for (const device of gateway.devices.values()) {
      for (const line of device.lines.values()) this.lines.delete(line.id)
      this.devices.delete(device.id)
      this.deviceByControllerId.delete(device.controllerId)
    }
    this.gateways.delete(gateway.id)
    this.gatewayByNumber.delete(gateway.number)
  }

  addDevice(device: PlantDevice): void {
    device.gateway.devices.set(device.wireId, device)
    this.devices.set(device.id, device)
    this.deviceByControllerId.set(device.controllerId, device)
  }

  addLine(line: PlantLine): void {
    line.tunings = this.#tunings.get(line.id) ?? untuned
    line.device.lines.set(line.lineNo, line)
    this.lines.set(line.id, line)
  }

  /** Takes how all lines are tuned. Answers those of which it may have changed. */
  setTunings(tunings: ReadonlyMap<number, LineTunings>): PlantLine[] {
    const ids = new Set([...this.#tunings.keys(), ...tunings.keys()])
    this.#tunings = tunings
    const lines = [...ids].flatMap((id) => this.lines.get(id) ?? [])
    for (const line of lines) line.tunings = tunings.get(line.id) ?? untuned
    return lines
  }

  /** The line a call names, or null. */
  lineAt(controllerId: string, lineNo: number): PlantLine | null {
    return this.deviceByControllerId.get(controllerId)?.lines.get(lineNo) ?? null
  }
}

/** A line nothing was ever reported of. */
export function newLine(id: number, device: PlantDevice, lineNo: number, name: string, ratedCurrentA: number | null): PlantLine {
  return {
    id,
    device,
    lineNo,
    name,
    ratedCurrentA,
    upstreamId: null,
    reported: new Map(),
    tunings: untuned,
    liveAt: null,
    liveReceivedAt: null,
    clockGood: true,
    values: new Float64Array(SLOTS).fill(Number.NaN),
    valuesReceivedAt: new Float64Array(SLOTS),
    states: new Map(),
    positionAt: null,
    positionSince: null,
    alarms: new Map(),
    lockoutCause: null,
    tripSequence: 0,
    inspectionUntil: null,
    ownTags: [],
    selfTest: null,
    lastOperationAt: null,
    underWay: new Map(),
    tripFence: 0,
  }
}

/** How often what the device measures is reported, ms; 0: when something changes. */
export const reportingPeriodOf = ({ reportingPeriodMs, gateway }: Pick<PlantDevice, 'reportingPeriodMs' | 'gateway'>): number =>
  reportingPeriodMs ?? gateway.reportingPeriodMs

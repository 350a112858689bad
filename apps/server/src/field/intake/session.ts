import type { Family, Point, Recording, StatePoint } from '@linewarden/equipment'
import { placeOf, wire } from '@linewarden/equipment'
import type { Alias } from '@linewarden/sparkplug'
import { DataType, EdgeSession } from '@linewarden/sparkplug'
import type { PlantDevice, PlantGateway } from '../../plant/plant.ts'
import type { LineWatch } from '../watch/line-watch.ts'
import type { NamedValue } from './birth.ts'

/** What an alias stands for, found once at birth, so that data goes straight to its slot. */
export type Target =
  | { readonly of: 'point'; readonly watch: LineWatch; readonly point: Point }
  | { readonly of: 'state'; readonly watch: LineWatch; readonly state: StatePoint }
  | { readonly of: 'setting'; readonly watch: LineWatch; readonly key: string }
  | { readonly of: 'recording'; readonly watch: LineWatch; readonly recording: Recording }
  | { readonly of: 'result'; readonly key: string }
  | { readonly of: 'clock' }
  | { readonly of: 'signal' }
  | { readonly of: 'unknown'; readonly name: string; readonly family: string }
  /** Known and of no further use after the birth, such as a name. */
  | { readonly of: 'nothing' }

/** What a birth reported of a metric: DATA may name it by its alias alone and leave its type out. */
export interface Announced {
  readonly name: string
  /** Null: it has none. */
  readonly alias: Alias | null
  readonly type: number
  readonly target: Target
}

/** What one birth announced. It is seldom looked for by name, so the index is made when somebody first does. */
export class AnnouncedMetrics {
  readonly #all: Announced[] = []
  #byName: Map<string, Announced> | null = null

  add(metric: Announced): void {
    this.#all.push(metric)
    this.#byName = null
  }

  /** The last of that name. */
  get(name: string): Announced | undefined {
    this.#byName ??= new Map(this.#all.map((each) => [each.name, each]))
    return this.#byName.get(name)
  }
}

/** A device whose birth could not be taken: what it says is only counted, and nobody else is troubled for it. */
export interface RefusedDevice {
  readonly controllerId: string
  readonly reason: 'device_birth' | 'too_many_devices' | 'too_many_lines'
  readonly detail: string
  /** Unix ms: its first birth that could not be taken. */
  readonly since: number
  /** What it has said since in this session. */
  messages: number
}

/** One gateway's present session. */
export interface GatewaySession {
  readonly gateway: PlantGateway
  readonly edge: EdgeSession
  /** When its present session began, Unix ms. */
  bornAt: number
  /** Sparkplug group it was born in; commands go there. */
  group: string | null
  /** Speaks JSON rather than Sparkplug. */
  json: boolean
  /** Its last message came from a platform: it has no connection of its own. */
  pushed: boolean
  aliases: Map<Alias, Announced>
  /** By the device they were announced for, null being the gateway itself. */
  metrics: Map<string | null, AnnouncedMetrics>
  /** It leaves datatypes out of its DATA, as the standard asks: so may orders to it. Other libraries read nothing without them. */
  leavesTypesOut: boolean
  /** Devices of this session whose birth could not be taken, by their id. */
  refused: Map<string, RefusedDevice>
  /** The same of the session before, for since when it is so. */
  refusedBefore: ReadonlyMap<string, RefusedDevice>
  /** When it was last asked to be born again because its clock was set back or a device was silent, Unix ms. */
  statesAskedAt: number
  /** A device of it was silent, and the gateway has not been asked since: what it had to say meanwhile is not known. */
  lacksStates: boolean
  /** While new devices are being registered, what arrives waits here, in order. */
  backlog: (() => void)[] | null
}

export const newSession = (gateway: PlantGateway): GatewaySession => ({
  gateway,
  edge: new EdgeSession(),
  bornAt: 0,
  group: null,
  json: false,
  pushed: false,
  aliases: new Map(),
  metrics: new Map(),
  leavesTypesOut: false,
  refused: new Map(),
  refusedBefore: new Map(),
  statesAskedAt: Number.NEGATIVE_INFINITY,
  lacksStates: false,
  backlog: null,
})

/** Begins a birth, of the gateway itself (and then of everything behind it) or of one of its devices. */
export function beginBirth(session: GatewaySession, device: string | null): void {
  if (device === null) {
    session.aliases = new Map()
    session.metrics = new Map()
    session.leavesTypesOut = false
    session.lacksStates = false
    session.refusedBefore = session.refused
    session.refused = new Map()
  } else session.refused.delete(device)
  session.metrics.set(device, new AnnouncedMetrics())
}

const maxRefused = 256

/** Remembers that a device's birth could not be taken. */
export function refuseDevice(
  session: GatewaySession,
  refused: Pick<RefusedDevice, 'controllerId' | 'reason' | 'detail'>,
  now: number,
): void {
  const before = session.refused.get(refused.controllerId) ?? session.refusedBefore.get(refused.controllerId)
  if (session.refused.size >= maxRefused && !session.refused.has(refused.controllerId)) return
  session.refused.set(refused.controllerId, { ...refused, since: before?.since ?? now, messages: 0 })
}

/** Takes down what a birth says of a metric. */
export function announce(
  session: GatewaySession,
  device: string | null,
  { name, alias, type }: NamedValue,
  target: Target,
): void {
  const metric = { name, alias, type: type ?? DataType.Unknown, target }
  if (alias !== null) session.aliases.set(alias, metric)
  session.metrics.get(device)?.add(metric)
}

/** What a gateway says of itself between births, by name. */
const nodeTargets: Readonly<Record<string, Target>> = {
  [wire.info.clockSynchronised]: { of: 'clock' },
  [wire.info.signal]: { of: 'signal' },
}

const nodeKnown: ReadonlySet<string> = new Set([
  'bdSeq',
  ...Object.values(wire.info),
  ...Object.values(wire.command),
  ...Object.values(wire.result),
])

/** What the name of a gateway's own metric means. */
export function nodeTargetOf(name: string): Target {
  const isKnown = nodeKnown.has(name) || name.startsWith('Node Control/')
  return nodeTargets[name] ?? (isKnown ? { of: 'nothing' } : { of: 'unknown', name: withoutLine(name), family: 'gateway' })
}

/** What a metric's name means on this device. */
export function targetOf(device: PlantDevice, name: string, watchOf: (lineNo: number) => LineWatch | null): Target {
  const unknown: Target = { of: 'unknown', name: withoutLine(name), family: device.family.key }
  const place = placeOf(name)
  // Equipment that follows the standard announces what can be ordered of it.
  if (!place) return orderable.has(name) ? { of: 'nothing' } : unknown
  if (place.of === 'result') return { of: 'result', key: place.key }
  if (place.of === 'info') return { of: 'nothing' }
  const watch = watchOf(place.line)
  if (!watch) return unknown
  if (place.of === 'setting') return hasSetting(device.family, place.key) ? { of: 'setting', watch, key: place.key } : unknown
  const point = device.family.points.find((each) => each.key === place.key)
  if (point) return { of: 'point', watch, point }
  const state = device.family.states.find((each) => each.key === place.key)
  if (state) return { of: 'state', watch, state }
  const recording = device.family.recordings?.find((each) => each.key === place.key)
  return recording ? { of: 'recording', watch, recording } : unknown
}

const orderable: ReadonlySet<string> = new Set(Object.values(wire.command))

const hasSetting = (family: Family, key: string) => family.settings.some((setting) => setting.key === key)

/** Counted by kind, not by line: `3/foo` and `4/foo` are one thing nobody understands. */
const withoutLine = (name: string) => name.replace(/\d+/g, 'n').slice(0, 64)

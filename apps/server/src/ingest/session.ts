import type { Family, Point, Recording, StatePoint } from '@linewarden/equipment'
import { placeOf } from '@linewarden/equipment'
import { EdgeSession } from '@linewarden/sparkplug'
import type { PlantDevice, PlantGateway } from '../live/plant.ts'
import type { LineWatch } from './line-watch.ts'

/** What an alias stands for, found once at birth, so that data goes straight to its slot. */
export type Target =
  | { readonly of: 'point'; readonly watch: LineWatch; readonly point: Point }
  | { readonly of: 'state'; readonly watch: LineWatch; readonly state: StatePoint }
  | { readonly of: 'setting'; readonly watch: LineWatch; readonly key: string }
  | { readonly of: 'recording'; readonly watch: LineWatch; readonly recording: Recording }
  | { readonly of: 'result'; readonly key: string }
  | { readonly of: 'clock' }
  | { readonly of: 'unknown'; readonly name: string; readonly family: string }
  /** Known and of no further use after the birth, such as a name. */
  | { readonly of: 'nothing' }

/** One gateway's present session. */
export interface GatewaySession {
  readonly gateway: PlantGateway
  readonly edge: EdgeSession
  /** Sparkplug group it was born in; commands go there. */
  group: string | null
  /** Speaks JSON rather than Sparkplug. */
  json: boolean
  /** Its last message came from a platform: it has no connection of its own. */
  pushed: boolean
  targets: Map<number, Target>
  /** While new devices are being registered, what arrives waits here, in order. */
  backlog: (() => void)[] | null
}

export const newSession = (gateway: PlantGateway): GatewaySession => ({
  gateway,
  edge: new EdgeSession(),
  group: null,
  json: false,
  pushed: false,
  targets: new Map(),
  backlog: null,
})

/** What a metric's name means on this device. */
export function targetOf(device: PlantDevice, name: string, watchOf: (lineNo: number) => LineWatch | null): Target {
  const unknown: Target = { of: 'unknown', name: withoutLine(name), family: device.family.key }
  const place = placeOf(name)
  if (!place) return unknown
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

const hasSetting = (family: Family, key: string) => family.settings.some((setting) => setting.key === key)

/** Counted by kind, not by line: `3/foo` and `4/foo` are one thing nobody understands. */
const withoutLine = (name: string) => name.replace(/\d+/g, 'n').slice(0, 64)

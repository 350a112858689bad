import type { InspectionPlan, PlanStop, Project } from '@linewarden/contract'

/** A stop as a form has it: what it is, what it is called, and which checklist is walked there. */
export interface ChosenStop {
  readonly kind: 'gateway' | 'device' | 'place'
  /** Of its kind: the gateway's number, the device's id, or the place's own name. */
  readonly id: string
  readonly name: string
  readonly gateway: string
  /** Family, `gateway` or `place`. */
  readonly list: string
  readonly gone: boolean
}

export const stopKey = ({ kind, id }: Pick<ChosenStop, 'kind' | 'id'>): string => `${kind} ${id}`

/** A gateway of the tree with what hangs on it. */
export interface Cabinet {
  readonly gateway: ChosenStop
  readonly devices: readonly ChosenStop[]
}

/** Everything of a project that can be a stop, in the order of the tree. */
export const cabinetsOf = (project: Pick<Project, 'Devices'>): readonly Cabinet[] =>
  project.Devices.map(({ DeviceID, GatewayName, Devices }) => ({
    gateway: { kind: 'gateway', id: String(DeviceID), name: GatewayName, gateway: '', list: 'gateway', gone: false },
    devices: Devices.map(({ ControllerID, Name, Family, Lines }) => ({
      kind: 'device',
      id: ControllerID,
      // A breaker of one line is called as its line is.
      name: Name || Lines.map(({ LineName }) => LineName).join(' · ') || ControllerID,
      gateway: GatewayName,
      list: Family,
      gone: false,
    })),
  }))

export const placeStop = (name: string): ChosenStop => ({
  kind: 'place',
  id: name,
  name,
  gateway: '',
  list: 'place',
  gone: false,
})

export const stopsOf = ({ Stops }: Pick<InspectionPlan, 'Stops'>): readonly ChosenStop[] =>
  Stops.map(({ Kind, DeviceID, ControllerID, Place, Name, GatewayName, List, Gone }) => ({
    ...{ kind: Kind, name: Name, gateway: GatewayName ?? '', list: List, gone: Gone },
    id: Kind === 'gateway' ? String(DeviceID) : Kind === 'device' ? (ControllerID ?? '') : (Place ?? Name),
  }))

/** As a call names it. */
export function stopAsked({ kind, id }: Pick<ChosenStop, 'kind' | 'id'>): PlanStop {
  if (kind === 'gateway') return { DeviceID: Number(id) }
  return kind === 'device' ? { ControllerID: id } : { Place: id }
}

/** Those that are not on the route yet come to its end. */
export function withStops(route: readonly ChosenStop[], more: readonly ChosenStop[]): readonly ChosenStop[] {
  const there = new Set(route.map(stopKey))
  return [...route, ...more.filter((stop) => !there.has(stopKey(stop)))]
}

export function withoutStops(route: readonly ChosenStop[], these: readonly ChosenStop[]): readonly ChosenStop[] {
  const gone = new Set(these.map(stopKey))
  return route.filter((stop) => !gone.has(stopKey(stop)))
}

/** The stop one place further up or down the route. */
export function moved(route: readonly ChosenStop[], at: number, by: -1 | 1): readonly ChosenStop[] {
  const to = at + by
  const [stop, other] = [route[at], route[to]]
  if (!stop || !other) return route
  return route.with(at, other).with(to, stop)
}

/** Which checklists a route needs, each once, in the order of the route. */
export const listsOf = (route: readonly Pick<ChosenStop, 'list'>[]): readonly string[] => [
  ...new Set(route.map(({ list }) => list)),
]

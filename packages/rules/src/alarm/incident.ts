import type { Priority } from '@linewarden/equipment'
import { priorities } from '@linewarden/equipment'

/**
 * What one cause can be: a gateway that is gone, an upstream line that opened, an outage of several gateways, the platform itself that was
 * away, a broken neutral.
 */
export const incidentKinds = ['gateway', 'upstreamTrip', 'outage', 'platform', 'neutral'] as const
export type IncidentKind = (typeof incidentKinds)[number]

/** What an event is in an incident: the root is shown, and shows for the children. */
export const incidentRoles = ['root', 'child'] as const
export type IncidentRole = (typeof incidentRoles)[number]

/** Where the cause is: a gateway, a line, or a project as a whole, as of an outage or of the platform that was away. */
export interface IncidentPlace {
  readonly kind: IncidentKind
  readonly projectId: number
  readonly gatewayId: number | null
  readonly lineId: number | null
}

/** A cause that is there, or went only just now; at one place there is one of a kind. Times in Unix ms, by the clock of the equipment. */
export interface Incident extends IncidentPlace {
  /** The event that shows for it; null: no alarm tells of it, so that one is raised once something is folded. */
  readonly rootId: string | null
  /** When it came, for the first time and for the last; of the platform: since when it was away, and when it was back. */
  readonly openedAt: number
  readonly raisedAt: number
  /** When it went; null: it is there. */
  readonly endedAt: number | null
}

/** By which an incident is found. */
export const placeKey = ({ kind, projectId, gatewayId, lineId }: IncidentPlace): string =>
  `${kind} ${kind === 'outage' || kind === 'platform' ? projectId : (lineId ?? gatewayId)}`

/** An event as folding reads it. Times in Unix ms. */
export interface FoldEvent {
  readonly id: string
  readonly key: string
  readonly projectId: number
  readonly gatewayId: number
  readonly deviceId: number | null
  readonly lineId: number | null
  /** When it was raised last, or noted. */
  readonly at: number
  /** When its condition went; null: it is there. */
  readonly returnedAt: number | null
  /** The incident it is folded into, by its place; null: none. */
  readonly parent: string | null
  /** It is not to be folded: a person took it out of an incident, or its place is out of service. */
  readonly apart: boolean
}

/** How equipment hangs together, as far as the open incidents ask for it. */
export interface FoldTopology {
  /** Of each line that opened: the lines downstream of it, with how many steps below. A line that is not here feeds nothing. */
  readonly below: ReadonlyMap<number, ReadonlyMap<number, number>>
  /** All lines of a device, of a gateway. */
  readonly linesOfDevice: ReadonlyMap<number, readonly number[]>
  readonly linesOfGateway: ReadonlyMap<number, readonly number[]>
  /** How many gateways a project has. */
  readonly gatewaysOf: ReadonlyMap<number, number>
  /** How often a gateway reports, ms. */
  readonly periodOf: ReadonlyMap<number, number>
  /** The longest of these in a project, ms. */
  readonly maxPeriodMsOf: ReadonlyMap<number, number>
}

/** The gravest of these; null: there is none. */
export const gravestOf = (some: Iterable<Priority>): Priority | null => {
  const all = new Set(some)
  return priorities.find((each) => all.has(each)) ?? null
}

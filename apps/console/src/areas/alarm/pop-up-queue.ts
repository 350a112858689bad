import type { EventRecord } from '@linewarden/contract'
import { isGraver, isUnacknowledged, rampOf } from '@linewarden/rules/alarm'

/** At most eight are open; beyond that the oldest close (specification section 9). */
export const maxPopUps = 8

/** What this screen knows of what nobody has acknowledged. */
export interface Unacknowledged {
  readonly events: ReadonlyMap<string, EventRecord>
  /** How many there are, also of those that are not here; null: not known yet. */
  readonly total: number | null
  /** Put away on this screen, and acknowledged by nobody. */
  readonly away: ReadonlySet<string>
  /** All up to this number were put away together, also those that were not here. */
  readonly clearedUpTo: number
  /** Of events that were announced again: just after the newest number there was then. Any other stands at its own. */
  readonly ranks: ReadonlyMap<string, number>
}

export const nothingKnown: Unacknowledged = { events: new Map(), total: null, away: new Set(), clearedUpTo: 0, ranks: new Map() }

/** Of a flood the newest are kept here, more than the screen shows; the list has all. */
const maxKept = 200

/** One pop-up: events of one ramp, the gravest first. */
export interface PopUpGroup {
  readonly ramp: string
  readonly head: EventRecord
  readonly events: readonly EventRecord[]
}

/** A notice of a work order has no state: its pop-up stays until it is closed, or the order is opened. What is silent waits for nobody. */
const belongs = ({ Kind, State, AcknowledgedAt, Shelved, Suppressed }: EventRecord): boolean =>
  (Kind === 'order' && AcknowledgedAt === null) || (isUnacknowledged(State) && Shelved === null && Suppressed === null)

/** After an event was told. `announced`: it calls for somebody, by a pop-up and a sound. */
export function withEvent(
  known: Unacknowledged,
  event: EventRecord,
  isNew: boolean,
): { readonly known: Unacknowledged; readonly announced: boolean } {
  const events = new Map(known.events)
  const away = new Set(known.away)
  const { EventID } = event
  const wasHere = events.has(EventID)
  if (!belongs(event)) {
    events.delete(EventID)
    away.delete(EventID)
    const isCounted = wasHere && event.Kind !== 'order'
    const total = known.total === null || !isCounted ? known.total : Math.max(0, known.total - 1)
    return { known: { ...known, events, away, total }, announced: false }
  }
  const isOrder = event.Kind === 'order'
  // An order whose pop-up was closed is no business of this screen any more.
  if (isOrder && !isNew && !wasHere) return { known, announced: false }
  const others = isOrder
    ? []
    : [...events.values()].filter((other) => other.EventID !== EventID && rampOf(other) === rampOf(event))
  const announced = isNew && !event.Historical && !others.some((other) => isGraver(other, event))
  const ranks = announced && wasHere ? new Map(known.ranks).set(EventID, newestOf(events) + 0.5) : known.ranks
  events.set(EventID, event)
  if (announced) away.delete(EventID)
  // Before the first answer nothing was put away. A step that is no graver than what was brings nothing back.
  else if (known.total !== null && !wasHere && others.every((other) => away.has(other.EventID))) away.add(EventID)
  const total = known.total === null || wasHere || isOrder ? known.total : known.total + 1
  for (const oldest of events.keys()) {
    if (events.size <= maxKept) break
    events.delete(oldest)
    away.delete(oldest)
  }
  return { known: { ...known, events, away, total, ranks }, announced }
}

const newestOf = (events: ReadonlyMap<string, EventRecord>): number => Math.max(0, ...[...events.keys()].map(Number))

/** After the server was asked for the newest of them. What was told since it was asked is newer than its answer. */
export function withList(
  known: Unacknowledged,
  listed: readonly EventRecord[],
  total: number,
  notifiedSince: ReadonlySet<string>,
): Unacknowledged {
  const events = new Map<string, EventRecord>()
  for (const event of listed) if (!notifiedSince.has(event.EventID)) events.set(event.EventID, event)
  for (const [id, event] of known.events) if (event.Kind === 'order' || notifiedSince.has(id)) events.set(id, event)
  const isAway = (id: string) => known.away.has(id) || (!known.events.has(id) && Number(id) <= known.clearedUpTo)
  const ranks = new Map([...known.ranks].filter(([id]) => events.has(id)))
  return { ...known, events, total, ranks, away: new Set([...events.keys()].filter(isAway)) }
}

/** After a person has closed one: it is off this screen, and nobody has acknowledged it by that. */
export function withoutPopUp(known: Unacknowledged, { events }: PopUpGroup): Unacknowledged {
  const left = new Map(known.events)
  const away = new Set(known.away)
  for (const { EventID, Kind } of events) {
    if (Kind === 'order') left.delete(EventID)
    else away.add(EventID)
  }
  return { ...known, events: left, away }
}

/** After all were put away, those that are not here included. */
export function cleared(known: Unacknowledged): Unacknowledged {
  const left = new Map([...known.events].filter(([, { Kind }]) => Kind !== 'order'))
  const clearedUpTo = Math.max(known.clearedUpTo, newestOf(known.events))
  return { ...known, events: left, away: new Set(left.keys()), clearedUpTo }
}

/** Whether an event pops up while alarms flood: of the others the list tells. Fire, gas and arc are critical. */
export const popsUpInFlood = ({ Kind, Priority }: EventRecord): boolean =>
  Kind === 'order' || Priority === 'critical' || Priority === 'high'

/** A finding of the past, raised when it was made up for: it stands in the lists and calls for nobody. */
const isUncalled = ({ Kind, Announced }: EventRecord): boolean => Kind === 'warning' && Announced === 0

/** The pop-ups, that with the newest raise first, and how many more there are that this screen does not show. */
export function popUpsOf(
  { events, away, total, clearedUpTo, ranks }: Unacknowledged,
  isFlood = false,
): {
  readonly shown: readonly PopUpGroup[]
  readonly more: number
} {
  const byRamp = new Map<string, EventRecord[]>()
  for (const event of events.values()) {
    if (event.Historical || isUncalled(event) || away.has(event.EventID)) continue
    const ramp = event.Kind === 'order' ? event.EventID : rampOf(event)
    byRamp.set(ramp, [...(byRamp.get(ramp) ?? []), event])
  }
  const rank = ({ EventID }: EventRecord) => ranks.get(EventID) ?? Number(EventID)
  const groups = [...byRamp].map(([ramp, steps]) => {
    const ordered = steps.toSorted((a, b) => Number(isGraver(b, a)) - Number(isGraver(a, b)) || rank(b) - rank(a))
    return { ramp, head: ordered[0] as EventRecord, events: ordered, newest: Math.max(...steps.map(rank)) }
  })
  const popping = isFlood ? groups.filter((group) => group.events.some(popsUpInFlood)) : groups
  popping.sort((a, b) => b.newest - a.newest)
  const acknowledgeable = [...events.values()].filter(({ Kind }) => Kind !== 'order').length
  const elsewhere = clearedUpTo > 0 ? 0 : Math.max(0, (total ?? 0) - acknowledgeable)
  return {
    shown: popping.slice(0, maxPopUps),
    more: Math.max(0, groups.length - Math.min(popping.length, maxPopUps)) + elsewhere,
  }
}

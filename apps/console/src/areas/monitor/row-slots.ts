import { useRef } from 'react'

interface Held {
  readonly shownBy: string
  /** The slot of each row in sight, by the row's key, in the order of the page. */
  readonly slots: ReadonlyMap<number, number>
  /** The first slot nobody has had. */
  readonly next: number
}

/** Rows of one kind are built alike: keys of gateways are negative, those of lines are not. */
const isGateway = (key: number): boolean => key < 0

/**
 * In which slot of the page each row in sight is drawn. As long as the person asked for nothing else, a row keeps its slot: what moves by
 * itself never turns the row under somebody's finger into another line. When they asked for other rows, by a search, a filter, an order or
 * a selection, these are written into the slots that are there, first into first: that costs a fraction of building rows and taking others
 * away, where much of a keystroke's time went.
 */
export function slotsOf(keys: readonly number[], shownBy: string, before: Held): Held {
  const same = shownBy === before.shownBy
  const free = { gateways: [] as number[], lines: [] as number[] }
  if (!same) for (const [key, slot] of [...before.slots].reverse()) (isGateway(key) ? free.gateways : free.lines).push(slot)
  let next = before.next
  const slots = new Map<number, number>()
  for (const key of keys) {
    const slot = same ? before.slots.get(key) : (isGateway(key) ? free.gateways : free.lines).pop()
    slots.set(key, slot ?? next++)
  }
  return { shownBy, slots, next }
}

/** The slots of the rows in sight from draw to draw; `shownBy` says what the person asked for. */
export function useRowSlots(keys: readonly number[], shownBy: string): ReadonlyMap<number, number> {
  const held = useRef<Held>({ shownBy, slots: new Map(), next: 0 })
  held.current = slotsOf(keys, shownBy, held.current)
  return held.current.slots
}

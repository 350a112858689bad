import type { RefObject } from 'react'
import { useLayoutEffect, useRef } from 'react'

interface DrawnSlots {
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
 * away, where much of a keystroke's time went. Slots in `inHand`, pressed or with the keyboard on them, stay with their line or go with it.
 */
export function slotsOf(
  keys: readonly number[],
  shownBy: string,
  before: DrawnSlots,
  inHand: ReadonlySet<number> = new Set(),
): DrawnSlots {
  const same = shownBy === before.shownBy
  const free = { gateways: [] as number[], lines: [] as number[] }
  if (!same)
    for (const [key, slot] of [...before.slots].reverse())
      if (!inHand.has(slot)) (isGateway(key) ? free.gateways : free.lines).push(slot)
  let next = before.next
  const slots = new Map<number, number>()
  for (const key of keys) {
    const own = before.slots.get(key)
    const stays = same || (own !== undefined && inHand.has(own))
    const slot = stays ? own : (isGateway(key) ? free.gateways : free.lines).pop()
    slots.set(key, slot ?? next++)
  }
  return { shownBy, slots, next }
}

/** The slots of the rows in sight from draw to draw; `shownBy` says what the person asked for. */
export function useRowSlots(
  keys: readonly number[],
  shownBy: string,
  table: RefObject<HTMLElement | null>,
): ReadonlyMap<number, number> {
  const last = useRef<DrawnSlots>({ shownBy, slots: new Map(), next: 0 })
  const inHand = shownBy === last.current.shownBy ? undefined : slotsInHand(table.current)
  const drawn = slotsOf(keys, shownBy, last.current, inHand)
  // A draw that is given up for another has put nothing on the page.
  useLayoutEffect(() => {
    last.current = drawn
  })
  return drawn.slots
}

/** The slots, told by `data-slot`, that are pressed just now or have the keyboard on them. */
const slotsInHand = (table: HTMLElement | null): ReadonlySet<number> =>
  new Set(
    [...(table?.querySelectorAll<HTMLElement>('[data-slot]:active, [data-slot]:focus-within') ?? [])].map(({ dataset }) =>
      Number(dataset.slot),
    ),
  )

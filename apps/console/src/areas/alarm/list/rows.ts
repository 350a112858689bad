import type { EventGroup, EventRecord } from '@linewarden/contract'

/** Events that are folded under a row, as far as they are here. */
export interface Folded {
  readonly events: readonly EventRecord[]
  readonly total: number
}

/** One row of the list. */
export type ListRow =
  | {
      readonly kind: 'event'
      readonly id: string
      readonly event: EventRecord
      /** It stands under the row that it is folded into. */
      readonly isChild: boolean
      /** How many are folded under it; 0: it unfolds into nothing. */
      readonly folded: number
      readonly unfolded: boolean
    }
  | { readonly kind: 'group'; readonly id: string; readonly group: EventGroup; readonly unfolded: boolean }
  /** Of what is folded there is more than is here, or it is on its way (null). */
  | { readonly kind: 'rest'; readonly id: string; readonly count: number | null }

export type EventRow = Extract<ListRow, { readonly kind: 'event' }>

export const groupId = ({ HouseID, DeviceID, Key }: EventGroup): string => `group ${Key ?? `${HouseID}:${DeviceID ?? ''}`}`

const childrenOf = ({ Incident }: EventRecord): number => Incident?.Children ?? 0

/** The rows of a list: groups or events, and below each that is unfolded what is folded into it. `folded`: null while it is on its way. */
export function rowsOf(
  heads: readonly EventRecord[] | readonly EventGroup[],
  unfolded: ReadonlyMap<string, Folded | null>,
): ListRow[] {
  const rows: ListRow[] = []
  for (const head of heads) {
    const id = 'EventID' in head ? head.EventID : groupId(head)
    const isOpen = unfolded.has(id)
    if ('EventID' in head)
      rows.push({ kind: 'event', id, event: head, isChild: false, folded: childrenOf(head), unfolded: isOpen })
    else rows.push({ kind: 'group', id, group: head, unfolded: isOpen })
    if (!isOpen) continue
    const below = unfolded.get(id) ?? null
    for (const event of below?.events ?? [])
      rows.push({ kind: 'event', id: `${id} ${event.EventID}`, event, isChild: true, folded: 0, unfolded: false })
    const count = below === null ? null : Math.max(0, below.total - below.events.length)
    if (count !== 0) rows.push({ kind: 'rest', id: `${id} rest`, count })
  }
  return rows
}

/** The events among rows, each once. */
export const eventsIn = (rows: readonly ListRow[]): readonly EventRecord[] => [
  ...new Map(rows.flatMap((row) => (row.kind === 'event' ? [[row.event.EventID, row.event] as const] : []))).values(),
]

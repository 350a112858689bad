import { actorTyped, listJournal } from '@linewarden/contract'
import { dayMs } from '@linewarden/equipment'
import { useRef } from 'react'
import { api } from '../../app/net/api.ts'
import { useRows } from '../../app/net/use-rows.ts'
import { useListState } from '../../ui/list-state.ts'
import { useDelayed } from '../../ui/use-delayed.ts'

const filters = ['Actor', 'Action', 'Target', 'Outcome', 'From', 'To'] as const
const sortable = ['At', 'Actor', 'Action'] as const

/** The page of the audit trail that the address asks for, and how all pages of it are exported. */
export function useLog() {
  const list = useListState(filters, sortable)
  const actor = useDelayed(list.filter('Actor'), 300)
  const target = useDelayed(list.filter('Target'), 300)
  const action = list.filter('Action')
  const outcome = list.filter('Outcome')
  const from = midnight(list.filter('From'))
  const to = midnight(list.filter('To'))
  const body = {
    ...(actor && { Actor: actorTyped(actor) }),
    ...(target && { Target: target }),
    ...(action && { Action: action }),
    ...(outcome && { Outcome: outcome }),
    ...(from !== null && { From: from }),
    ...list.order,
    // The last day is meant to be in it.
    ...(to !== null && { To: new Date(to + 1.5 * dayMs).setHours(0, 0, 0, 0) }),
  }
  const fetchPage = (Page: number, Size: number) => api.call(listJournal, { body: { ...body, Page, Size } })
  const newest = useRef<number | null>(null)
  /** Entries that come in while it runs would push others from one page to the next. It ends with the newest of its start. */
  const exportPage = async (Page: number, Size: number) => {
    if (Page === 1) {
      const { Sort: _, ...found } = body
      newest.current = (await api.call(listJournal, { body: { ...found, Page: 1, Size: 1 } })).items[0]?.At ?? null
    }
    const until = newest.current === null ? {} : { To: newest.current + 1 }
    return api.call(listJournal, { body: { ...body, ...until, Page, Size } })
  }
  const rows = useRows(
    listJournal,
    { body: { ...body, Page: list.page, Size: list.size } },
    { fetch: () => fetchPage(list.page, list.size) },
  )
  return { list, target, rows, exportPage }
}

/** Local midnight of a day written as year-month-day; null when it is none. */
const midnight = (day: string): number | null => {
  const at = /^\d{4}-\d\d-\d\d$/.test(day) ? new Date(`${day}T00:00:00`).getTime() : Number.NaN
  return Number.isNaN(at) ? null : at
}

import type { EventGroup, EventRecord } from '@linewarden/contract'
import { listEvents } from '@linewarden/contract'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../app/net/api.ts'
import type { AlarmAddress, AlarmFilter } from './address.ts'
import type { Folded, ListRow } from './rows.ts'
import { groupId, rowsOf } from './rows.ts'
import type { useAlarmList } from './use-alarm-list.ts'
import { keyOfList } from './use-alarm-list.ts'

/** So many of what is folded are shown below their row; the others are counted. */
const maxBelow = 100

interface Head {
  readonly id: string
  readonly filter: AlarmFilter
  /** Whether an event that was found is meant: a project has events of its own beside those of its gateways. */
  readonly isMeant: (event: EventRecord) => boolean
}

/** The rows of the list, with what is folded into those that are unfolded. A list that was begun anew is folded. */
export function useUnfolded(list: ReturnType<typeof useAlarmList>, address: AlarmAddress) {
  const [state, setState] = useState<{ readonly of: string; readonly ids: ReadonlySet<string> }>({ of: list.key, ids: new Set() })
  const ids = state.of === list.key ? state.ids : new Set<string>()
  const heads = (list.heads as readonly (EventRecord | EventGroup)[]).flatMap((head): Head[] => {
    const id = 'EventID' in head ? head.EventID : groupId(head)
    return ids.has(id) ? [headOf(id, head, list.filter)] : []
  })
  const below = useQueries({
    queries: heads.map(({ id, filter }) => ({
      queryKey: keyOfList(list.key, id),
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        api.call(
          listEvents,
          { body: { ...filter, ...(list.upTo !== null && { UpTo: list.upTo }), Sort: address.sort, Size: maxBelow } },
          { signal },
        ),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 0,
    })),
  })
  const unfolded = new Map<string, Folded | null>()
  for (const [at, { id, isMeant }] of heads.entries()) {
    const data = below[at]?.data
    const events = data?.items.filter(isMeant) ?? []
    const left = data ? data.items.length - events.length : 0
    unfolded.set(id, data ? { events, total: data.total - left } : null)
  }
  const rows: readonly ListRow[] = rowsOf(list.heads, unfolded)
  return {
    rows,
    toggle(id: string) {
      const next = new Set(ids)
      if (!next.delete(id)) next.add(id)
      setState({ of: list.key, ids: next })
    },
  }
}

function headOf(id: string, head: EventRecord | EventGroup, filter: AlarmFilter): Head {
  const always = () => true
  if ('EventID' in head) {
    const { Incident } = head
    // Whatever the list is narrowed to: the children are those of the cause.
    const own: AlarmFilter = { ...(filter.Open && { Open: true }), ...(Incident && { IncidentID: Incident.IncidentID }) }
    return { id, filter: own, isMeant: always }
  }
  if (head.Key !== null) return { id, filter: { ...filter, Keys: [head.Key] }, isMeant: always }
  const place = {
    ...(head.HouseID !== null && { HouseID: head.HouseID }),
    ...(head.DeviceID !== null && { DeviceID: head.DeviceID }),
  }
  return { id, filter: { ...filter, ...place }, isMeant: ({ DeviceID }) => DeviceID === head.DeviceID }
}

import type { EventRecord, Reply } from '@linewarden/contract'
import { listEvents } from '@linewarden/contract'
import { isUnacknowledged, unacknowledgedStates } from '@linewarden/rules/alarm'
import type { InfiniteData } from '@tanstack/react-query'
import { hashKey, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { api } from '../../../app/net/api.ts'
import { keyOf } from '../../../app/net/keys.ts'
import { useLiveLink } from '../../../app/net/live-link.ts'
import { queryClient } from '../../../app/net/query-client.ts'
import { refreshSoon } from '../../../app/net/refresh-soon.ts'
import { useCall } from '../../../app/net/use-call.ts'
import type { Selection } from '../../../plant/equipment.ts'
import { pollMs } from '../../../plant/queries.ts'
import { serverNow } from '../../../ui/use-now.ts'
import { onEvent } from '../notified-events.ts'
import type { AlarmAddress, AlarmFilter } from './address.ts'
import { filterOf } from './address.ts'
import { withChanged } from './listed.ts'

type Pages = InfiniteData<Reply<typeof listEvents>, string | null>

const pageSize = 100
/** What comes in a flood is put into the list together. */
const gatherMs = 250
/** So long after an event the server is asked how many there are by now. */
const countAfterMs = 1_000
const checkMs = 60_000

/** What the list was begun with: the filter, and the moment from which a range counts back. */
interface Begun {
  readonly key: string
  readonly at: number
}

/**
 * The events of a filter as they were when the list was begun: what comes after is counted and not shown, so that nothing moves under the eye;
 * what becomes of an event that is shown is shown in its place, also where the filter would not find it any more.
 */
export function useAlarmList(address: AlarmAddress, selection: Selection) {
  const [turn, setTurn] = useState(0)
  const { event: _, fold: _fold, ...wanted } = address
  const key = hashKey([wanted, selection, turn])
  const [begun, setBegun] = useState<Begun>({ key, at: serverNow() })
  if (begun.key !== key) setBegun({ key, at: serverNow() })
  const filter = useMemo(() => filterOf(address, selection, begun.at), [address, selection, begun])
  const query = usePages(filter, address, key)
  const pages = query.data?.pages
  const events = useMemo(() => pages?.flatMap(({ items }) => items) ?? [], [pages])
  const first = query.isPlaceholderData ? undefined : pages?.[0]
  const counts = useCounts(filter, first?.about.UpTo ?? null)
  return {
    filter,
    query,
    events,
    /** Of all that match, and whether they were counted to the end; null: not known yet. */
    total: first ? { count: first.total, isExact: first.about.IsTotalExact } : null,
    upTo: first?.about.UpTo ?? null,
    ...counts,
    /** After something was done to listed events: where nothing comes live, they are read again. */
    settle: () => {
      if (useLiveLink.getState().link !== 'open') void query.refetch()
    },
    /** Begins anew, with what came since. */
    begin: useCallback(() => setTurn((before) => before + 1), []),
  }
}

function usePages(filter: AlarmFilter, { sort }: AlarmAddress, key: string) {
  const queryKey = useMemo(() => ['alarms listed', key], [key])
  useEffect(() => gatherChanges(queryKey), [queryKey])
  return useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam, signal }) => {
      // Read once more it is the same list, though others have come since.
      const upTo = queryClient.getQueryData<Pages>(queryKey)?.pages[0]?.about.UpTo
      const place = { ...(pageParam !== null && { Before: pageParam }), ...(upTo !== undefined && { UpTo: upTo }) }
      const page = await api.call(listEvents, { body: { ...filter, ...place, Sort: sort, Size: pageSize } }, { signal })
      return upTo === undefined ? page : { ...page, about: { ...page.about, UpTo: upTo } }
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ about }) => about.Next,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
}

/** Puts what becomes of listed events into the list; answers how to stop. */
function gatherChanges(queryKey: readonly unknown[]): () => void {
  const changed = new Map<string, EventRecord>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const store = () => {
    timer = undefined
    queryClient.setQueryData<Pages>(queryKey, (data) => data && { ...data, pages: withChanged(data.pages, changed) })
    changed.clear()
  }
  const stop = onEvent((event) => {
    changed.set(event.EventID, event)
    timer ??= setTimeout(store, gatherMs)
  })
  return () => {
    stop()
    clearTimeout(timer)
  }
}

/** How many came since the list was begun, and how many of the listed wait for somebody. Null: not known yet. */
function useCounts(filter: AlarmFilter, upTo: string | null) {
  const polling = useLiveLink(({ link }) => link !== 'open')
  const options = {
    enabled: upTo !== null,
    refetchInterval: polling ? pollMs : checkMs,
    placeholderData: keepPreviousData,
  } as const
  const bound = upTo ?? '0'
  const arrived = { body: { ...filter, After: bound, Size: 1 } }
  const States = (filter.States ?? unacknowledgedStates).filter(isUnacknowledged)
  const waiting = { body: { ...filter, States, UpTo: bound, Size: 1 } }
  const arrivals = useCall(listEvents, arrived, options)
  const unacknowledged = useCall(listEvents, waiting, { ...options, enabled: upTo !== null && States.length > 0 })
  const keys = hashKey([arrived, waiting])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the requests are those of their keys
  useEffect(
    () =>
      onEvent(() => {
        refreshSoon(keyOf(listEvents, arrived), countAfterMs)
        refreshSoon(keyOf(listEvents, waiting), countAfterMs)
      }),
    [keys],
  )
  const known = upTo !== null
  return {
    arrived: known && !arrivals.isPlaceholderData ? (arrivals.data?.total ?? 0) : 0,
    waiting: States.length === 0 ? 0 : known && !unacknowledged.isPlaceholderData ? (unacknowledged.data?.total ?? null) : null,
  }
}

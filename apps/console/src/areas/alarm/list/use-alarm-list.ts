import type { EventRecord, Reply } from '@linewarden/contract'
import { groupEvents, listEvents } from '@linewarden/contract'
import { isUnacknowledged, unacknowledgedStates } from '@linewarden/rules/alarm'
import type { InfiniteData } from '@tanstack/react-query'
import { hashKey, keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
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
import { filterOf, foldOf } from './address.ts'
import { withChanged } from './listed.ts'

type Pages = InfiniteData<Reply<typeof listEvents>, string | null>
/** What is kept of a list: its pages, or the events that are folded under one row. */
type Kept = Pages | { readonly items: readonly EventRecord[] } | undefined

/** All that is kept of lists: read again only by the page itself, or rows would move while they are read. */
const listKey = 'alarms listed'
export const keyOfList = (key: string, part: string): readonly unknown[] => [listKey, key, part]

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
  const { event: _, ...wanted } = address
  const key = hashKey([wanted, selection, turn])
  const [begun, setBegun] = useState<Begun>({ key, at: serverNow() })
  if (begun.key !== key) setBegun({ key, at: serverNow() })
  const filter = useMemo(() => filterOf(address, selection, begun.at), [address, selection, begun])
  const fold = foldOf(address)
  const isGrouped = fold === 'place' || fold === 'key'
  useEffect(() => gatherChanges(key), [key])
  const events = usePages(filter, address, key, !isGrouped)
  const groups = useGroups(filter, fold === 'key' ? 'key' : 'place', key, isGrouped)
  const pages = events.data?.pages
  const listed = useMemo(() => pages?.flatMap(({ items }) => items) ?? [], [pages])
  const query = isGrouped ? groups : events
  const first = isGrouped ? groups.data : pages?.[0]
  const known = query.isPlaceholderData ? undefined : first
  const upTo = known?.about.UpTo ?? null
  const mark = known?.about.Mark ?? null
  const shown = upTo === null || mark === null ? null : { UpTo: upTo, Mark: mark }
  const counts = useCounts(filter, shown)
  return {
    key,
    filter,
    query,
    /** Groups where the list is folded into them, else events. */
    heads: isGrouped ? (groups.data?.items ?? []) : listed,
    events: listed,
    /** Asks for the next page; null: there is none, or it is on its way. */
    fetchMore: !isGrouped && events.hasNextPage && !events.isFetching ? () => void events.fetchNextPage() : null,
    /** Of all that match, and whether they were counted to the end; null: not known yet. */
    total: known
      ? { count: known.total, isExact: isGrouped || ('IsTotalExact' in known.about && known.about.IsTotalExact) }
      : null,
    isGrouped,
    /** How often these were counted, where the list is that behind a figure; null: not known yet. */
    times: !isGrouped && known && 'Times' in known.about ? known.about.Times : null,
    upTo,
    /** What was the newest when it was begun; null: not known yet. */
    shown,
    ...counts,
    /** After something was done to listed events: where nothing comes live, they are read again. */
    settle: () => {
      if (useLiveLink.getState().link !== 'open') void query.refetch()
    },
    /** Begins anew, with what came since. */
    begin: useCallback(() => setTurn((before) => before + 1), []),
  }
}

function usePages(filter: AlarmFilter, { sort }: AlarmAddress, key: string, enabled: boolean) {
  const queryKey = useMemo(() => keyOfList(key, 'events'), [key])
  return useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam, signal }) => {
      // Read once more it is the same list, though others have come since.
      const begun = queryClient.getQueryData<Pages>(queryKey)?.pages[0]?.about
      const place = { ...(pageParam !== null && { Before: pageParam }), ...(begun && { UpTo: begun.UpTo }) }
      const page = await api.call(listEvents, { body: { ...filter, ...place, Sort: sort, Size: pageSize } }, { signal })
      return begun ? { ...page, about: { ...page.about, UpTo: begun.UpTo, Mark: begun.Mark } } : page
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ about }) => about.Next,
    placeholderData: keepPreviousData,
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
}

/** More groups than these nobody reads; the largest of the highest priority come first. */
const maxGroups = 200

function useGroups(filter: AlarmFilter, By: 'place' | 'key', key: string, enabled: boolean) {
  return useQuery({
    queryKey: keyOfList(key, 'groups'),
    queryFn: ({ signal }) => api.call(groupEvents, { body: { ...filter, By, Size: maxGroups } }, { signal }),
    placeholderData: keepPreviousData,
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
}

/** Puts what becomes of listed events into the list; answers how to stop. */
function gatherChanges(key: string): () => void {
  const changed = new Map<string, EventRecord>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const store = () => {
    timer = undefined
    queryClient.setQueriesData<Kept>({ queryKey: [listKey, key] }, (kept) => changedIn(kept, changed))
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

function changedIn(kept: Kept, changed: ReadonlyMap<string, EventRecord>): Kept {
  if (!kept) return kept
  if ('pages' in kept) return { ...kept, pages: kept.pages.map((page) => withChanged(page, changed)) }
  // Groups are counted by the server.
  return kept.items[0] && 'EventID' in kept.items[0] ? withChanged(kept, changed) : kept
}

/** What is on the shelf is silent: it waits for nobody, unless it is asked for. */
export const waitingFilter = (filter: AlarmFilter): AlarmFilter => ({ Shelved: false, ...filter })

/** How many came since the list was begun, and how many of the listed wait for somebody. Null: not known yet. */
function useCounts(filter: AlarmFilter, shown: { readonly UpTo: string; readonly Mark: string } | null) {
  const polling = useLiveLink(({ link }) => link !== 'open')
  const options = {
    enabled: shown !== null,
    refetchInterval: polling ? pollMs : checkMs,
    placeholderData: keepPreviousData,
  } as const
  const bound = shown ?? { UpTo: '0', Mark: '0' }
  const arrived = { body: { ...filter, After: bound.UpTo, Size: 1 } }
  const States = (filter.States ?? unacknowledgedStates).filter(isUnacknowledged)
  const waiting = { body: { ...waitingFilter(filter), States, ...bound, Size: 1 } }
  const arrivals = useCall(listEvents, arrived, options)
  const unacknowledged = useCall(listEvents, waiting, { ...options, enabled: shown !== null && States.length > 0 })
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
  const known = shown !== null
  return {
    arrived: known && !arrivals.isPlaceholderData ? (arrivals.data?.total ?? 0) : 0,
    waiting: States.length === 0 ? 0 : known && !unacknowledged.isPlaceholderData ? (unacknowledged.data?.total ?? null) : null,
  }
}

import { hashKey } from '@tanstack/react-query'
import type { Stale } from './keys.ts'
import { filtersOf } from './keys.ts'
import { queryClient, refreshNow } from './query-client.ts'

/** After so many times it is not waited for any more: an answer that hangs must not hold up the next. */
const usualWaits = 10
const due = new Set<string>()

/**
 * Reads again `ms` from now. Asked for again until then it is still once: live steps come by the hundred in a moment, and one fetch sees them
 * all. What is being fetched just then is not cut off by the next, or under a flood no answer would ever arrive; with no `maxWaits` it is:
 * where the next press acts on what is shown, the old answer is worse than a late one.
 */
export function refreshSoon(stale: Stale, ms: number, maxWaits = usualWaits): void {
  const name = hashKey([stale])
  if (due.has(name)) return
  due.add(name)
  const fetchAfter = (waits: number): void => {
    setTimeout(() => {
      if (waits < maxWaits && queryClient.isFetching(filtersOf(stale)) > 0) return fetchAfter(waits + 1)
      due.delete(name)
      void refreshNow(stale)
    }, ms)
  }
  fetchAfter(0)
}

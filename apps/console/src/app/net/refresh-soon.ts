import type { QueryKey } from '@tanstack/react-query'
import { hashKey } from '@tanstack/react-query'
import { queryClient } from './query-client.ts'

/** After so many times it is not waited for any more: an answer that hangs must not hold up the next. */
const usualWaits = 10
const due = new Set<string>()

/**
 * Fetches anew what is called so, `ms` from now. Asked for again until then it is still once: live steps come by the hundred in a moment,
 * and one fetch sees them all. What is being fetched just then is not cut off by the next, or under a flood no answer would ever arrive;
 * with no `maxWaits` it is: where the next press acts on what is shown, the old answer is worse than a late one.
 */
export function refreshSoon(queryKey: QueryKey, ms: number, maxWaits = usualWaits): void {
  const name = hashKey(queryKey)
  if (due.has(name)) return
  due.add(name)
  const fetchAfter = (waits: number): void => {
    setTimeout(() => {
      if (waits < maxWaits && queryClient.isFetching({ queryKey }) > 0) return fetchAfter(waits + 1)
      due.delete(name)
      refreshNow(queryKey)
    }, ms)
  }
  fetchAfter(0)
}

/**
 * Fetches anew what is called so, at once. What is just being fetched may have been read before, and is given up first: an invalidation
 * alone lets the first load of all go on, and its answer then counts as new.
 */
export function refreshNow(queryKey: QueryKey): void {
  void queryClient.cancelQueries({ queryKey, type: 'active' }, { silent: true })
  void queryClient.invalidateQueries({ queryKey })
}

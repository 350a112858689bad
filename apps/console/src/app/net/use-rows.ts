import type { List } from '@linewarden/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { RowsQuery } from '../../ui/query-table.tsx'
import { byServer } from '../../ui/use-now.ts'
import { messageOf } from './api.ts'
import { useFailure } from './use-failure.ts'

/**
 * A page of a list; the former page stays until the next one is there. `key` names the list and everything it depends on; `everyMs` asks
 * again for what changes by itself.
 */
export function useRows<L extends List<unknown>>(
  key: readonly unknown[],
  fetch: () => Promise<L>,
  everyMs?: number,
): RowsQuery<L['items'][number]> & { readonly data: L | undefined } {
  const query = useQuery({
    queryKey: key,
    queryFn: fetch,
    placeholderData: keepPreviousData,
    refetchInterval: everyMs ?? false,
  })
  const failure = useFailure(query)
  const { data, dataUpdatedAt, error, isFetching, refetch } = query
  const problem = failure ?? error
  return {
    // The rows of another page do not come back while one that failed is asked for again: the button would be gone from under the finger.
    data: failure ? undefined : data,
    at: byServer(dataUpdatedAt),
    isFetching,
    problem: problem && messageOf(problem),
    retry: () => void refetch(),
  }
}

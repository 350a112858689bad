import type { Call, List, Reply, Request } from '@linewarden/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { RowsQuery } from '../../ui/query-table.tsx'
import { byServer } from '../../ui/use-now.ts'
import { messageOf } from './api.ts'
import { queryOf } from './use-call.ts'
import { useFailure } from './use-failure.ts'

type ListCall = Call & Required<Pick<Call, 'datas'>>
type ItemOf<L> = L extends List<infer T> ? T : never
type RowsOf<C extends Call> = RowsQuery<ItemOf<Reply<C>>> & { readonly data: (List<ItemOf<Reply<C>>> & Reply<C>) | undefined }

/**
 * A page of a list; the former page stays until the next one is there.
 *
 * @param fetch - where the page is not simply what the call answers to the request
 * @param everyMs - asks again for what changes by itself
 */
export function useRows<const C extends ListCall>(
  target: C,
  request: Request<C>,
  { fetch, everyMs = null }: { readonly fetch?: () => Promise<Reply<C>>; readonly everyMs?: number | null } = {},
): RowsOf<C> {
  const { queryKey, queryFn } = queryOf(target, request)
  const query = useQuery<unknown>({
    queryKey,
    queryFn: fetch ?? queryFn,
    placeholderData: keepPreviousData,
    refetchInterval: everyMs ?? false,
  })
  const failure = useFailure(query)
  const { data, dataUpdatedAt, error, isFetching, refetch } = query
  const problem = failure ?? error
  return {
    // The rows of another page do not come back while one that failed is asked for again: the button would be gone from under the finger.
    data: failure ? undefined : (data as RowsOf<C>['data']),
    at: byServer(dataUpdatedAt),
    isFetching,
    problem: problem && messageOf(problem),
    retry: () => void refetch(),
  }
}

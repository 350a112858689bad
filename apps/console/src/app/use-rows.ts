import type { List } from '@linewarden/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { RowsQuery } from '../ui/query-table.tsx'
import { messageOf } from './api.ts'

/**
 * A page of a list; the former page stays until the next one is there. `key` names the list and everything it depends on; `everyMs` asks
 * again for what changes by itself.
 */
export function useRows<T>(key: readonly unknown[], fetch: () => Promise<List<T>>, everyMs?: number): RowsQuery<T> {
  const { data, isFetching, isError, error, refetch } = useQuery({
    queryKey: key,
    queryFn: fetch,
    placeholderData: keepPreviousData,
    refetchInterval: everyMs ?? false,
  })
  return { data, isFetching, problem: isError ? messageOf(error) : null, retry: () => void refetch() }
}

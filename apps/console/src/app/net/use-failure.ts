import { useState } from 'react'
import type { QueryState } from './combined-query.ts'
import { hasFailed } from './combined-query.ts'

/** Why a query has nothing to show; null: it has, or it is under way. Kept while it is asked again, until there is another answer. */
export function useFailure(query: QueryState): Error | null {
  const { error } = query
  const [lastError, setLastError] = useState(error)
  if (error !== null && error !== lastError) setLastError(error)
  return hasFailed(query) ? (error ?? lastError) : null
}

/** What of a query to show: the answer to the former question only as long as nothing says that there is none to the present one. */
export function useShown<T>(query: QueryState<T>): T | undefined {
  return useFailure(query) === null ? query.data : undefined
}

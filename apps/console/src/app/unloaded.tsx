import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { Failed, Loading } from '../ui/body-state.tsx'
import { messageOf } from './api.ts'

/**
 * What stands in the place of a query's data until it is there: that it is under way, or why it failed. A query without data that is asked
 * again forgets its error; a person who pressed the button is still told of it, and keeps the button, until there is another answer.
 */
export function Unloaded({
  query: { error, errorUpdateCount, isFetching, refetch },
}: {
  query: Pick<UseQueryResult, 'error' | 'errorUpdateCount' | 'isFetching' | 'refetch'>
}) {
  const [told, setTold] = useState(error)
  if (error !== null && error !== told) setTold(error)
  if (told === null || errorUpdateCount === 0) return <Loading />
  return <Failed message={messageOf(told)} busy={isFetching} retry={() => void refetch()} />
}

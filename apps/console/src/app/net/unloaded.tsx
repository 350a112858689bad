import { Failed, Loading } from '../../ui/body-state.tsx'
import { Outdated } from '../../ui/outdated.tsx'
import { byServer } from '../../ui/use-now.ts'
import { messageOf } from './api.ts'
import type { QueryState } from './combined-query.ts'
import { useFailure } from './use-failure.ts'

/**
 * What of a query is not there. In the place of its data: that it is under way, or why it failed; whoever pressed the button is still told of
 * that, and keeps the button, until there is another answer. Beside data that could not be fetched anew: from when it is. Else nothing.
 */
export function Unloaded({ query }: { query: QueryState }) {
  const failure = useFailure(query)
  const { data, dataUpdatedAt, error, isFetching, refetch } = query
  const retry = () => void refetch()
  if (failure) return <Failed message={messageOf(failure)} busy={isFetching} retry={retry} />
  if (data === undefined) return <Loading />
  return error && <Outdated problem={messageOf(error)} at={byServer(dataUpdatedAt)} busy={isFetching} retry={retry} />
}

/** What a page needs of a query: its data, or why there is none, or none that is newer. */
export interface QueryState<T = unknown> {
  readonly data: T | undefined
  /** By this machine's clock, in ms. */
  readonly dataUpdatedAt: number
  /** The data is the answer to the former question. */
  readonly isPlaceholderData: boolean
  /** Of a query without data it is forgotten as soon as it is asked again. */
  readonly error: Error | null
  readonly errorUpdateCount: number
  readonly isFetching: boolean
  readonly refetch: () => unknown
}

/** It was asked and failed, and since then there is still nothing to show. */
export const hasFailed = ({ data, isPlaceholderData, errorUpdateCount }: QueryState): boolean =>
  errorUpdateCount > 0 && (data === undefined || isPlaceholderData)

/**
 * Several queries that a part of a page needs all of, as one; its data is only that all of theirs is there. Those without data speak for
 * it, and asking again asks those that failed.
 */
export function combineQueries(queries: readonly QueryState[]): QueryState {
  const lacking = queries.filter(({ data }) => data === undefined)
  const speaking = lacking.length > 0 ? lacking : queries
  const failed = speaking.filter(({ error }) => error !== null)
  return {
    data: lacking.length > 0 ? undefined : true,
    dataUpdatedAt: Math.min(...(failed.length > 0 ? failed : speaking).map(({ dataUpdatedAt }) => dataUpdatedAt)),
    isPlaceholderData: false,
    error: failed[0]?.error ?? null,
    errorUpdateCount: speaking.reduce((sum, { errorUpdateCount }) => sum + errorUpdateCount, 0),
    // What is under way for the first time does not keep a person from trying the others again.
    isFetching: speaking.some(({ isFetching, errorUpdateCount }) => isFetching && errorUpdateCount > 0),
    refetch: () => {
      for (const each of failed) void each.refetch()
    },
  }
}

import type { QueryState } from './combined-query.ts'
import { hasFailed } from './combined-query.ts'
import { Unloaded } from './unloaded.tsx'

/** Beside a field to choose in: why there is nothing to choose. What is only under way is not worth a word there. */
export function NoChoice({ query }: { query: QueryState }) {
  return hasFailed(query) && <Unloaded query={query} />
}

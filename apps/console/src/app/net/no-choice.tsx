import type { Asked } from './asked.ts'
import { hasFailed } from './asked.ts'
import { Unloaded } from './unloaded.tsx'

/** Beside a field to choose in: why there is nothing to choose. What is only under way is not worth a word there. */
export function NoChoice({ query }: { query: Asked }) {
  return hasFailed(query) && <Unloaded query={query} />
}

import { CallError } from '@linewarden/client'
import { QueryClient } from '@tanstack/react-query'
import { onSessionChange } from '../session/session.ts'
import type { Stale } from './keys.ts'
import { filtersOf } from './keys.ts'
import { onTouched } from './touched.ts'

/** What was fetched from the server. A file of its own: the login page asks for nothing and does not load it. */
export const queryClient = new QueryClient({
  defaultOptions: {
    // The server may stand in the same building: it can be reached without what a browser takes for being online.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      retry: (count, error) => count < 2 && !(error instanceof CallError && error.problem.kind === 'refusal'),
      staleTime: 5_000,
      refetchOnWindowFocus: false,
    },
  },
})

/**
 * Reads again at once, and answers when what is on the page has been read. What is just being fetched may have been read before, and is given
 * up first: an invalidation alone lets the first load of all go on, and its answer then counts as new.
 */
export async function refreshNow(stale: Stale): Promise<void> {
  const filters = filtersOf(stale)
  void queryClient.cancelQueries({ ...filters, type: 'active' }, { silent: true })
  await queryClient.invalidateQueries(filters)
}

onTouched((shows) => refreshNow({ shows }))
onSessionChange(() => queryClient.clear())

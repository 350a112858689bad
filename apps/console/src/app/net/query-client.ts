import { CallError } from '@linewarden/client'
import { QueryClient } from '@tanstack/react-query'
import { onSessionChange } from '../session/session.ts'

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

onSessionChange(() => queryClient.clear())

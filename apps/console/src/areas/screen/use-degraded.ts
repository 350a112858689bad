import { CallError } from '@linewarden/client'
import { listEvents } from '@linewarden/contract'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../app/net/api.ts'

const askMs = 15_000

/** Whether the server answers and cannot do what it is for: its database is away. The live connection stands all the same, and says nothing. */
export function useDegraded(): boolean {
  const { error } = useQuery({
    queryKey: ['wall', 'does the server do its work'],
    queryFn: () => api.call(listEvents, { body: { Size: 1 } }),
    refetchInterval: askMs,
    refetchIntervalInBackground: true,
    retry: false,
  })
  return error instanceof CallError && 'status' in error.problem && (error.problem.status ?? 0) >= 500
}

import { closePermit, lineCommands, operationPermit } from '@linewarden/contract'
import type { ActionKey } from '@linewarden/equipment'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'
import { useNow } from '../../ui/use-now.ts'
import { live } from '../monitor/live-store.ts'

/** The permit as the server judges it, anew every two seconds while it is on the page: most conditions are about time. */
const usePermit = (ControllerID: string, LineNo: number) =>
  useQuery({
    queryKey: ['permit', ControllerID, LineNo],
    queryFn: () => api.call(closePermit, { params: { ControllerID, LineNo } }),
    refetchInterval: 2_000,
  })

/** A permit older than this may not be true any more; without a fresh one nothing is closed. */
const permitFreshMs = 6_000

/** The permit while it can be relied on, else null. */
export function useFreshPermit(ControllerID: string, LineNo: number) {
  const { data, dataUpdatedAt } = usePermit(ControllerID, LineNo)
  const now = useNow()
  return data && now - dataUpdatedAt < permitFreshMs ? data : null
}

/** The permit of any other operation while it can be relied on, else null. */
export function useOperationPermit(ControllerID: string, LineNo: number, attr: ActionKey) {
  const { data, dataUpdatedAt } = useQuery({
    queryKey: ['permit', ControllerID, LineNo, attr],
    queryFn: () => api.call(operationPermit, { params: { ControllerID, LineNo, attr } }),
    refetchInterval: 2_000,
  })
  const now = useNow()
  return data && now - dataUpdatedAt < permitFreshMs ? data : null
}

/** The ledger; live steps are put in as they come, and fetched again when the line's pending command changes. */
export function useCommands(ControllerID: string, LineNo: number, lineId: number) {
  useEffect(() => {
    let before = live.line(lineId)?.Pending?.CommandID
    return live.subscribeLine(lineId, () => {
      const now = live.line(lineId)?.Pending?.CommandID
      if (now === before) return
      before = now
      void queryClient.invalidateQueries({ queryKey: ['commands', ControllerID, LineNo] })
    })
  }, [ControllerID, LineNo, lineId])
  return useQuery({
    queryKey: ['commands', ControllerID, LineNo],
    queryFn: () => api.call(lineCommands, { params: { ControllerID, LineNo }, query: { Size: 5 } }),
  })
}

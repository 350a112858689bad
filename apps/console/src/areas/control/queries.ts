import type { PermitCondition } from '@linewarden/contract'
import { closePermit, lineCommands, mostPermits, operationPermit, operationPermits } from '@linewarden/contract'
import type { ActionKey } from '@linewarden/equipment'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'
import { useNow } from '../../ui/use-now.ts'
import type { PlacedLine } from '../monitor/equipment.ts'
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

/** By the clock that noted when it came: the server's may be another. Asked again with every tick. */
function useIsFresh(): (dataUpdatedAt: number) => boolean {
  useNow()
  return (dataUpdatedAt) => Date.now() - dataUpdatedAt < permitFreshMs
}

/** The permit while it can be relied on, else null. */
export function useFreshPermit(ControllerID: string, LineNo: number) {
  const { data, dataUpdatedAt } = usePermit(ControllerID, LineNo)
  return useIsFresh()(dataUpdatedAt) && data ? data : null
}

/** The permit of any other operation while it can be relied on, else null. */
export function useOperationPermit(ControllerID: string, LineNo: number, attr: ActionKey) {
  const { data, dataUpdatedAt } = useQuery({
    queryKey: ['permit', ControllerID, LineNo, attr],
    queryFn: () => api.call(operationPermit, { params: { ControllerID, LineNo, attr } }),
    refetchInterval: 2_000,
  })
  return useIsFresh()(dataUpdatedAt) && data ? data : null
}

/**
 * What stands against an operation on each of these lines, by line id, while it can be relied on. A line that is not in it: not known. Asked
 * again every three seconds while an operation is chosen.
 */
export function usePermits(
  lines: readonly PlacedLine[],
  action: ActionKey | null,
): ReadonlyMap<number, readonly PermitCondition[]> {
  const parts = Array.from({ length: Math.ceil(lines.length / mostPermits) }, (_, part) =>
    lines.slice(part * mostPermits, (part + 1) * mostPermits),
  )
  const answers = useQueries({
    queries: action === null ? [] : parts.map((part) => permitsQuery(part, action)),
  })
  const isFresh = useIsFresh()
  return new Map(
    answers.flatMap(({ data, dataUpdatedAt }, index) =>
      data && isFresh(dataUpdatedAt)
        ? (parts[index] ?? []).flatMap(({ line, device }): (readonly [number, readonly PermitCondition[]])[] => {
            const unmet = data.get(`${device.ControllerID}/${line.LineNo}`)
            return unmet ? [[line.LineID, unmet]] : []
          })
        : [],
    ),
  )
}

const permitsQuery = (part: readonly PlacedLine[], Action: ActionKey) => ({
  queryKey: ['permits', Action, part.map(({ line }) => line.LineID).join()],
  queryFn: async () => {
    const Lines = part.map(({ device, line }) => ({ ControllerID: device.ControllerID, LineNo: line.LineNo }))
    const { items } = await api.call(operationPermits, { body: { Action, Lines } })
    return new Map(items.map(({ ControllerID, LineNo, Unmet }) => [`${ControllerID}/${LineNo}`, Unmet] as const))
  },
  refetchInterval: 3_000,
})

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

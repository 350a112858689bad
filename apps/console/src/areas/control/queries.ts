import type { CommandRecord, List, PermitCondition, Reply } from '@linewarden/contract'
import { closePermit, lineCommands, lineTags, maxPermits, operationPermit, operationPermits } from '@linewarden/contract'
import type { ActionKey } from '@linewarden/equipment'
import { useQueries } from '@tanstack/react-query'
import { keyOf } from '../../app/net/keys.ts'
import { queryClient, refreshNow } from '../../app/net/query-client.ts'
import { refreshSoon } from '../../app/net/refresh-soon.ts'
import { queryOf, useCall } from '../../app/net/use-call.ts'
import type { LineRef } from '../../plant/equipment.ts'
import { pollMs } from '../../plant/queries.ts'
import { useNow } from '../../ui/use-now.ts'

/** The permit as the server evaluates it, every two seconds while it is on the page: most conditions depend on time. */
const usePermit = (ControllerID: string, LineNo: number) =>
  useCall(closePermit, { params: { ControllerID, LineNo } }, { refetchInterval: 2_000 })

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
  const params = { ControllerID, LineNo, attr }
  const { data, dataUpdatedAt } = useCall(operationPermit, { params }, { refetchInterval: 2_000 })
  return useIsFresh()(dataUpdatedAt) && data ? data : null
}

/**
 * What stands against an operation on each of these lines, by line id, while it can be relied on. A line that is not in it: not known. Asked
 * again every three seconds while an operation is chosen.
 */
export function usePermits(lines: readonly LineRef[], action: ActionKey | null): ReadonlyMap<number, readonly PermitCondition[]> {
  const parts = Array.from({ length: Math.ceil(lines.length / maxPermits) }, (_, part) =>
    lines.slice(part * maxPermits, (part + 1) * maxPermits),
  )
  const answers = useQueries({
    queries: action === null ? [] : parts.map((part) => permitsQuery(part, action)),
  })
  const isFresh = useIsFresh()
  return new Map(
    answers.flatMap(({ data, dataUpdatedAt }, index) =>
      data && isFresh(dataUpdatedAt)
        ? (parts[index] ?? []).flatMap(({ line, device }): (readonly [number, readonly PermitCondition[]])[] => {
            const blockReasons = data.get(`${device.ControllerID}/${line.LineNo}`)
            return blockReasons ? [[line.LineID, blockReasons]] : []
          })
        : [],
    ),
  )
}

function permitsQuery(part: readonly LineRef[], Action: ActionKey) {
  const Lines = part.map(({ device, line }) => ({ ControllerID: device.ControllerID, LineNo: line.LineNo }))
  return { ...queryOf(operationPermits, { body: { Action, Lines } }), select: unmetByLine, refetchInterval: 3_000 }
}

const unmetByLine = ({ items }: Reply<typeof operationPermits>) =>
  new Map(items.map(({ ControllerID, LineNo, Unmet }) => [`${ControllerID}/${LineNo}`, Unmet] as const))

const ledgerSize = 5
const commandsOf = (ControllerID: string, LineNo: number) => ({ params: { ControllerID, LineNo }, query: { Size: ledgerSize } })
/** A command moves its line in several steps within moments: the permits on the page are asked for once after them, not after each. */
export const recheckAfterMs = 250

/** The line's newest commands; each step is put in as it comes, and asked for while the live socket is away. */
export const useCommands = (ControllerID: string, LineNo: number, polling: boolean) =>
  useCall(lineCommands, commandsOf(ControllerID, LineNo), { refetchInterval: polling ? pollMs : false })

/** Each step of a command goes straight into the ledger that is on the page. */
export function putCommand(command: CommandRecord): void {
  put(command, () => command)
  const { ControllerID, LineNo } = command
  for (const permit of [closePermit, operationPermit])
    refreshSoon(keyOf(permit, { params: { ControllerID, LineNo } }), recheckAfterMs)
}

/** The tags in force on a line, then those that were. */
export const useLineTags = (ControllerID: string, LineNo: number) =>
  useCall(lineTags, { params: { ControllerID, LineNo } }, { refetchInterval: 10_000 })

/** The answer to an order. What was published live since it was given is newer, and stays. */
export const putOrdered = (command: CommandRecord): void => put(command, (known) => known ?? command)

function put(command: CommandRecord, choose: (known: CommandRecord | undefined) => CommandRecord): void {
  const { CommandID, ControllerID, LineNo } = command
  const queryKey = keyOf(lineCommands, commandsOf(ControllerID, LineNo))
  const ledger = queryClient.getQueryState(queryKey)
  if (!ledger) return
  queryClient.setQueryData<List<CommandRecord>>(queryKey, (before) => {
    if (!before) return before
    const known = before.items.find((each) => each.CommandID === CommandID)
    const items = [choose(known), ...before.items.filter((each) => each !== known)]
      .sort((a, b) => b.RequestedAt - a.RequestedAt)
      .slice(0, ledgerSize)
    return { items, total: items.length }
  })
  // What is just being fetched may have been read before this step; and where nothing could be fetched the step has no other place.
  if (ledger.fetchStatus !== 'idle' || ledger.data === undefined) void refreshNow(queryKey)
}

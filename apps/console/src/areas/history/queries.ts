import type { HistoryPoint, LineDetails } from '@linewarden/contract'
import { history, lineDetails } from '@linewarden/contract'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { api } from '../../app/net/api.ts'
import { keyOf } from '../../app/net/keys.ts'
import { queryOf } from '../../app/net/use-call.ts'
import type { LineRef } from '../../plant/equipment.ts'
import type { TimeRange } from './address.ts'

/** The picture's data; the former picture stays until the new one is there. */
export const useHistory = (points: readonly HistoryPoint[], { from, to }: TimeRange, width: number, compare: boolean) => {
  const body = { Points: [...points], From: from, To: to, Width: width, Compare: compare }
  return useQuery({
    queryKey: keyOf(history, { body }),
    queryFn: ({ signal }) => api.call(history, { body }, { signal }),
    enabled: points.length > 0 && width > 0,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    gcTime: 60_000,
  })
}

/** The settings of the lines, by line: limits are drawn from them. Whoever may not see them sees no limits. */
export function useSettings(lines: readonly LineRef[]): ReadonlyMap<number, LineDetails['Settings']> {
  return useQueries({
    queries: lines.map(({ line, device }) => ({
      ...queryOf(lineDetails, { params: { ControllerID: device.ControllerID, LineNo: line.LineNo } }),
      retry: false,
      staleTime: 60_000,
    })),
    combine: settingsOf,
  })
}

const settingsOf = (
  results: readonly { readonly data?: LineDetails | undefined }[],
): ReadonlyMap<number, LineDetails['Settings']> =>
  new Map(results.flatMap(({ data }) => (data ? [[data.LineID, data.Settings] as const] : [])))

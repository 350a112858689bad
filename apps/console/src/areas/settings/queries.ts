import type { LineSettings, List, SettingChange, SettingTemplate } from '@linewarden/contract'
import { analyseStatus, queryTemplates } from '@linewarden/contract'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../app/net/api.ts'
import { keyOf } from '../../app/net/keys.ts'
import { useCall } from '../../app/net/use-call.ts'
import type { LineRef } from '../../plant/equipment.ts'

const refetchMs = 15_000

export const targetOf = ({ device, line }: LineRef) => ({ ControllerID: device.ControllerID, LineNo: line.LineNo })

/** Desired against reported of some lines. Steps of changes refresh it; the interval finds what was changed on site. */
export const useLineSettings = (lines: readonly LineRef[]) =>
  useCall(
    analyseStatus,
    { body: { Targets: lines.map(targetOf) } },
    { select: itemsOf<LineSettings>, enabled: lines.length > 0, refetchInterval: refetchMs },
  )

/** The line that a change was made on, as it stands now; null for a change of the gateway itself, which has no line. */
export const useChangedLine = ({ LineID, ControllerID, LineNo }: SettingChange) =>
  useQuery({
    // Kept by itself: it is never what was read for something else.
    queryKey: [...keyOf(analyseStatus), 'changed', LineID],
    queryFn: async (): Promise<LineSettings | null> => {
      if (ControllerID === null || LineNo === null) return null
      const { items } = await api.call(analyseStatus, { body: { Targets: [{ ControllerID, LineNo }] } })
      return items[0] ?? null
    },
    // Whether a value bypasses a protection depends on how the line is set now.
    gcTime: 0,
  })

/** Templates for one kind of equipment. */
export const useTemplates = (family: string) =>
  useCall(queryTemplates, { body: { Family: family, Size: 200 } }, { select: itemsOf<SettingTemplate>, enabled: family !== '' })

function itemsOf<T>({ items }: List<T>): readonly T[] {
  return items
}

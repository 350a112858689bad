import { isNewMessage, lineDetails, lineReadings, listEvents, snapshot, tree } from '@linewarden/contract'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../app/api.ts'
import { live, tellEvent } from './live-store.ts'

/** The 6-second poll of the specification: only while the live socket is away. */
const pollMs = 6_000

/** The actor's equipment, and how its gateways are linked: polled while the socket is away. */
export const useTree = (polling = false) =>
  useQuery({
    queryKey: ['tree'],
    queryFn: async () => {
      const mark = live.mark()
      const reply = await api.call(tree)
      const links = reply.Groups.flatMap(({ Houses }) => Houses.flatMap(({ Devices }) => Devices.map(({ Link }) => Link)))
      live.loadLinks(links, mark)
      return reply
    },
    staleTime: 60_000,
    refetchInterval: polling ? pollMs : false,
  })

/** Fills the live store; again and again while the socket is away. */
export function useSnapshot(polling: boolean) {
  return useQuery({
    queryKey: ['snapshot'],
    queryFn: async () => {
      const mark = live.mark()
      const { items } = await api.call(snapshot, { query: {} })
      live.load(items, mark)
      return items.length
    },
    refetchInterval: polling ? pollMs : false,
  })
}

/** Tells what was raised since this session last asked; while the socket was not open yet, or not any more. */
export async function fetchNewEvents(): Promise<number> {
  const reply = await api.call(isNewMessage).catch(() => null)
  for (const event of reply?.Events ?? []) tellEvent(event, true)
  return reply?.Events.length ?? 0
}

/** Events while the socket is away. Errors are silent, as the specification has it. */
export function useEventPoll(polling: boolean) {
  useQuery({
    queryKey: ['isnew'],
    queryFn: fetchNewEvents,
    enabled: polling,
    refetchInterval: pollMs,
    retry: false,
    gcTime: 0,
  })
}

export const useLineDetails = (ControllerID: string, LineNo: number) =>
  useQuery({
    queryKey: ['line', ControllerID, LineNo],
    queryFn: () => api.call(lineDetails, { params: { ControllerID, LineNo } }),
  })

export const windowMs = 15 * 60_000

/** The last fifteen minutes as stored; what comes live is appended by the chart. */
export const useLastReadings = (ControllerID: string, LineNo: number) =>
  useQuery({
    queryKey: ['readings', ControllerID, LineNo],
    queryFn: () => {
      const now = Date.now()
      return api.call(lineReadings, { params: { ControllerID, LineNo }, query: { From: now - windowMs, To: now + 60_000 } })
    },
    refetchInterval: 60_000,
  })

export const useLineEvents = (LineID: number) =>
  useQuery({ queryKey: ['events', LineID], queryFn: () => api.call(listEvents, { body: { LineID, Size: 5 } }) })

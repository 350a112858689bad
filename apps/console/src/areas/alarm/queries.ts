import type { EventRecord } from '@linewarden/contract'
import { isNewMessage, listEvents } from '@linewarden/contract'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../app/net/api.ts'
import { callWithToast } from '../../app/net/call-with-toast.ts'
import { reached } from '../../app/net/connectivity.ts'
import { keyOf } from '../../app/net/keys.ts'
import { queryClient } from '../../app/net/query-client.ts'
import { refreshSoon } from '../../app/net/refresh-soon.ts'
import { useSession } from '../../app/session/session.ts'
import { pollMs } from '../../plant/queries.ts'
import { notifyEvent } from './notified-events.ts'

/** A poll that gets no answer makes way for the next: a dead network does not refuse it, and the one under way keeps others back. */
const pollAnswerMs = 15_000

/**
 * Up to which event this tab was told. By the answers that came: other tabs poll for themselves, and the socket may tell a newer event than
 * one that it lost. Empty: the server knows better.
 */
let notifiedUpTo = ''

/** Somebody else is signed in: what they were told, the server knows. */
export function forgetNotifiedUpTo(): void {
  notifiedUpTo = ''
}

/** Tells what was raised since this tab was last told, and notes whether the server could be reached. */
export async function fetchNewEvents(): Promise<number> {
  const { token } = useSession.getState()
  const polled = await callWithToast(api.call(isNewMessage, { query: { Since: notifiedUpTo } }, { timeoutMs: pollAnswerMs }))
  reached(polled !== false)
  // What a former session was told says nothing of the present one, nor of who is signed in by now.
  if (!polled || useSession.getState().token !== token) return 0
  notifiedUpTo = polled.reply.Last
  for (const event of polled.reply.Events) {
    notifyEvent(event, true)
    refreshLineEvents(event)
  }
  return polled.reply.Events.length
}

/**
 * The specification's poll, every 6 seconds; the socket brings most events sooner. Its errors are silent: so the contract has it. A tab that
 * nobody looks at goes on: an alarm is heard from there, too.
 */
export function useEventPoll() {
  useQuery({
    queryKey: [...keyOf(isNewMessage), 'count'],
    queryFn: fetchNewEvents,
    refetchInterval: pollMs,
    refetchIntervalInBackground: true,
    retry: false,
    gcTime: 0,
  })
}

const eventsOf = (LineID: number) => ({ body: { LineID, Around: true as const, Size: 5 } })
const eventsAfterMs = 500

export const useLineEvents = (LineID: number) =>
  useQuery({
    queryKey: keyOf(listEvents, eventsOf(LineID)),
    queryFn: ({ signal }) => api.call(listEvents, eventsOf(LineID), { signal }),
  })

/** An event came. Of a flood over all the plant only what is on a line's page costs anything; one of a whole device or gateway may be. */
export function refreshLineEvents({ Kind, LineID }: EventRecord): void {
  // No list of events has notices of orders.
  if (Kind === 'order') return
  const key = LineID === null ? keyOf(listEvents) : keyOf(listEvents, eventsOf(LineID))
  if (LineID !== null && queryClient.getQueryState(key) === undefined) return
  refreshSoon(key, eventsAfterMs)
}

import type { EventRecord } from '@linewarden/contract'
import { acknowledgeEvents, acknowledgeIncident } from '@linewarden/contract'
import { create } from 'zustand'
import { api } from '../../../app/net/api.ts'
import { callWithToast } from '../../../app/net/call-with-toast.ts'
import { onSessionChange } from '../../../app/session/session.ts'
import { asShown, incidentAsShown } from '../as-shown.ts'
import { notifyRaisedAgain } from '../raised-again.ts'

/** So long a swipe can be taken back; until then nothing is sent. */
export const undoMs = 5_000

interface Pending {
  readonly event: EventRecord
  readonly timer: ReturnType<typeof setTimeout>
}

/** What was swiped away and is not sent yet, by its number. */
export const usePending = create<{ readonly pending: ReadonlyMap<string, Pending> }>(() => ({ pending: new Map() }))

/** Acknowledges an event in a while, unless that is taken back. */
export function acknowledgeSoon(event: EventRecord): void {
  if (usePending.getState().pending.has(event.EventID)) return
  const timer = setTimeout(() => send([event.EventID], false), undoMs)
  usePending.setState(({ pending }) => ({ pending: new Map(pending).set(event.EventID, { event, timer }) }))
}

export function takeBack(eventId: string): void {
  clearTimeout(usePending.getState().pending.get(eventId)?.timer)
  without([eventId])
}

/** Sends what waits, at once. `leaving`: the page goes away, and what is sent must outlive it. */
export const sendPending = (leaving: boolean): void => send([...usePending.getState().pending.keys()], leaving)

function send(ids: readonly string[], leaving: boolean): void {
  const { pending } = usePending.getState()
  const found = ids.flatMap((id) => pending.get(id) ?? [])
  if (found.length === 0) return
  for (const { timer } of found) clearTimeout(timer)
  without(ids)
  const settings = leaving ? { keepalive: true } : {}
  const alone = found.flatMap(({ event }) => (incidentAsShown(event) === null ? [event] : []))
  if (alone.length > 0) void sent(api.call(acknowledgeEvents, { body: asShown(alone) }, settings))
  for (const { event } of found) {
    const incident = incidentAsShown(event)
    if (incident) void sent(api.call(acknowledgeIncident, incident, settings))
  }
}

async function sent(call: Promise<{ readonly RaisedAgain: number }>): Promise<void> {
  const done = await callWithToast(call)
  if (done) notifyRaisedAgain(done.reply.RaisedAgain)
}

function without(ids: readonly string[]): void {
  usePending.setState(({ pending }) => {
    const left = new Map(pending)
    for (const id of ids) left.delete(id)
    return { pending: left }
  })
}

// Another person acknowledges nothing that this one has swiped.
onSessionChange(() => {
  for (const { timer } of usePending.getState().pending.values()) clearTimeout(timer)
  usePending.setState({ pending: new Map() })
})

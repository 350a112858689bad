import type { EventRecord } from '@linewarden/contract'

/** At most eight are open; beyond that the oldest close (specification section 9). */
export const mostPopUps = 8

export interface PopUpState {
  /** Newest first. */
  readonly open: readonly EventRecord[]
  /** How many were closed because too many came, since there was none. */
  readonly pushedOut: number
}

export const noPopUps: PopUpState = { open: [], pushedOut: 0 }

/** After an event: a new pop-up closes the oldest where there is no room. */
export function withEvent({ open, pushedOut }: PopUpState, event: EventRecord, isNew: boolean): PopUpState {
  const after = popUpsAfter(open, event, isNew)
  const isOpened = after.length > 0 && !open.some(({ EventID }) => EventID === after[0]?.EventID)
  return { open: after, pushedOut: isOpened && open.length === mostPopUps ? pushedOut + 1 : pushedOut }
}

/** After a person has closed one. With the last one goes what is said of those that were closed before. */
export function withoutPopUp({ open, pushedOut }: PopUpState, id: string): PopUpState {
  const left = open.filter(({ EventID }) => EventID !== id)
  return left.length === 0 ? noPopUps : { open: left, pushedOut }
}

/** The pop-ups after an event, newest first. Back-filled and journal events open none; a change of an open one replaces it where it is. */
function popUpsAfter(open: readonly EventRecord[], event: EventRecord, isNew: boolean): readonly EventRecord[] {
  if (open.some(({ EventID }) => EventID === event.EventID))
    return open.map((each) => (each.EventID === event.EventID ? event : each))
  if (!isNew || event.Historical || event.Kind === 'journal') return open
  return [event, ...open].slice(0, mostPopUps)
}

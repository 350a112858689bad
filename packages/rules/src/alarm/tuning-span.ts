import { minuteMs } from '@linewarden/equipment'

/** What happened to an alarm, in the order of its times, Unix ms. */
export interface RaiseOrReturn {
  readonly act: 'raise' | 'return'
  readonly at: number
}

/** From the one to the other, Unix ms; the end is excluded. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** Before a raise: longer than any on-delay that is counted anew. After a return: longer than one may be shown as active that is over. */
const beforeMs = 5 * minuteMs
const afterMs = 15 * minuteMs
/** Of what reports seldom also the readings before and after. */
const periods = 3

/**
 * The times in which readings can change what an alarm would have done with another timing: around each time that it was there. Every timing
 * that is offered only raises later and returns later than the present one, so at all other times nothing would have been raised.
 * `periodMs`: how often it reports.
 */
export function spansToReplay(steps: readonly RaiseOrReturn[], { from, to }: Span, periodMs: number): Span[] {
  const spans: { from: number; to: number }[] = []
  const add = (begins: number, ends: number) => {
    const seldomMs = periods * periodMs
    const span = { from: Math.max(from, begins - beforeMs - seldomMs), to: Math.min(to, ends + afterMs + seldomMs) }
    if (span.from >= span.to) return
    const last = spans.at(-1)
    if (last && span.from <= last.to) last.to = Math.max(last.to, span.to)
    else spans.push(span)
  }
  let raisedAt: number | null = null
  for (const [index, { act, at }] of steps.entries()) {
    if (act === 'raise') raisedAt ??= at
    if (act !== 'return') continue
    // Of one that began before this time only the return is known.
    add(raisedAt ?? (index === 0 ? from : at), at)
    raisedAt = null
  }
  if (raisedAt !== null) add(raisedAt, to)
  return spans
}

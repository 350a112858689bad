import { minuteMs } from '@linewarden/equipment'

/** How one attempt to hand a mail to a server ended. */
export interface Attempt {
  /** The last reply of the server that counts; null: it gave none, or the connection was lost before one. */
  readonly code: number | null
  /** The server had asked for the message (354): from here on it may have it. */
  readonly isHandedOver: boolean
}

/** What becomes of it: `later` in so many ms, and the others for ever. */
export type AfterAttempt = { readonly state: 'sent' | 'refused' | 'unknown' } | { readonly state: 'later'; readonly inMs: number }

const retryMs = [1, 5, 15, 60, 240, 24 * 60].map((minutes) => minutes * minuteMs)

/**
 * A mail that may have arrived is never sent again by itself: without a last word of the server it is `unknown`. `tries`: how many attempts there
 * were, this one counted. After the last one what was put off is refused.
 */
export function afterAttempt({ code, isHandedOver }: Attempt, tries: number): AfterAttempt {
  if (code !== null && code >= 500) return { state: 'refused' }
  if (code !== null && code < 400) return { state: isHandedOver ? 'sent' : 'refused' }
  if (code === null && isHandedOver) return { state: 'unknown' }
  const inMs = retryMs[tries - 1]
  return inMs === undefined ? { state: 'refused' } : { state: 'later', inMs }
}

/** So long one attempt may take, ms. */
export const attemptMs = 120_000
/** So long a server has an attempt, or the making of a report, to itself: longer than any of its steps takes. */
export const leaseMs = 5 * minuteMs

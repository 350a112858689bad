const hourMs = 3_600_000

/** So long a value stays back, and so much of that time must have been reported: no data never verifies. */
export interface QuietNeeds {
  readonly quietMs: number
  readonly dataShare: number
}
const alarmNeeds: QuietNeeds = { quietMs: 24 * hourMs, dataShare: 0.8 }
/** Three nights of detectors. */
const findingNeeds: QuietNeeds = { quietMs: 72 * hourMs, dataShare: 0.8 }
const linkNeeds: QuietNeeds = { quietMs: 24 * hourMs, dataShare: 0.99 }

/** What proves that an alarm was seen to: of what was away, that it is there nearly all the time. */
export const quietNeedsOf = ({ key, kind }: { readonly key: string; readonly kind: string }): QuietNeeds =>
  kind === 'warning' ? findingNeeds : /\.(?:offline|stale)$/.test(key) ? linkNeeds : alarmNeeds

/** Leakage and bad contacts show themselves only under load: so many days must have carried so much of what the line carried then. */
export const loadedDaysNeeded = 3
export const loadedShare = 0.7
export const showsUnderLoad = ({ key, kind }: { readonly key: string; readonly kind: string }): boolean =>
  kind === 'warning' && (key === 'contact' || key.startsWith('leakage.'))

/** Whether it is a protective trip, which is proved otherwise. */
export const isTripKey = (key: string): boolean => key.startsWith('trip.')

/** So long a line stays closed after a protective trip, and without another. */
export const closedMs = 24 * hourMs
export const noTripMs = 7 * 24 * hourMs
/** So much of the days without another trip must have been reported: a gateway that is away reports no trip. */
const tripDataShare = alarmNeeds.dataShare

/** What an order is proved by. */
export type Origin =
  /** An alarm that is kept no more: what it was cannot be measured, and that proves nothing. */
  | { readonly kind: 'unknown' }
  | {
      readonly kind: 'alarm'
      /** Whether the condition is there now. */
      readonly active: boolean
      /** Unix ms; null: never. */
      readonly lastRaisedAt: number | null
      readonly returnedAt: number | null
      /** What share of the time that is looked at was reported, 0..1; null: nothing is known of it. */
      readonly dataShare: number | null
      readonly needs: QuietNeeds
      /** Of what shows itself only under load: on how many days since it carried nearly as much as then. Left out: it does not matter, or is not known. */
      readonly loadedDays?: number
    }
  | {
      readonly kind: 'trip'
      readonly causeRecorded: boolean
      /** Since when the line is closed; null: it is not, or that is not known. */
      readonly closedSince: number | null
      readonly lastTripAt: number | null
      /** What share of the days without another was reported, 0..1; null: nothing is known of it. */
      readonly dataShare: number | null
    }
  | {
      /** What only a test, a health check or a patrol can see. */
      readonly kind: 'look'
      readonly by: LookedBy
      /** When it was last seen to be right, and when still wrong. Unix ms; null: never. */
      readonly passedAt: number | null
      readonly failedAt: number | null
    }

/**
 * `none`: nothing to measure. `running`: it stays quiet, not for long enough yet. `contradicted`: it is back. `noData`: long enough, and too
 * little was reported to know.
 */
export type Verification =
  | { readonly state: 'none' | 'verified' | 'contradicted' }
  | { readonly state: 'running' | 'noData'; readonly haveMs: number; readonly needMs: number; readonly missing: Missing | null }

/** Who looks at what reports nothing by itself. */
export type LookedBy = 'selfTest' | 'exam' | 'patrol'

export type Missing = 'cause' | 'closed' | 'return' | 'data' | 'load' | LookedBy

/** From when on what is reported proves anything: from processing, or from its return where that came later. */
export const verifiedFrom = (processedAt: number, returnedAt: number | null): number => Math.max(processedAt, returnedAt ?? 0)

/**
 * What share of a stretch a device that reports only what changes was at hand, 0..1: since its link came back last. `onlineSince` null: it is away
 * now, and nothing counts.
 */
export const onlineShare = (onlineSince: number | null, from: number, to: number): number | null =>
  to <= from ? null : onlineSince === null ? 0 : Math.min(1, Math.max(0, to - onlineSince) / (to - from))

/** How far the close-out of an order that was processed is proved by now. */
export function verify(origin: Origin, processedAt: number, now: number): Verification {
  if (origin.kind === 'unknown') return { state: 'noData', haveMs: 0, needMs: alarmNeeds.quietMs, missing: 'data' }
  if (origin.kind === 'look') return ofLook(origin, processedAt)
  return origin.kind === 'alarm' ? ofAlarm(origin, processedAt, now) : ofTrip(origin, processedAt, now)
}

/** The newest look decides. One from before proves nothing, whichever way it went. */
function ofLook({ by, passedAt, failedAt }: Extract<Origin, { kind: 'look' }>, processedAt: number): Verification {
  const [passed, failed] = [passedAt ?? 0, failedAt ?? 0]
  if (failed > processedAt && failed > passed) return { state: 'contradicted' }
  if (passed > processedAt) return { state: 'verified' }
  return { state: 'running', haveMs: 0, needMs: 0, missing: by }
}

function ofAlarm(origin: Extract<Origin, { kind: 'alarm' }>, processedAt: number, now: number): Verification {
  const { active, lastRaisedAt, returnedAt, dataShare, loadedDays } = origin
  const { quietMs, dataShare: minShare } = origin.needs
  if (lastRaisedAt !== null && lastRaisedAt > processedAt && lastRaisedAt <= now) return { state: 'contradicted' }
  if (active) return { state: 'running', haveMs: 0, needMs: quietMs, missing: 'return' }
  const haveMs = Math.min(quietMs, Math.max(0, now - verifiedFrom(processedAt, returnedAt)))
  const lacksData = dataShare === null || dataShare < minShare
  if (haveMs < quietMs) return { state: 'running', haveMs, needMs: quietMs, missing: lacksData && haveMs > 0 ? 'data' : null }
  if (lacksData) return { state: 'noData', haveMs, needMs: quietMs, missing: 'data' }
  const isLoaded = loadedDays === undefined || loadedDays >= loadedDaysNeeded
  return isLoaded ? { state: 'verified' } : { state: 'running', haveMs, needMs: quietMs, missing: 'load' }
}

function ofTrip(origin: Extract<Origin, { kind: 'trip' }>, processedAt: number, now: number): Verification {
  const { causeRecorded, closedSince, lastTripAt, dataShare } = origin
  if (lastTripAt !== null && lastTripAt > processedAt && lastTripAt <= now) return { state: 'contradicted' }
  const haveMs = Math.min(noTripMs, Math.max(0, now - processedAt))
  const isClosed = closedSince !== null && now - Math.max(closedSince, processedAt) >= closedMs
  const missing = !causeRecorded ? 'cause' : isClosed ? null : 'closed'
  if (missing !== null || haveMs < noTripMs) return { state: 'running', haveMs, needMs: noTripMs, missing }
  const lacksData = dataShare === null || dataShare < tripDataShare
  return lacksData ? { state: 'noData', haveMs, needMs: noTripMs, missing: 'data' } : { state: 'verified' }
}

/** A proof that was given is not taken back because less is known later: only what is back moves it. `stored`: since it was processed last. */
export const lastingProof = (stored: Verification | null, now: Verification): Verification =>
  stored?.state === 'verified' && now.state !== 'contradicted' ? stored : now

/** Whether acceptance needs the reason of an administrator. */
export const isProved = ({ state }: Verification): boolean => state === 'none' || state === 'verified'

import type { Evidence, FollowedFinding, NotEvaluatedReason, WarningLevel } from '@linewarden/rules/warning'

/** The breaker that a line was learnt of. */
export interface LearntOf {
  readonly ratedA: number | null
  readonly tripMa: number | null
  readonly model: string
}

/** What a detector said of a line at the last look; one that found nothing is `sound`. */
export type LookOutcome =
  | { readonly is: 'sound' }
  | { readonly is: 'finding'; readonly level: WarningLevel; readonly point: string | null; readonly evidence: Evidence }
  | {
      readonly is: 'notEvaluated'
      readonly reason: NotEvaluatedReason
      readonly have: number | null
      readonly need: number | null
    }

/** By detector; of one with several points the gravest finding, else sound, else why not. */
export type StoredOutcomes = Readonly<Record<string, LookOutcome>>

/** By detector and point (`contact@temperature.a`), where looks agree on something that is not raised or returned yet. */
export type StoredFollowed = Readonly<Record<string, Omit<FollowedFinding, 'open'>>>

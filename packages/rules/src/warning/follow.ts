import type { Finding, Outcome, WarningLevel } from './finding.ts'
import { isFinding, isNotEvaluated, warningLevels } from './finding.ts'

/** What is kept of one detector at one point between two daily looks. */
export interface FollowedFinding {
  /** The level of the open finding; null: none is open. */
  readonly open: WarningLevel | null
  /** Looks in a row that said otherwise than what is open, and what they agree on at least. */
  readonly agreeing: number
  readonly agreed: WarningLevel | null
}

export const nothingFollowed: FollowedFinding = { open: null, agreeing: 0, agreed: null }

/** What happens to the event: raised, brought to a graver level, found once more with the figures of this look, or returned. */
export type FindingChange =
  | { readonly kind: 'raised' | 'graver'; readonly level: WarningLevel; readonly finding: Finding }
  | { readonly kind: 'again'; readonly finding: Finding }
  | { readonly kind: 'returned' }

/** Looks without a finding that return one: a single quiet day is weather. */
const looksToReturn = 2

/**
 * Follows a detector from look to look. A level is raised when as many looks in a row as the detector asks for reached at least it, and an
 * open finding returns after two without one; what is found meanwhile is the same finding with newer figures. A look that could not evaluate
 * says nothing: it neither confirms nor returns.
 */
export function followFinding(
  followed: FollowedFinding,
  outcome: Outcome,
  looks: 1 | 2,
): { readonly followed: FollowedFinding; readonly change: FindingChange | null } {
  if (isNotEvaluated(outcome)) return { followed, change: null }
  if (!isFinding(outcome)) return quiet(followed)
  const { level } = outcome
  const again = followed.open === null ? null : ({ kind: 'again', finding: outcome } as const)
  if (followed.open !== null && rank(level) <= rank(followed.open))
    return { followed: { ...nothingFollowed, open: followed.open }, change: again }
  const agreed = followed.agreed === null || rank(level) < rank(followed.agreed) ? level : followed.agreed
  const agreeing = followed.agreed === null ? 1 : followed.agreeing + 1
  if (agreeing < looks) return { followed: { open: followed.open, agreeing, agreed }, change: again }
  return {
    // A look that was graver than what it agreed with is itself the first of the next level.
    followed: rank(level) > rank(agreed) ? { open: agreed, agreeing: 1, agreed: level } : { ...nothingFollowed, open: agreed },
    change: { kind: followed.open === null ? 'raised' : 'graver', level: agreed, finding: outcome },
  }
}

function quiet(followed: FollowedFinding): ReturnType<typeof followFinding> {
  if (followed.open === null) return { followed: nothingFollowed, change: null }
  const agreeing = followed.agreed === null ? followed.agreeing + 1 : 1
  if (agreeing < looksToReturn) return { followed: { open: followed.open, agreeing, agreed: null }, change: null }
  return { followed: nothingFollowed, change: { kind: 'returned' } }
}

const rank = (level: WarningLevel): number => warningLevels.indexOf(level)

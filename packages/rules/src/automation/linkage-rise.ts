import type { Firing } from './linkage-fold.ts'

/** By condition the instant of the value by which it came to be met, Unix ms; null: it is not met. */
export type MetBy = readonly (number | null)[]

/** What a rise came of; null: of a condition that is true it is not known since when. */
export function metBy({ truths, changes }: Pick<Firing, 'truths' | 'changes'>): MetBy | null {
  const met = truths.map((truth, index) => (truth === true ? (changes[index]?.by ?? null) : null))
  return met.some((by, index) => by === null && truths[index] === true) ? null : met
}

/**
 * Whether a rise is the one that is stored: by the same values, each of them. Where that is not known it is another, for a trip that is ordered twice
 * harms nobody, and one that is lost does.
 */
export const isSameRise = (own: MetBy | null, stored: MetBy | null): boolean =>
  own !== null && stored !== null && own.every((by, index) => by === null || by === stored[index])

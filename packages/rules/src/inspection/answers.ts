import type { Priority } from '@linewarden/equipment'
import type { AnswerResult, ChecklistItem, PhotoDemand } from './item.ts'

/** What somebody answered of an item. */
export interface Answered {
  readonly result: AnswerResult
  readonly value: number | null
  readonly choice: string | null
  readonly note: string
  readonly level: Priority | null
  readonly photos: readonly string[]
}

/** An answer with its place in a round. Whoever sends it again sends the same `rev`. */
export interface SentAnswer extends Answered {
  readonly stopId: number
  readonly itemId: string
  /** Higher than that of every answer which was known when it was made. */
  readonly rev: number
  /** What it is called among all answers. */
  readonly id: string
  /** Of which phone and person. */
  readonly source: string
  /** The ids of those answers of the item, from others, that were known when it was made. */
  readonly after: readonly string[]
}

/** What an answer says, in one way of writing: two that say the same are one, whichever phone they come from and whenever. */
export const contentOf = ({ result, value, choice, note, level, photos }: Answered): string =>
  JSON.stringify([result, value, choice, note.trim(), level, [...photos].sort()])

export type AnswerOutcome = 'held' | 'older' | 'flagged'

/** What is held of one item: the answers that nobody has replaced knowingly. */
export type CurrentAnswers<A extends SentAnswer> = readonly A[]

/** Whoever answers once more knows their own answer of before, and those of others only where the server had told them. */
const replaces = (later: SentAnswer, earlier: SentAnswer): boolean =>
  later.rev > earlier.rev && (later.source === earlier.source || later.after.includes(earlier.id))

/**
 * What is held of all answers that were ever given to an item: whatever none of them replaces. So it is the same in whatever order they come,
 * and a defect that one phone found does not go because another, that did not know of it, counted further.
 */
export const currentOf = <A extends SentAnswer>(all: readonly A[]): CurrentAnswers<A> =>
  all.filter((each) => !all.some((other) => replaces(other, each)))

/** Whether those that are held differ in what they say: somebody has to decide. */
export const isFlagged = (current: CurrentAnswers<SentAnswer>): boolean => new Set(current.map(contentOf)).size > 1

/** What became of an answer, which is among those held or no longer is. */
export const outcomeOf = (current: CurrentAnswers<SentAnswer>, isAmongThem: boolean): AnswerOutcome =>
  isAmongThem ? (isFlagged(current) ? 'flagged' : 'held') : 'older'

const worstFirst: readonly AnswerResult[] = ['defect', 'impossible', 'none', 'ok']

/** The one that counts of what is held: of several the worst, so that no defect is lost behind an ok; of equals always the same. */
export function countingAnswer<A extends SentAnswer>(current: CurrentAnswers<A>, item: ChecklistItem): A | null {
  const rankOf = (answer: A) => worstFirst.indexOf(resultOf(item, answer))
  const textOrder = (a: A, b: A) => Number(contentOf(a) > contentOf(b)) - Number(contentOf(a) < contentOf(b))
  return current.toSorted((a, b) => rankOf(a) - rankOf(b) || textOrder(a, b))[0] ?? null
}

/** What an answer comes to: a figure out of its range, or a choice that is not in order, is a defect whatever was pressed. */
export function resultOf(item: ChecklistItem, { result, value, choice }: Answered): AnswerResult {
  if (result !== 'ok') return result
  if (item.kind === 'number' && value !== null && !isInRange(item, value)) return 'defect'
  if (item.kind === 'choice' && item.choices.some(({ id, ok }) => id === choice && !ok)) return 'defect'
  return result
}

const isInRange = ({ min, max }: ChecklistItem, value: number): boolean =>
  (min === null || value >= min) && (max === null || value <= max)

/** Whether an answer can be one of an item at all. */
export const fits = (item: ChecklistItem, { value, choice }: Answered): boolean =>
  (value === null || item.kind === 'number') &&
  (choice === null || (item.kind === 'choice' && item.choices.some(({ id }) => id === choice)))

/** What an answer lacks by itself: its figure, its choice, its reason, or a photo. */
export function lackOf(item: ChecklistItem, answer: Answered, photoOn: PhotoDemand): 'answer' | 'reason' | 'photo' | null {
  const result = resultOf(item, answer)
  if (result === 'impossible') return answer.note.trim() === '' ? 'reason' : null
  if (result === 'none') return null
  if (item.kind === 'number' && answer.value === null) return 'answer'
  if (item.kind === 'choice' && answer.choice === null) return 'answer'
  const needsPhoto = item.kind === 'photo' || photoOn === 'always' || (photoOn === 'defect' && result === 'defect')
  return needsPhoto && answer.photos.length === 0 ? 'photo' : null
}

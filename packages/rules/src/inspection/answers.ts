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
  readonly rev: number
}

/** What an answer says, in one way of writing: two that say the same are one, whichever phone they come from and whenever. */
export const contentOf = ({ result, value, choice, note, level, photos }: Answered): string =>
  JSON.stringify([result, value, choice, note.trim(), level, [...photos].sort()])

export type AnswerOutcome = 'held' | 'older' | 'flagged'

/** What is held of one item: answers of its newest revision, each saying something else. In order of what they say. */
export type NewestAnswers<A extends SentAnswer> = readonly A[]

/**
 * Takes one more answer of an item: the higher revision counts, the same again is nothing new, the same revision with something else is held
 * beside it. In whatever order they come the same is held.
 */
export function mergeAnswer<A extends SentAnswer>(
  newest: NewestAnswers<A>,
  sent: A,
): { readonly newest: NewestAnswers<A>; readonly outcome: AnswerOutcome } {
  const rev = newest[0]?.rev ?? 0
  if (sent.rev < rev) return { newest, outcome: 'older' }
  if (sent.rev > rev) return { newest: [sent], outcome: 'held' }
  const content = contentOf(sent)
  if (newest.some((each) => contentOf(each) === content)) return { newest, outcome: newest.length > 1 ? 'flagged' : 'held' }
  return { newest: [...newest, sent].toSorted((a, b) => (contentOf(a) < contentOf(b) ? -1 : 1)), outcome: 'flagged' }
}

const worstFirst: readonly AnswerResult[] = ['defect', 'impossible', 'none', 'ok']

/** The one that counts of what is held: of several the worst, so that no defect is lost behind an ok. */
export function countingAnswer<A extends SentAnswer>(newest: NewestAnswers<A>, item: ChecklistItem): A | null {
  const rankOf = (answer: A) => worstFirst.indexOf(resultOf(item, answer))
  return newest.toSorted((a, b) => rankOf(a) - rankOf(b))[0] ?? null
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

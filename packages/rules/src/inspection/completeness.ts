import type { CurrentAnswers, SentAnswer } from './answers.ts'
import { countingAnswer, isFlagged, lackOf, resultOf } from './answers.ts'
import type { ChecklistItem, PhotoDemand } from './item.ts'

/** What a round asks, and what is held of it. */
export interface RoundSoFar<A extends SentAnswer> {
  readonly stops: readonly { readonly stopId: number; readonly items: readonly ChecklistItem[]; readonly isArrived: boolean }[]
  readonly photoOn: PhotoDemand
  /** By `answerKey`. */
  readonly current: ReadonlyMap<string, CurrentAnswers<A>>
  /** Hashes of photos that are here. */
  readonly photos: ReadonlySet<string>
}

export const answerKey = (stopId: number, itemId: string): string => `${stopId}/${itemId}`

export interface Missing {
  readonly stopId: number
  /** Null: the stop as a whole. */
  readonly itemId: string | null
  readonly what: 'arrival' | 'answer' | 'reason' | 'photo' | 'upload'
}

/** Everything that a round lacks before it can be finished, in the order of its route. */
export function missingOf<A extends SentAnswer>({ stops, photoOn, current, photos }: RoundSoFar<A>): readonly Missing[] {
  return stops.flatMap(({ stopId, items, isArrived }) => [
    ...(isArrived ? [] : [{ stopId, itemId: null, what: 'arrival' } as const]),
    ...items.flatMap((item): Missing[] => {
      const { id: itemId } = item
      const answers = current.get(answerKey(stopId, itemId)) ?? []
      const answer = countingAnswer(answers, item)
      if (!answer) return [{ stopId, itemId, what: 'answer' }]
      const lack = lackOf(item, answer, photoOn)
      const isUploaded = answers.every((each) => each.photos.every((hash) => photos.has(hash)))
      return [
        ...(lack ? [{ stopId, itemId, what: lack }] : []),
        ...(isUploaded ? [] : [{ stopId, itemId, what: 'upload' as const }]),
      ]
    }),
  ])
}

/** How far a round has come. */
export interface RoundProgress {
  readonly stops: number
  readonly stopsDone: number
  readonly items: number
  readonly answered: number
  readonly defects: number
  readonly impossible: number
  /** Photos that answers name and that are not here. */
  readonly photosMissing: number
  readonly flagged: number
  readonly missing: number
}

export function progressOf<A extends SentAnswer>(round: RoundSoFar<A>): RoundProgress {
  const missing = missingOf(round)
  const lacking = new Set(missing.map(({ stopId }) => stopId))
  const named = new Set<string>()
  let [items, answered, defects, impossible, flagged] = [0, 0, 0, 0, 0]
  for (const { stopId, items: asked } of round.stops)
    for (const item of asked) {
      items++
      const answers = round.current.get(answerKey(stopId, item.id)) ?? []
      const answer = countingAnswer(answers, item)
      if (!answer) continue
      for (const each of answers) for (const hash of each.photos) named.add(hash)
      answered++
      if (isFlagged(answers)) flagged++
      const result = resultOf(item, answer)
      if (result === 'defect') defects++
      if (result === 'impossible') impossible++
    }
  return {
    ...{ stops: round.stops.length, stopsDone: round.stops.length - lacking.size, items, answered, defects, impossible, flagged },
    ...{ photosMissing: [...named].filter((hash) => !round.photos.has(hash)).length, missing: missing.length },
  }
}

/** What adds up over the stops of a round. Photos do not: one may be named at two of them. */
export type StopProgress = Omit<RoundProgress, 'photosMissing'>

const summed = ['stops', 'stopsDone', 'items', 'answered', 'defects', 'impossible', 'flagged', 'missing'] as const

/** How far one stop of a round has come by itself. */
export function stopProgressOf<A extends SentAnswer>(round: RoundSoFar<A>, stop: RoundSoFar<A>['stops'][number]): StopProgress {
  const { photosMissing: _, ...own } = progressOf({ ...round, stops: [stop] })
  return own
}

/** How far a round has come, by what each of its stops came to: the same as `progressOf` of all that is held. */
export function sumProgress(stops: readonly StopProgress[], photosMissing: number): RoundProgress {
  const sum = (key: keyof StopProgress): number => stops.reduce((total, stop) => total + stop[key], 0)
  const sums = Object.fromEntries(summed.map((key) => [key, sum(key)])) as Record<keyof StopProgress, number>
  return { ...sums, photosMissing }
}

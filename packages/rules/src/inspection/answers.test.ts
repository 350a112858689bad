import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AnswerOutcome, NewestAnswers, SentAnswer } from './answers.ts'
import { contentOf, countingAnswer, fits, lackOf, mergeAnswer, resultOf } from './answers.ts'
import type { RoundSoFar } from './completeness.ts'
import { answerKey, missingOf, progressOf } from './completeness.ts'
import type { ChecklistItem } from './item.ts'
import { choice, figure, picture, yesNo } from './item-makers.ts'

const tight = yesNo('tight', '紧固', 'Tight')
const rise = figure('rise', '温差', 'Rise', { min: 0, max: 15, unit: 'K' })
const condition = choice('condition', '状况', 'Condition', [
  ['good', '良好', 'Good'],
  ['!poor', '差', 'Poor'],
])
const view = picture('view', '照片', 'Photo')

const ok: SentAnswer = {
  ...{ stopId: 1, itemId: 'tight', rev: 1, result: 'ok', value: null, choice: null, note: '', level: null, photos: [] },
}
const mergedAll = (...answers: readonly SentAnswer[]): { newest: NewestAnswers<SentAnswer>; outcomes: AnswerOutcome[] } => {
  let all: NewestAnswers<SentAnswer> = []
  const outcomes: AnswerOutcome[] = []
  for (const each of answers) {
    const merged = mergeAnswer(all, each)
    all = merged.newest
    outcomes.push(merged.outcome)
  }
  return { newest: all, outcomes }
}

describe('answers of one item', () => {
  test('the higher revision counts, whichever came first', () => {
    const later: SentAnswer = { ...ok, rev: 2, result: 'defect' }
    expect(mergedAll(ok, later)).toEqual({ newest: [later], outcomes: ['held', 'held'] })
    expect(mergedAll(later, ok)).toEqual({ newest: [later], outcomes: ['held', 'older'] })
  })

  test('the same again is nothing new', () => {
    expect(mergedAll(ok, { ...ok, note: ' ' })).toEqual({ newest: [ok], outcomes: ['held', 'held'] })
  })

  test('the same revision with something else is held beside it, and the worse one counts', () => {
    const other: SentAnswer = { ...ok, result: 'defect' }
    const both = mergedAll(ok, other)
    expect([both.newest.length, both.outcomes]).toEqual([2, ['held', 'flagged']])
    expect(countingAnswer(both.newest, tight)).toBe(other)
    expect(mergedAll(ok, other, ok).outcomes).toEqual(['held', 'flagged', 'flagged'])
  })

  test('in whatever order they come, and however often, the same is held', () => {
    const answer = fc.record({
      rev: fc.integer({ min: 1, max: 4 }),
      result: fc.constantFrom('ok' as const, 'defect' as const, 'none' as const),
      note: fc.constantFrom('', 'a'),
    })
    const arrivals = fc
      .array(answer, { minLength: 1, maxLength: 8 })
      .chain((all) =>
        fc.tuple(
          fc.constant(all),
          fc.shuffledSubarray([...all, ...all], { minLength: 2 * all.length, maxLength: 2 * all.length }),
        ),
      )
    fc.assert(
      fc.property(arrivals, ([all, shuffled]) => {
        const sent = (each: (typeof all)[number]): SentAnswer => ({ ...ok, ...each })
        const [once, again] = [mergedAll(...all.map(sent)).newest, mergedAll(...shuffled.map(sent)).newest]
        expect(again.map(contentOf)).toEqual(once.map(contentOf))
        const newest = Math.max(...all.map(({ rev }) => rev))
        const contents = new Set(all.filter(({ rev }) => rev === newest).map((each) => contentOf(sent(each))))
        expect(new Set(once.map(contentOf))).toEqual(contents)
        expect(once.every(({ rev }) => rev === newest)).toBe(true)
        const isDefect = all.some(({ rev, result }) => rev === newest && result === 'defect')
        expect(countingAnswer(once, tight)?.result === 'defect').toBe(isDefect)
      }),
      { numRuns: 10_000 },
    )
  })
})

describe('what an answer comes to', () => {
  test.each<[string, ChecklistItem, Partial<SentAnswer>, string]>([
    ['a figure at the end of its range', rise, { value: 15 }, 'ok'],
    ['a figure beyond it', rise, { value: 15.1 }, 'defect'],
    ['a figure below it', rise, { value: -0.1 }, 'defect'],
    ['a choice that is in order', condition, { choice: 'good' }, 'ok'],
    ['one that is not', condition, { choice: 'poor' }, 'defect'],
    ['what could not be looked at', rise, { result: 'impossible', value: 99 }, 'impossible'],
  ])('%s', (_, item, answer, comes) => expect(resultOf(item, { ...ok, ...answer })).toBe(comes))

  test('a figure belongs to a number, and a choice is one of those there are', () => {
    expect(fits(tight, { ...ok, value: 1 })).toBe(false)
    expect(fits(condition, { ...ok, choice: 'splendid' })).toBe(false)
    expect(fits(condition, { ...ok, choice: 'poor' })).toBe(true)
    expect(fits(tight, { ...ok, choice: 'good' })).toBe(false)
  })
})

describe('what an answer lacks', () => {
  const photos = ['a'.repeat(64)]
  test.each<[string, ChecklistItem, Partial<SentAnswer>, 'never' | 'defect' | 'always', string | null]>([
    ['nothing', tight, {}, 'never', null],
    ['its figure', rise, {}, 'never', 'answer'],
    ['its choice', condition, {}, 'never', 'answer'],
    ['the reason why it could not be looked at', tight, { result: 'impossible' }, 'always', 'reason'],
    ['nothing where the reason is given', tight, { result: 'impossible', note: '门锁' }, 'always', null],
    ['a photo, where each has one', tight, {}, 'always', 'photo'],
    ['a photo of a defect', tight, { result: 'defect' }, 'defect', 'photo'],
    ['a photo of a figure out of its range', rise, { value: 20 }, 'defect', 'photo'],
    ['no photo of what is in order', tight, {}, 'defect', null],
    ['no photo where none is taken', tight, { result: 'defect' }, 'never', null],
    ['the photo that is asked for', view, {}, 'never', 'photo'],
    ['nothing with its photo', view, { photos }, 'never', null],
    ['no photo of what is not there', view, { result: 'none' }, 'always', null],
  ])('%s', (_, item, answer, photoOn, lack) => expect(lackOf(item, { ...ok, ...answer }, photoOn)).toBe(lack))
})

describe('a round', () => {
  const hash = 'b'.repeat(64)
  const stops = [{ stopId: 1, items: [tight, rise], isArrived: true }]
  const all = new Map<string, SentAnswer[]>([
    [answerKey(1, 'tight'), [{ ...ok, result: 'defect', photos: [hash] }]],
    [answerKey(1, 'rise'), [{ ...ok, itemId: 'rise', value: 3 }]],
  ])
  const round: RoundSoFar<SentAnswer> = { stops, photoOn: 'defect', newest: all, photos: new Set([hash]) }

  test('is complete with every answer, every photo and somebody who was there', () => {
    expect(missingOf(round)).toEqual([])
    expect(progressOf(round)).toEqual({
      ...{ stops: 1, stopsDone: 1, items: 2, answered: 2, defects: 1, impossible: 0, flagged: 0, photosMissing: 0, missing: 0 },
    })
  })

  test('lacks an answer, a photo that is not here, and somebody at the stop', () => {
    const left: RoundSoFar<SentAnswer> = {
      ...{ ...round, stops: [{ stopId: 1, items: [tight, rise], isArrived: false }], photos: new Set() },
      newest: new Map([[answerKey(1, 'tight'), all.get(answerKey(1, 'tight')) ?? []]]),
    }
    expect(missingOf(left)).toEqual([
      { stopId: 1, itemId: null, what: 'arrival' },
      { stopId: 1, itemId: 'tight', what: 'upload' },
      { stopId: 1, itemId: 'rise', what: 'answer' },
    ])
    expect(progressOf(left)).toMatchObject({ stopsDone: 0, answered: 1, photosMissing: 1, missing: 3 })
  })

  test('each answer more never adds to what is missing but the photos that it names', () => {
    const results = fc.constantFrom('ok' as const, 'defect' as const, 'none' as const)
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 1, max: 3 }), results), { maxLength: 6 }), (answers) => {
        const three = [1, 2, 3].map((stopId) => ({ stopId, items: [tight], isArrived: true }))
        const answered = new Map<string, SentAnswer[]>()
        let before = missingOf({ stops: three, photoOn: 'never', newest: answered, photos: new Set() }).length
        for (const [stopId, result] of answers) {
          answered.set(answerKey(stopId, 'tight'), [{ ...ok, stopId, result }])
          const now = missingOf({ stops: three, photoOn: 'never', newest: answered, photos: new Set() }).length
          expect(now).toBeLessThanOrEqual(before)
          before = now
        }
        expect(before).toBe(3 - new Set(answers.map(([stopId]) => stopId)).size)
      }),
      { numRuns: 10_000 },
    )
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import type { SentAnswer } from './answers.ts'
import { countingAnswer, currentOf, fits, isFlagged, lackOf, outcomeOf, resultOf } from './answers.ts'
import type { RoundSoFar } from './completeness.ts'
import { answerKey, missingOf, progressOf, stopProgressOf, sumProgress } from './completeness.ts'
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
  ...{ id: '1', source: 'own', after: [] },
}
const defect: SentAnswer = { ...ok, result: 'defect' }

/** People with phones who answer, send and read what the server tells, in any interleaving: what the server stores in the end. */
interface Step {
  readonly phone: number
  readonly does: 'answer' | 'send' | 'fetch'
  readonly result: 'ok' | 'defect' | 'none'
}

function walked(steps: readonly Step[]): readonly SentAnswer[] {
  const phones = [0, 1, 2].map(() => ({ rev: 0, known: [] as readonly string[], unsent: [] as SentAnswer[] }))
  const stored: SentAnswer[] = []
  const deliver = (phone: (typeof phones)[number]) => stored.push(...phone.unsent.splice(0))
  for (const [at, { phone: no, does, result }] of steps.entries()) {
    const phone = phones[no]
    if (!phone) continue
    if (does === 'send') deliver(phone)
    if (does === 'fetch') {
      phone.known = currentOf(stored).map(({ id }) => id)
      phone.rev = Math.max(phone.rev, ...stored.map(({ rev }) => rev))
    }
    if (does === 'answer') {
      phone.rev += 1
      phone.unsent.push({ ...ok, id: `${at}`, source: `p${no}`, rev: phone.rev, result, after: phone.known })
    }
  }
  for (const phone of phones) deliver(phone)
  return stored
}

const steps = fc.array(
  fc.record({
    phone: fc.integer({ min: 0, max: 2 }),
    does: fc.constantFrom<Step['does'][]>('answer', 'answer', 'send', 'fetch'),
    result: fc.constantFrom<Step['result'][]>('ok', 'defect', 'none'),
  }),
  { maxLength: 14 },
)

describe('answers of one item', () => {
  test('a phone replaces its own answer, whichever came first', () => {
    const later: SentAnswer = { ...defect, id: '2', rev: 2 }
    expect(currentOf([ok, later])).toEqual([later])
    expect(currentOf([later, ok])).toEqual([later])
  })

  test('another phone that counted further, and did not know of a defect, does not take it away', () => {
    const other: SentAnswer = { ...ok, id: '2', source: 'other', rev: 7 }
    const current = currentOf([defect, other])
    expect([current, isFlagged(current), countingAnswer(current, tight)]).toEqual([[defect, other], true, defect])
  })

  test('one that knew of it does', () => {
    const other: SentAnswer = { ...ok, id: '2', source: 'other', rev: 2, after: [defect.id] }
    expect(currentOf([defect, other])).toEqual([other])
  })

  test('what names another as known and is not above it replaces nothing: two can never replace each other', () => {
    const other: SentAnswer = { ...ok, id: '2', source: 'other', after: [defect.id] }
    expect(currentOf([{ ...defect, after: ['2'] }, other])).toHaveLength(2)
  })

  test('the same said by two phones is held twice and flagged by nobody', () => {
    const current = currentOf([ok, { ...ok, id: '2', source: 'other', note: ' ' }])
    expect([current.length, isFlagged(current)]).toEqual([2, false])
  })

  test('in whatever order they come, and however often, the same is held and the same counts', () => {
    const orders = steps
      .map(walked)
      .chain((all) =>
        fc.tuple(
          fc.constant(all),
          fc.shuffledSubarray([...all, ...all], { minLength: 2 * all.length, maxLength: 2 * all.length }),
        ),
      )
    const ids = (answers: readonly SentAnswer[]) => [...new Set(currentOf(answers).map(({ id }) => id))].sort()
    fc.assert(
      fc.property(orders, ([all, shuffled]) => {
        expect(ids(shuffled)).toEqual(ids(all))
        const counting = (answers: readonly SentAnswer[]) => countingAnswer(currentOf(answers), tight)
        expect(counting(shuffled)?.result).toBe(counting(all)?.result)
      }),
      { numRuns: lawRuns(10_000) },
    )
  })

  test('nothing goes that nobody replaced knowingly, and a defect counts as long as it is held', () => {
    fc.assert(
      fc.property(steps.map(walked), (all) => {
        const current = currentOf(all)
        const knows = (later: SentAnswer, id: string) =>
          later.after.includes(id) || all.some((each) => each.id === id && each.source === later.source && each.rev < later.rev)
        for (const gone of all.filter((each) => !current.includes(each)))
          expect(all.some((each) => each.id !== gone.id && knows(each, gone.id))).toBe(true)
        // The newest of each phone stays, unless another phone has been told of it.
        for (const { id, source } of all) {
          const isNewest = !all.some((each) => each.source === source && Number(each.id) > Number(id))
          const isReported = all.some(({ after }) => after.includes(id))
          if (isNewest && !isReported) expect(current.map((each) => each.id)).toContain(id)
        }
        expect(current.length > 0).toBe(all.length > 0)
        expect(countingAnswer(current, tight)?.result === 'defect').toBe(current.some(({ result }) => result === 'defect'))
      }),
      { numRuns: 4_000 },
    )
  })

  test('what became of one is told by what is held', () => {
    const other: SentAnswer = { ...defect, id: '2', source: 'other' }
    expect([outcomeOf([ok], true), outcomeOf([ok, other], true), outcomeOf([ok], false)]).toEqual(['held', 'flagged', 'older'])
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
  const round: RoundSoFar<SentAnswer> = { stops, photoOn: 'defect', current: all, photos: new Set([hash]) }

  test('is complete with every answer, every photo and somebody who was there', () => {
    expect(missingOf(round)).toEqual([])
    expect(progressOf(round)).toEqual({
      ...{ stops: 1, stopsDone: 1, items: 2, answered: 2, defects: 1, impossible: 0, flagged: 0, photosMissing: 0, missing: 0 },
    })
  })

  test('lacks an answer, a photo that is not here, and somebody at the stop', () => {
    const left: RoundSoFar<SentAnswer> = {
      ...{ ...round, stops: [{ stopId: 1, items: [tight, rise], isArrived: false }], photos: new Set() },
      current: new Map([[answerKey(1, 'tight'), all.get(answerKey(1, 'tight')) ?? []]]),
    }
    expect(missingOf(left)).toEqual([
      { stopId: 1, itemId: null, what: 'arrival' },
      { stopId: 1, itemId: 'tight', what: 'upload' },
      { stopId: 1, itemId: 'rise', what: 'answer' },
    ])
    expect(progressOf(left)).toMatchObject({ stopsDone: 0, answered: 1, photosMissing: 1, missing: 3 })
  })

  test('counted stop by stop it has come as far as counted at once, whatever is held and whichever photos are here', () => {
    const items = [tight, rise, condition, view]
    const hashes = ['a', 'b', 'c'].map((letter) => letter.repeat(64))
    const answer = fc.record({
      stopId: fc.integer({ min: 1, max: 4 }),
      item: fc.constantFrom(...items),
      result: fc.constantFrom<SentAnswer['result'][]>('ok', 'defect', 'none', 'impossible'),
      value: fc.constantFrom(null, 3, 99),
      note: fc.constantFrom('', '门锁'),
      photos: fc.subarray(hashes),
    })
    const rounds = fc.record({
      answers: fc.array(answer, { maxLength: 20 }),
      arrived: fc.subarray([1, 2, 3, 4]),
      photos: fc.subarray(hashes),
      photoOn: fc.constantFrom<RoundSoFar<SentAnswer>['photoOn'][]>('never', 'defect', 'always'),
    })
    fc.assert(
      fc.property(rounds, ({ answers, arrived, photos, photoOn }) => {
        const given = Map.groupBy(
          answers.map(({ item, value, ...each }, at): SentAnswer => {
            const own = { itemId: item.id, id: `${at}`, source: `${at}`, value: item.kind === 'number' ? value : null }
            return { ...ok, ...each, ...own }
          }),
          ({ stopId, itemId }) => answerKey(stopId, itemId),
        )
        const four = [1, 2, 3, 4].map((stopId) => ({ stopId, items, isArrived: arrived.includes(stopId) }))
        const whole: RoundSoFar<SentAnswer> = { stops: four, photoOn, current: given, photos: new Set(photos) }
        const { photosMissing } = progressOf(whole)
        const each = four.map((stop) => stopProgressOf(whole, stop))
        expect(sumProgress(each, photosMissing)).toEqual(progressOf(whole))
      }),
      { numRuns: 4_000 },
    )
  })

  test('each answer more never adds to what is missing but the photos that it names', () => {
    const results = fc.constantFrom('ok' as const, 'defect' as const, 'none' as const)
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 1, max: 3 }), results), { maxLength: 6 }), (answers) => {
        const three = [1, 2, 3].map((stopId) => ({ stopId, items: [tight], isArrived: true }))
        const answered = new Map<string, SentAnswer[]>()
        let before = missingOf({ stops: three, photoOn: 'never', current: answered, photos: new Set() }).length
        for (const [stopId, result] of answers) {
          answered.set(answerKey(stopId, 'tight'), [{ ...ok, stopId, result }])
          const now = missingOf({ stops: three, photoOn: 'never', current: answered, photos: new Set() }).length
          expect(now).toBeLessThanOrEqual(before)
          before = now
        }
        expect(before).toBe(3 - new Set(answers.map(([stopId]) => stopId)).size)
      }),
      { numRuns: lawRuns(10_000) },
    )
  })
})

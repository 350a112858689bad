import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import type { Carousel, TurnPage } from './carousel.ts'
import { carouselAtStart, turned } from './carousel.ts'

const dwellMs = 20_000
const page = (key: string, more: Partial<TurnPage> = {}): TurnPage => ({ key, isEmpty: false, isAbnormal: false, ...more })

/** What is shown turn by turn. */
function turns(pages: readonly TurnPage[], count: number): readonly (string | null)[] {
  let state = carouselAtStart
  return Array.from({ length: count }, (_, turn) => {
    state = turned(state, { pages, now: turn * dwellMs, dwellMs, pinned: null })
    return state.shown
  })
}

test('pages take turns in their order, and one with nothing to say is passed over', () => {
  expect(turns([page('a'), page('b', { isEmpty: true }), page('c')], 4)).toEqual(['a', 'c', 'a', 'c'])
  expect(turns([page('a', { isEmpty: true }), page('b', { isEmpty: true })], 2)).toEqual(['a', 'a'])
  expect(turns([], 1)).toEqual([null])
})

test('a page with something abnormal comes twice as often', () => {
  const shown = turns([page('a'), page('b', { isAbnormal: true }), page('c')], 8)
  expect(['a', 'b', 'c'].map((key) => shown.filter((each) => each === key).length)).toEqual([2, 4, 2])
})

test('a page stays its time; one that has gone, or has nothing to say any more, is left at once', () => {
  const at = (state: Carousel, now: number, pages: readonly TurnPage[]) => turned(state, { pages, now, dwellMs, pinned: null })
  const both = [page('a'), page('b')]
  const first = at(carouselAtStart, 0, both)
  expect(at(first, dwellMs - 1, both)).toBe(first)
  expect(at(first, 1, [page('b')])).toMatchObject({ shown: 'b', since: 1 })
  expect(at(first, 1, [page('a', { isEmpty: true }), page('b')]).shown).toBe('b')
})

test('in any course of pages an event that calls is never left, and no page waits for more than ten rounds of all', () => {
  const pageLists = fc.uniqueArray(
    fc.record({ key: fc.constantFrom(...'abcdefgh'), isEmpty: fc.boolean(), isAbnormal: fc.boolean() }),
    { selector: ({ key }) => key, minLength: 1, maxLength: 8 },
  )
  const course = fc.array(fc.record({ pages: pageLists, call: fc.option(fc.nat(7), { freq: 3 }), forMs: fc.nat(90_000) }), {
    maxLength: 20,
  })
  fc.assert(
    fc.property(course, pageLists, (steps, last) => {
      let [state, now] = [carouselAtStart, 0]
      for (const { pages, call, forMs } of steps) {
        const pinned = call === null ? null : (pages[call % pages.length]?.key ?? null)
        now += forMs
        state = turned(state, { pages, now, dwellMs, pinned })
        if (pinned !== null) expect(state.shown).toBe(pinned)
        expect(pages.some(({ key }) => key === state.shown)).toBe(true)
      }
      // From then on nothing changes: each page has its turn.
      const speaking = last.filter(({ isEmpty }) => !isEmpty)
      const shown = new Set<string | null>()
      for (let turn = 0; turn < 10 * speaking.length; turn += 1) {
        now += dwellMs
        state = turned(state, { pages: last, now, dwellMs, pinned: null })
        shown.add(state.shown)
      }
      for (const { key } of speaking) expect(shown).toContain(key)
    }),
    { numRuns: lawRuns(300) },
  )
})

import { expect, test } from 'vitest'
import { taggedAmong, tagsOn } from './tag-counts.ts'

const counts = new Map([[1, 2]])
const known = { counts, known: true }
const unknown = { counts, known: false }

test.each([
  ['a tagged line', known, 1, 0, 2],
  ['one without tags', known, 2, 0, 0],
  ['one that may have some', unknown, 2, 0, null],
  ['one that had some when it was known last', unknown, 1, 0, 2],
  ['one on which one was hung since', known, 2, 1, 1],
  ['the same while the answer is not known', unknown, 2, 1, 1],
  ['one of which the live state knows less', known, 1, 1, 2],
])('tags of %s', (_, answer, id, newer, expected) => {
  expect(tagsOn(answer, id, newer)).toBe(expected)
})

test('lines are counted once each, and not at all while it is not known which are tagged', () => {
  expect(taggedAmong(known, [1, 1, 2])).toBe(1)
  expect(taggedAmong(unknown, [1, 2])).toBe(null)
})

import { expect, test } from 'vitest'
import type { UndoFacts } from './undo.ts'
import { changedSince } from './undo.ts'

/** 300 was set to 120, the equipment reports it, and nobody has touched it since. */
const alone: UndoFacts = { former: 300, wanted: 120, reported: 120, doubtful: false, newer: null, seen: null }

test.each<readonly [string, Partial<UndoFacts>, boolean]>([
  ['nothing since', {}, false],
  ['in single precision', { wanted: 0.1, reported: Math.fround(0.1) }, false],
  ['it stands there as before', { reported: 300 }, false],
  ['it was never reported', { reported: null }, false],
  ['something else is reported', { reported: 30 }, true],
  ['and was seen', { reported: 30, seen: 30 }, false],
  ['something else than what was seen', { reported: 50, seen: 30 }, true],
  ['another order may have set it', { doubtful: true }, true],
  ['whatever was seen', { doubtful: true, seen: 120 }, true],
  ['the same was set again by somebody', { newer: 120 }, true],
  ['the same was set again, and was seen', { newer: 120, seen: 120 }, false],
  ['what was set since was seen', { newer: 30, reported: 30, seen: 30 }, false],
  ['what was set since is not reported yet', { newer: 30, seen: 120 }, true],
])('a change is taken back: %s', (_, facts, refused) => {
  expect(changedSince({ ...alone, ...facts })).toBe(refused)
})

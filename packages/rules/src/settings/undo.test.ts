import { expect, test } from 'vitest'
import type { UndoFacts } from './undo.ts'
import { changedSince } from './undo.ts'

/** 300 was set to 120, the equipment reports it, and nobody has touched it since. */
const alone: UndoFacts = { former: 300, wanted: 120, reported: 120, unconfirmed: false, newer: null, seen: null }

const taken = (value: number) => ({ value, isVerified: true })
const perhaps = (value: number) => ({ value, isVerified: false })

test.each<readonly [string, Partial<UndoFacts>, boolean]>([
  ['nothing since', {}, false],
  ['in single precision', { wanted: 0.1, reported: Math.fround(0.1) }, false],
  ['it stands there as before', { reported: 300 }, false],
  ['it was never reported', { reported: null }, false],
  ['something else is reported', { reported: 30 }, true],
  ['and was seen', { reported: 30, seen: 30 }, false],
  ['something else than what was seen', { reported: 50, seen: 30 }, true],
  ['another order may have set it', { unconfirmed: true }, true],
  ['whatever was seen', { unconfirmed: true, seen: 120 }, true],
  ['the same was set again by somebody', { newer: taken(120) }, true],
  ['the same was set again, and was seen', { newer: taken(120), seen: 120 }, false],
  ['what was set since is reported, and was not seen', { newer: taken(30), reported: 30 }, true],
  ['what was set since is reported, and was seen', { newer: taken(30), reported: 30, seen: 30 }, false],
  ['what was set since was set otherwise on site, which was seen', { newer: taken(30), reported: 50, seen: 50 }, false],
  ['what was set since was set back on site, which was seen', { newer: taken(30), seen: 120 }, false],
  ['what was set since was seen, and not what was set on site after it', { newer: taken(30), reported: 50, seen: 30 }, true],
  ['what was set since was never reported', { newer: taken(30), reported: null, seen: null }, true],
  ['what was set since was never reported, and was seen', { newer: taken(30), reported: null, seen: 30 }, false],
  ['what may have been set since is not reported', { newer: perhaps(30), seen: 120 }, true],
  ['what may have been set since was seen', { newer: perhaps(30), reported: 30, seen: 30 }, false],
])('a change is taken back: %s', (_, facts, refused) => {
  expect(changedSince({ ...alone, ...facts })).toBe(refused)
})

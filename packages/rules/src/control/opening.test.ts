import { expect, test } from 'vitest'
import { newCause, positionStep } from './opening.ts'

test.each([
  ['a line that was seen closed opens', true, 'open', false, { seenClosed: false, opening: 'begins' }],
  ['one that nobody saw closed does not', false, 'open', false, { seenClosed: false, opening: 'goesOn' }],
  ['a birth tells of no opening', true, 'open', true, { seenClosed: false, opening: 'ends' }],
  ['a birth shows it closed', false, 'closed', true, { seenClosed: true, opening: 'ends' }],
  ['closed again, its opening is over', false, 'closed', false, { seenClosed: true, opening: 'ends' }],
  ['of an unknown position nobody knows that it opened', true, 'unknown', false, { seenClosed: false, opening: 'goesOn' }],
] as const)('%s', (_, seenClosed, value, first, step) => expect(positionStep(seenClosed, { value, first })).toEqual(step))

test.each([
  ['the first cause', null, 'leakage', 'leakage'],
  ['a cause that corrects it', 'leakage', 'short', 'short'],
  ['the same once more', 'leakage', 'leakage', null],
  ['that there was none', 'leakage', 'none', null],
  ['nothing', null, undefined, null],
] as const)('of an opening is reported: %s', (_, known, reported, cause) => expect(newCause(known, reported)).toBe(cause))

import { familyOf } from '@linewarden/equipment'
import { expect, test } from 'vitest'
import { barShare, daysTried, isStale, signOf } from './condition-facts.ts'
import { sourceChoices, sourceWords } from './source-words.ts'

const breaker = familyOf('breaker3p')
const smoke = familyOf('smoke')

const power = { Kind: 'point', Op: '>', Value: 300, Last: 150 } as const

test.each([
  ['half of the limit is half of where it stands', power, 0.4],
  ['the limit is at 80 %', { ...power, Last: 300 }, 0.8],
  ['the bar ends', { ...power, Last: 9_000 }, 1],
  ['below nought it is empty', { ...power, Last: -5 }, 0],
  ['of an unknown value there is none', { ...power, Last: null }, null],
  ['nor against nought', { ...power, Value: 0 }, null],
  ['nor of what must be equal', { ...power, Op: '=' as const }, null],
  ['nor of a state', { ...power, Kind: 'state' as const }, null],
])('%s', (_, condition, share) => expect(barShare(condition)).toBe(share))

test('a value that cannot be relied on is old, one that was never there is none', () => {
  expect(isStale({ State: 'unknown', Last: 3 })).toBe(true)
  expect(isStale({ State: 'unknown', Last: null })).toBe(false)
  expect(isStale({ State: 'false', Last: 3 })).toBe(false)
})

test('days of trying out are whole ones', () => {
  expect(daysTried({ ShadowSince: 0 }, 86_400_000 * 2.9)).toBe(2)
  expect(daysTried({ ShadowSince: null }, 1)).toBe(null)
})

test('comparisons are written as in a drawing', () => expect([signOf('>='), signOf('<='), signOf('!=')]).toEqual(['≥', '≤', '≠']))

test('every point, state and alarm of a family can be chosen, and its link', () => {
  for (const family of [breaker, smoke]) {
    if (!family) throw new Error('the catalogue has it')
    const choices = sourceChoices(family)
    expect(choices.length).toBe(family.points.length + family.states.length + family.alarms.length + 1)
  }
})

test('an alarm of one point names it, an unknown key is none', () => {
  expect(sourceWords(breaker, 'state', 'position')?.values?.map(({ zh }) => zh)).toEqual(['分闸', '合闸'])
  expect(sourceWords(breaker, 'point', 'nothing')).toBe(null)
  expect(sourceWords(null, 'link', 'link')?.values?.length).toBe(2)
})

import type { LineSettings } from '@linewarden/contract'
import { familyOf } from '@linewarden/equipment'
import { expect, test } from 'vitest'
import { compare, differingValues } from './compare.ts'

const family = familyOf('breaker1p')
if (!family) throw new Error('no such family')
const [first, second] = family.settings
if (!first || !second) throw new Error('the family has no two settings')

/** A line that reports 30 for the first setting, and has only been asked for 50 of the second. */
const line = {
  Settings: [
    { Key: first.key, Reported: 30, Desired: 40 },
    { Key: second.key, Reported: null, Desired: 50 },
  ],
} as unknown as LineSettings

const against = (values: Readonly<Record<string, number | null>>, isTemplate = false) =>
  compare(family, line, { name: 'Other', values: new Map(Object.entries(values)), isTemplate }).slice(0, 2)

test('what the line reports counts, and what is desired only where it reports nothing', () => {
  expect(against({}).map(({ own }) => own)).toEqual([30, 50])
})

test('values that are not the same differ, and only those are handed on', () => {
  const comparisons = against({ [first.key]: 30, [second.key]: 60 })
  expect(comparisons.map(({ same }) => same)).toEqual([true, false])
  expect(differingValues(comparisons)).toEqual({ [second.key]: 60 })
})

test('what another line does not tell differs, and is nothing to hand on', () => {
  const comparisons = against({ [first.key]: 30, [second.key]: null })
  expect(comparisons.map(({ same }) => same)).toEqual([true, false])
  expect(differingValues(comparisons)).toEqual({})
})

test('what a template does not name is no difference', () => {
  expect(against({ [first.key]: 30 }, true).map(({ same }) => same)).toEqual([true, true])
  expect(against({ [first.key]: 31 }, true).map(({ same }) => same)).toEqual([false, true])
})

test('without a counterpart nothing is compared', () => {
  expect(compare(family, line, null)).toEqual([])
})

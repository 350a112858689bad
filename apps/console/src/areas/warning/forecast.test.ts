import { expect, test } from 'vitest'
import { forecastOf } from './forecast.ts'

/** A contact that is noticed, is still below the limit of a warning and rises. */
const contact = {
  Event: { Key: 'contact' },
  Share: 2.6,
  Evidence: {
    Value: 10.5,
    Limit: 4,
    NextLimit: 15 as number | null,
    Unit: 'K',
    Baseline: 27,
    Spread: 0.8,
    Slope: 0.4,
    ToLimit: { Lo: 12.2, Mid: 17, Hi: 24.3, Confidence: 'medium' as 'high' | 'medium' },
    Used: 108,
    AsOf: '2026-11-23',
    RuleVersion: 3,
  },
}
const without = { ...contact, Evidence: { ...contact.Evidence, ToLimit: null } }

test('the time to the limit is an interval that holds the one that was computed, with a word', () => {
  expect(forecastOf(contact)).toEqual({ kind: 'interval', lo: 12, hi: 25, unit: 'days', confidence: 'medium' })
})

test.each([
  [30, 60, { lo: 30, hi: 60, unit: 'days' }],
  [30, 61, { lo: 4, hi: 9, unit: 'weeks' }],
  [90, 200, { lo: 2, hi: 7, unit: 'months' }],
])('%s to %s days are spoken of in a unit that fits', (Lo, Hi, interval) => {
  const Evidence = { ...contact.Evidence, ToLimit: { ...contact.Evidence.ToLimit, Lo, Hi } }
  expect(forecastOf({ ...contact, Evidence })).toEqual({ kind: 'interval', confidence: 'medium', ...interval })
})

test('what is past its limit is not extrapolated', () => {
  expect(forecastOf({ ...contact, Evidence: { ...contact.Evidence, Value: 15 } })).toEqual({ kind: 'past' })
  const single = { ...contact.Evidence, NextLimit: null }
  expect(forecastOf({ ...contact, Share: 1, Evidence: single })).toEqual({ kind: 'past' })
  expect(forecastOf({ ...contact, Share: 0.9, Evidence: single })).toMatchObject({ kind: 'interval' })
  const now = { ...contact.Evidence.ToLimit, Lo: 0, Mid: 0, Hi: 0 }
  expect(forecastOf({ ...contact, Evidence: { ...contact.Evidence, ToLimit: now } })).toEqual({ kind: 'past' })
})

test('where no time can be given the reason is', () => {
  expect(forecastOf({ ...without, Evidence: { ...without.Evidence, Slope: null } })).toEqual({ kind: 'tooEarly' })
  expect(forecastOf(without)).toEqual({ kind: 'tooWide' })
  expect(forecastOf({ ...without, Evidence: { ...without.Evidence, Slope: -0.1 } })).toEqual({ kind: 'notRising' })
  expect(forecastOf({ ...without, Event: { Key: 'arc.precursor' } })).toEqual({ kind: 'none' })
})

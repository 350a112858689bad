import { expect, test } from 'vitest'
import { eventKinds, isAlarmKind, severityRank, worstKind } from './kinds.ts'

test.each([
  [['warning', 'fault', 'alarm'], 'alarm'],
  [['warning', 'fault'], 'fault'],
  [['journal', 'warning'], 'warning'],
  [['journal', 'order'], null],
  [[], null],
])('the worst of %j is %s', (kinds, worst) => expect(worstKind(kinds)).toBe(worst))

test('an order and a journal entry are events and no alarms', () => {
  expect(eventKinds.filter((kind) => !isAlarmKind(kind))).toEqual(['order', 'journal'])
})

test('critical is worse than high, high than medium, medium than low', () => {
  expect((['low', 'critical', 'medium', 'high'] as const).toSorted((a, b) => severityRank(a) - severityRank(b))).toEqual([
    'critical',
    'high',
    'medium',
    'low',
  ])
})

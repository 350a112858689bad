import type { Priority } from '@linewarden/equipment'
import { expect, test } from 'vitest'
import { ruleCatalogue } from './rule.ts'

// What people find in the form of a rule: nothing here changes by accident. Defaults were measured on synthetic lines.
const figures: Readonly<
  Record<string, readonly [Priority, 1 | 2, Readonly<Record<string, readonly [min: number, usual: number, max: number]>>]>
> = {
  contact: [
    'high',
    2,
    {
      minCurrentShare: [0.1, 0.15, 0.5],
      minLoad: [0.03, 0.06, 0.25],
      minExcessK: [4, 8, 40],
      significance: [3, 4, 8],
      noticeK: [2, 4, 15],
      warningK: [8, 15, 40],
    },
  ],
  'arc.precursor': ['high', 1, { halfCycles: [3, 5, 9], decision: [2, 4, 10], increase: [0.5, 1.5, 5], minHours: [2, 3, 24] }],
  'leakage.step': [
    'medium',
    1,
    {
      stepShare: [0.05, 0.1, 0.5],
      minStepMa: [1, 3, 100],
      decision: [4, 5.5, 16],
      hourlyShare: [0.05, 0.15, 0.5],
      minHourlyMa: [1, 5, 100],
      hourlySpreads: [4, 6, 12],
      minSpreadMa: [0.1, 0.5, 10],
    },
  ],
  'leakage.drift': [
    'medium',
    2,
    { significance: [3, 4, 8], riseShare: [0.04, 0.08, 0.5], minRiseMa: [1, 3, 100], horizonDays: [14, 60, 365] },
  ],
  neutral: [
    'high',
    1,
    { ratio: [1.06, 1.1, 1.5], triangleShare: [0.01, 0.02, 0.05], highShare: [1.02, 1.05, 1.2], seconds: [5, 10, 60] },
  ],
  phaseLoss: [
    'high',
    1,
    { deadShare: [0.05, 0.2, 0.4], deadSeconds: [1, 3, 30], backFedShare: [0.5, 0.8, 0.9], backFedSeconds: [3, 10, 60] },
  ],
  overcurrent: ['medium', 1, { minutes: [1, 10, 120], release: [0.8, 0.95, 0.99] }],
  'load.growth': [
    'low',
    1,
    {
      significance: [1.5, 2.5, 4],
      riseShare: [0.03, 0.06, 0.5],
      fromShare: [0.3, 0.6, 0.9],
      limitShare: [0.7, 0.9, 1],
      horizonWeeks: [2, 8, 26],
    },
  ],
  unbalance: [
    'low',
    1,
    { noticePercent: [1, 2, 5], noticeMinutes: [10, 30, 240], warningPercent: [2, 4, 10], warningMinutes: [10, 10, 240] },
  ],
  'voltage.range': ['low', 2, { lowV: [176, 198, 215], highV: [225, 235.4, 264], share: [1, 5, 50] }],
  wear: ['medium', 1, { noticePercent: [30, 60, 90], warningPercent: [50, 80, 99] }],
  'release.slow': [
    'medium',
    1,
    { factor: [1.2, 1.5, 3], minSlowerMs: [10, 40, 150], warningMs: [100, 200, 290], horizonDays: [30, 90, 365] },
  ],
  'trips.often': ['medium', 1, { inDay: [2, 3, 20], inWeek: [3, 5, 50] }],
  'link.unstable': ['low', 1, { inHour: [3, 6, 60] }],
  'diagram.disagrees': ['medium', 1, { seconds: [30, 60, 3600] }],
  offline: ['low', 1, { hours: [1, 6, 168] }],
  'load.again': ['low', 1, { days: [1, 2, 3] }],
  harmonic: ['low', 1, { thdPercent: [2, 5, 12], minutes: [10, 30, 240] }],
}

test.each(ruleCatalogue.map((each) => [each.key, each] as const))('%s: priority, looks and figures', (key, declaration) => {
  const { priority, looks, parameters } = declaration
  const own = Object.entries(parameters).map(([name, { min, default: usual, max }]) => [name, [min, usual, max]])
  expect([priority, looks, Object.fromEntries(own)]).toEqual(figures[key])
})

test('there is no figure of a rule that is none', () =>
  expect(Object.keys(figures).toSorted()).toEqual(ruleCatalogue.map(({ key }) => key).toSorted()))

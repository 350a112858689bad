import type { Text } from '@linewarden/equipment'

/** By which figures lines are examined: it changes with any of them, and stands on each sheet. */
export const healthRuleVersion = '2026.2'

/** What is examined of a line, with how many points each can cost at most: 100 in all. */
export const lineWeights = { protection: 25, leakage: 20, load: 20, supply: 10, link: 10, history: 15 } as const
/** The same of a detector, which has no lines. */
export const detectorWeights = { reach: 30, test: 25, fault: 20, battery: 15, life: 10 } as const

export const healthCategories = [
  'protection',
  'leakage',
  'load',
  'supply',
  'link',
  'history',
  'reach',
  'test',
  'fault',
  'battery',
  'life',
] as const
export type HealthCategory = (typeof healthCategories)[number]

/** Where somebody mends what cost points. */
export const healthMends = ['settings', 'selfTest', 'history', 'alarms', 'warnings', 'tripCause', 'orders', 'devices'] as const
export type HealthMend = (typeof healthMends)[number]

export const healthBands = ['good', 'fair', 'poor', 'dangerous'] as const
export type HealthBand = (typeof healthBands)[number]
/** From which score on; below the last it is dangerous. */
export const bandFrom = { good: 90, fair: 75, poor: 60 } as const

export function bandOf(score: number): HealthBand {
  if (score >= bandFrom.good) return 'good'
  if (score >= bandFrom.fair) return 'fair'
  return score >= bandFrom.poor ? 'poor' : 'dangerous'
}

/** Less than this share examined, in percent, and no score is given. */
export const minHealthCoverage = 60
/** A line is no better than this while something on it may hurt somebody. */
export const healthCeiling = 59

export const healthCeilings = ['selfTest', 'danger', 'trip'] as const
export type HealthCeiling = (typeof healthCeilings)[number]

/** What cost points, as it is stored: a sheet reads the same for ever. */
export interface HealthItem {
  /** One of a line. */
  readonly key: string
  readonly category: HealthCategory
  readonly deduct: number
  /** What the line is worth more once it is mended, and nothing else is: no more than its category gives back, or a ceiling leaves. */
  readonly gain: number
  readonly value: number | null
  readonly limit: number | null
  readonly unit: string
  readonly text: Text
  /** The clause, or whose figure it is. */
  readonly source: Text
  readonly mend: HealthMend
}

/** What could not be examined, because nothing was reported of it. */
export interface HealthGap {
  readonly key: string
  readonly category: HealthCategory
  readonly text: Text
}

import type { Priority, Text } from '@linewarden/equipment'
import type { Flood, Rate } from './rate.ts'
import { floodAbove } from './rate.ts'

/** Fewer events than these say nothing as a share: they are counted, and no percentage is made of them. */
export const minForShares = 20

/** What an alarm system is measured by. Shares from 0 to 1. */
export const targets = {
  /** EEMUA 191 (3rd ed.), 13.3 and ISA-18.2:2016, table 16: windows above 10, and the most in one. */
  windowsAbove: 0.01,
  maxInWindow: floodAbove,
  /** ISA-18.2:2016, table 16 and IEC 62682:2022, 16.5: of the time. */
  floodTime: 0.01,
  /** ISA-18.2:2016, 16.5.5: the ten most frequent together, and a single one. */
  topTen: 0.05,
  single: 0.02,
  /** ISA-18.2:2016, table 16: chatter and fleeting alarms are mended whenever there are any. */
  chatter: 0,
  /** ISA-18.2:2016, table 16: stale on a day. */
  longActive: 5,
  /** EEMUA 191 (3rd ed.), 8.3 and ISA-18.2:2016, table 16. */
  mix: { lowMedium: 0.8, high: 0.15, critical: 0.05 },
} as const

/** How far critical and high may exceed their share of the mix and still be about what was aimed at. */
const mixSlack = 0.05

export const targetSources: Text = {
  zh: '目标取自 EEMUA 191、ISA-18.2、IEC 62682',
  en: 'Targets: EEMUA 191, ISA-18.2, IEC 62682',
}

/** Met, missed, or too little is known. */
export type Verdict = 'met' | 'missed' | 'unknown'

const verdict = (isMet: boolean): Verdict => (isMet ? 'met' : 'missed')

export const rateVerdict = ({ windows, many, max }: Rate): Verdict =>
  windows === 0 ? 'unknown' : verdict(max <= targets.maxInWindow && many / windows < targets.windowsAbove)

export const floodVerdict = (floods: readonly Flood[], spanMs: number): Verdict =>
  spanMs <= 0 ? 'unknown' : verdict(floodMs(floods) / spanMs < targets.floodTime)

export const floodMs = (floods: readonly Flood[]): number => floods.reduce((sum, { from, to }) => sum + to - from, 0)

/** `longActive`: how many there were at each midnight. */
export const longActiveVerdict = (longActive: readonly number[]): Verdict =>
  longActive.length === 0 ? 'unknown' : verdict(longActive.every((each) => each < targets.longActive))

export type PriorityMix = Readonly<Record<Priority, number>>

export const sumOfMix = (mix: PriorityMix): number => mix.critical + mix.high + mix.medium + mix.low

/** Missed where too much calls itself urgent: few urgent ones are no fault. */
export function mixVerdict(mix: PriorityMix): Verdict {
  const all = sumOfMix(mix)
  if (all < minForShares) return 'unknown'
  return verdict(
    mix.critical / all <= targets.mix.critical + mixSlack &&
      (mix.critical + mix.high) / all <= 1 - targets.mix.lowMedium + mixSlack,
  )
}

import { dayMs, hourMs } from '@linewarden/equipment'
import type { Params } from './detector.ts'
import { detector, parameter } from './detector.ts'
import type { Outcome } from './finding.ts'
import { evidence } from './finding.ts'

/** The protection of a line operates again and again: somebody closes it without finding out why. */
export const tripsOften = detector({
  key: 'trips.often',
  label: { zh: '频繁跳闸', en: 'Trips often' },
  priority: 'medium',
  looks: 1,
  parameters: {
    inDay: parameter('24 小时内次数', 'Within 24 h', '', [2, 3, 20], 'default of ours'),
    inWeek: parameter('7 天内次数', 'Within 7 d', '', [3, 5, 50], 'default of ours'),
  },
})

/** A gateway or a device is lost and found again and again. */
export const linkUnstable = detector({
  key: 'link.unstable',
  label: { zh: '通信不稳定', en: 'Unstable link' },
  priority: 'low',
  looks: 1,
  parameters: {
    inHour: parameter('1 小时内中断次数', 'Losses within an hour', '', [3, 6, 60], 'default of ours'),
  },
})

/** Evaluates protective trips, by their times in Unix ms. */
export const evaluateTrips = (params: Params<typeof tripsOften>, at: readonly number[], now: number): Outcome =>
  tooMany(tripsOften.key, at, now, dayMs, params.inDay) ?? tooMany(tripsOften.key, at, now, 7 * dayMs, params.inWeek)

/** Evaluates losses of a link, by their times in Unix ms. */
export const evaluateLink = (params: Params<typeof linkUnstable>, at: readonly number[], now: number): Outcome =>
  tooMany(linkUnstable.key, at, now, hourMs, params.inHour)

function tooMany(key: string, at: readonly number[], now: number, withinMs: number, limit: number): Outcome {
  const value = new Set(at.filter((each) => each > now - withinMs && each <= now)).size
  return value < limit
    ? null
    : { key, point: null, level: 'warning', evidence: evidence({ value, limit, unit: '', used: value }) }
}

import type { CampaignRecord } from '@linewarden/contract'
import { isUnderWay } from './queries.ts'

/** How many gateways a campaign has, how many have a result, and how many of those went wrong. */
export function countsOf({ Counts }: Pick<CampaignRecord, 'Counts'>): {
  readonly of: number
  readonly done: number
  readonly bad: number
} {
  const all = Object.entries(Counts)
  const sum = (some: typeof all) => some.reduce((total, [, count]) => total + count, 0)
  return { of: sum(all), done: sum(all.filter(([state]) => !isUnderWay(state))), bad: Counts.failed + Counts.unknown }
}

import type { CampaignRecord } from '@linewarden/contract'
import type { UpgradeState } from '@linewarden/rules/firmware'
import { isBad, isSettled, upgradeStates } from '@linewarden/rules/firmware'

/** How many gateways a campaign has, how many have a result, and how many of those went wrong. */
export function countsOf({ Counts }: Pick<CampaignRecord, 'Counts'>): {
  readonly of: number
  readonly done: number
  readonly bad: number
} {
  const sum = (states: readonly UpgradeState[]) => states.reduce((total, state) => total + Counts[state], 0)
  return { of: sum(upgradeStates), done: sum(upgradeStates.filter(isSettled)), bad: sum(upgradeStates.filter(isBad)) }
}

import { phaseLoss } from './phase-loss.ts'

/** Findings whose value lies below their limit: the smaller, the worse. */
const belowLimitKeys: readonly string[] = [phaseLoss.key]

/** Where a finding stands against its limit: 1 at it, the higher the worse; null: there is no limit to share. */
export function shareOfLimit(key: string, value: number, limit: number): number | null {
  const share = belowLimitKeys.includes(key) ? limit / value : value / limit
  return Number.isFinite(share) ? share : null
}

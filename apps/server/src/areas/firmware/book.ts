import { isUpgradeOpen } from '@linewarden/rules/firmware'
import type { StoredUpgrade, WholeCampaign } from '../../store/firmware/firmware-campaign.ts'
import type { Claim } from '../../store/jobs/due-work.ts'

/** A campaign that is carried here. */
export interface Run extends Omit<WholeCampaign, 'campaign'> {
  campaign: WholeCampaign['campaign']
  readonly claim: Claim
  /** Another server carries it. */
  readonly lost: AbortSignal
}

/** Campaigns that are carried here, and where each upgrade that can still change stands in them. */
export class Book {
  readonly runs = new Map<number, Run>()
  readonly places = new Map<string, { readonly run: Run; readonly index: number }>()
  readonly #open = new Map<number, Set<string>>()

  keep(run: Run): void {
    this.runs.set(run.campaign.campaignId, run)
    for (const [index, { upgradeId, gatewayId, state }] of run.upgrades.entries()) {
      if (!isUpgradeOpen(state)) continue
      this.places.set(upgradeId, { run, index })
      this.#open.set(gatewayId, (this.#open.get(gatewayId) ?? new Set()).add(upgradeId))
    }
  }

  /** It is over, or another server carries it. */
  drop(run: Run): void {
    this.runs.delete(run.campaign.campaignId)
    for (const upgrade of run.upgrades) this.forget(upgrade)
  }

  /** Nothing changes this upgrade any more. */
  forget({ upgradeId, gatewayId }: StoredUpgrade): void {
    this.places.delete(upgradeId)
    const others = this.#open.get(gatewayId)
    others?.delete(upgradeId)
    if (others?.size === 0) this.#open.delete(gatewayId)
  }

  upgradeOf(upgradeId: string): StoredUpgrade | undefined {
    const place = this.places.get(upgradeId)
    return place?.run.upgrades[place.index]
  }

  /** Upgrades of a gateway that can still change: one under way, and such whose outcome nobody learnt. */
  openOf(gatewayId: number): readonly string[] {
    return [...(this.#open.get(gatewayId) ?? [])]
  }
}

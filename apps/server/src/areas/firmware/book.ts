import { blocksAtSending, personBlocks } from '@linewarden/rules/control'
import type { LinesHold, UpgradeState } from '@linewarden/rules/firmware'
import { isUpgradeOpen, isUpgrading } from '@linewarden/rules/firmware'
import type { PlantGateway } from '../../plant/plant.ts'
import type { StoredCampaign, StoredUpgrade } from '../../store/firmware/firmware-campaign.ts'
import type { StoredImage } from '../../store/firmware/firmware-image.ts'

/** A campaign that is open, with its image and its gateways in their order. */
export interface Run {
  campaign: StoredCampaign
  readonly image: StoredImage
  readonly upgrades: StoredUpgrade[]
}

/** Campaigns that are open, and where each upgrade that can still change stands in them. */
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

  gatewayIds(): readonly number[] {
    return [...this.#open.keys()]
  }

  upgradingNow(countedAs: (upgrade: StoredUpgrade) => UpgradeState): number {
    let count = 0
    for (const { run, index } of this.places.values()) {
      const upgrade = run.upgrades[index]
      if (upgrade && isUpgrading(countedAs(upgrade))) count += 1
    }
    return count
  }
}

/**
 * A command or an order to set something under way on one of its lines is not disturbed, and nothing restarts under somebody's hands. Asked
 * often, of gateways with many lines.
 */
export function interlockOfLines(gateway: PlantGateway, beingSet: ReadonlySet<number>, now: number): LinesHold | null {
  if (beingSet.has(gateway.id)) return 'busy'
  const heldOn = (tags: readonly unknown[], inspectionUntil: number | null) => personBlocks({ tags, inspectionUntil }, 'set', now)
  let held = heldOn(gateway.ownTags, null)
  for (const device of gateway.devices.values()) {
    held = worse(held, heldOn(device.ownTags, null))
    for (const { underWay, ownTags, inspectionUntil } of device.lines.values()) {
      if (underWay.size > 0) return 'busy'
      held = worse(held, heldOn(ownTags, inspectionUntil))
    }
  }
  return held && blocksAtSending[held]
}

/** A tag stays until somebody takes it down; an inspection is over in a minute. */
const worse = (one: 'tags' | 'inspection' | null, other: typeof one): typeof one => (one === 'tags' ? one : (other ?? one))

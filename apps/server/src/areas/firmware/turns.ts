import type { Delay, UpgradeState } from '@linewarden/rules/firmware'
import { countsAs, delayOf, maxAtOnce } from '@linewarden/rules/firmware'
import type { Plant, PlantGateway } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import type { StoredCampaign, StoredUpgrade } from '../../store/firmware/firmware-campaign.ts'
import { gatewaysBeingSet } from '../../store/firmware/firmware-campaign.ts'
import { mayInstallAgain, upgradingNow } from '../../store/firmware/firmware-steps.ts'
import type { Book, Run } from './book.ts'
import type { GatewayMessages } from './gateway-messages.ts'
import { upgradeBlock } from './upgrade-block.ts'
import type { UpgradeLives } from './upgrade-lives.ts'

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly clock: () => number
}

interface Parts {
  readonly book: Book
  readonly lives: UpgradeLives
  readonly messages: GatewayMessages
}

const nothingSet: ReadonlySet<number> = new Set()

/** Offers to who waits and may; lets install who is ready and quiet. */
export class Turns {
  readonly #deps: Deps
  readonly #parts: Parts
  #upgradingNow = 0

  constructor(deps: Deps, parts: Parts) {
    this.#deps = deps
    this.#parts = parts
  }

  async give(): Promise<void> {
    const candidates = this.#candidates()
    if (candidates.length === 0) return
    const { database, plant } = this.#deps
    const beingSet = await gatewaysBeingSet(database)
    this.#upgradingNow = await upgradingNow(database)
    for (const { run, upgrade } of candidates) {
      const gateway = plant.gateways.get(upgrade.gatewayId)
      // While others had their turn its campaign may have gone to another server.
      if (!gateway || this.#parts.book.upgradeOf(upgrade.upgradeId) !== upgrade) continue
      if (upgrade.state === 'ready') await this.#letInstall(run, upgrade, gateway, beingSet)
      else if (this.#delayOf(run.campaign, upgrade, beingSet) === null) await this.#offer(run, upgrade, gateway)
    }
  }

  /** It was let install, and has not heard of it. */
  async installAgain(run: Run, gateway: PlantGateway, upgradeId: string): Promise<void> {
    const { database, clock } = this.#deps
    const { lives, messages } = this.#parts
    const permission = await mayInstallAgain(database, run.claim, gateway.id, clock())
    if (permission === 'carried elsewhere') return lives.drop(run)
    if (permission !== 'given' || upgradeBlock(gateway, nothingSet, clock()) !== null)
      await lives.fold([[upgradeId, { kind: 'notLet', at: clock() }]])
    else messages.install(gateway, upgradeId)
  }

  /** What an upgrade waits for at this moment. */
  waitsFor(upgrade: StoredUpgrade, campaign: StoredCampaign): Delay | null {
    if (upgrade.state === 'waiting') return this.#delayOf(campaign, upgrade, nothingSet)
    const gateway = upgrade.state === 'ready' ? this.#deps.plant.gateways.get(upgrade.gatewayId) : undefined
    return gateway ? upgradeBlock(gateway, nothingSet, this.#deps.clock()) : null
  }

  /** As what it counts where others take their turn. */
  countedAs({ state, gatewayId }: StoredUpgrade): UpgradeState {
    const gateway = this.#deps.plant.gateways.get(gatewayId)
    return countsAs(state, () => (gateway ? upgradeBlock(gateway, nothingSet, this.#deps.clock()) : null))
  }

  #candidates() {
    return [...this.#parts.book.places.values()].flatMap(({ run, index }) => {
      const upgrade = run.upgrades[index]
      const mayHaveTurn = upgrade?.state === 'waiting' || upgrade?.state === 'ready'
      return upgrade && mayHaveTurn && run.campaign.state === 'running' ? [{ run, upgrade }] : []
    })
  }

  async #letInstall(run: Run, upgrade: StoredUpgrade, gateway: PlantGateway, beingSet: ReadonlySet<number>): Promise<void> {
    const { lives, messages } = this.#parts
    const { clock } = this.#deps
    const isBlocked = () => upgradeBlock(gateway, beingSet, clock()) !== null
    if (isBlocked() || !messages.reaches(gateway)) return
    if ((await lives.permit(run, upgrade, 'installing')) !== 'given') return
    // Storing took time: an order that came meanwhile goes first, and a tag as long as it hangs: the gateway stays ready.
    if (isBlocked()) await lives.fold([[upgrade.upgradeId, { kind: 'notLet', at: clock() }]])
    else messages.install(gateway, upgrade.upgradeId)
  }

  async #offer(run: Run, upgrade: StoredUpgrade, gateway: PlantGateway): Promise<void> {
    const permission = await this.#parts.lives.permit(run, upgrade, 'offered')
    if (permission === 'given') {
      this.#upgradingNow += 1
      this.#parts.messages.offer(gateway, upgrade.upgradeId, run.image)
    } else if (permission === 'many at once') this.#upgradingNow = maxAtOnce
  }

  #delayOf(
    { state, ends, stage }: StoredCampaign,
    { gatewayId, position }: StoredUpgrade,
    beingSet: ReadonlySet<number>,
  ): Delay | null {
    const { plant, clock } = this.#deps
    const gateway = plant.gateways.get(gatewayId)
    return delayOf({
      running: state === 'running',
      opened: position < (ends[stage] ?? 0),
      reachable: gateway !== undefined && this.#parts.messages.reaches(gateway),
      block: () => (gateway ? upgradeBlock(gateway, beingSet, clock()) : null),
      upgradingNow: this.#upgradingNow,
    })
  }
}

import type { List, projectUpgradeOutcomes, Reply, UpgradeRecord } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import { isSettled, versionStatus } from '@linewarden/rules/firmware'
import type { Actor } from '../../access/actor.ts'
import type { Plant, PlantGateway, PlantProject } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import { lastUpgrades } from '../../store/firmware/firmware-list.ts'
import type { Campaigns } from './campaigns.ts'
import type { Images } from './images.ts'
import { upgradeRecord } from './records.ts'
import type { Rollout } from './rollout.ts'

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly images: Images
  readonly campaigns: Campaigns
  readonly rollout: Rollout
}

type Outcome = Reply<typeof projectUpgradeOutcomes>['items'][number]

/** What a gateway runs, and what became of its last upgrade. */
export class GatewayFirmware {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  async versionOf(gateway: PlantGateway) {
    const latest = await this.#deps.images.latest(gateway.model)
    const [last = null] = await this.#lastOf([gateway])
    return {
      DeviceID: gateway.id,
      Model: gateway.model,
      Version: gateway.firmware,
      ReportedAt: gateway.firmwareAt,
      Latest: latest && { ImageID: latest.imageId, Version: latest.version, Notes: latest.notes },
      Standing: latest ? versionStatus(gateway.firmware, latest.version) : ('unknown' as const),
      Upgrade: last,
    }
  }

  async upgrade(actor: Actor, gateway: PlantGateway, imageId: number | null, reason: string): Promise<UpgradeRecord> {
    const { images, campaigns } = this.#deps
    const image = imageId === null ? await images.latest(gateway.model) : await images.ready(imageId)
    if (!image) throw new Refusal('firmware none newer')
    await campaigns.startOne(actor, gateway, image, reason)
    const [last] = await this.#lastOf([gateway])
    if (!last) throw new Refusal('gateway not exists')
    return last
  }

  async statusOf(actor: Actor, project: PlantProject): Promise<List<UpgradeRecord>> {
    const items = (await this.#lastIn(actor, project)).filter(({ State }) => !isSettled(State))
    return { items, total: items.length }
  }

  async outcomesOf(actor: Actor, project: PlantProject): Promise<List<Outcome>> {
    const items = (await this.#lastIn(actor, project)).flatMap((each): Outcome[] => {
      const Outcome = outcomeWords[each.State]
      if (Outcome === null) return []
      const { DeviceID, GatewayName, Why, Former } = each
      const facts = { DeviceID, Number: each.Number, GatewayName, Why, Former }
      return [{ ...facts, Outcome, Target: each.Version, Version: each.Firmware, At: each.Since }]
    })
    return { items, total: items.length }
  }

  #lastIn(actor: Actor, project: PlantProject): Promise<UpgradeRecord[]> {
    const { gateways } = this.#deps.plant
    return this.#lastOf([...gateways.values()].filter((gateway) => gateway.project === project && actor.seesGateway(gateway)))
  }

  async #lastOf(gateways: readonly PlantGateway[]): Promise<UpgradeRecord[]> {
    const { database, plant, rollout } = this.#deps
    const ids = gateways.map(({ id }) => id)
    return (await lastUpgrades(database, ids)).flatMap((each) => upgradeRecord(each, plant, rollout) ?? [])
  }
}

const outcomeWords: Readonly<Record<UpgradeRecord['State'], Outcome['Outcome'] | null>> = {
  waiting: null,
  offered: null,
  downloading: null,
  ready: null,
  installing: null,
  success: 'success',
  failed: 'failed',
  alreadyLatest: 'already latest',
  currentNewer: 'current newer',
  unknown: 'unknown',
  cancelled: 'cancelled',
}

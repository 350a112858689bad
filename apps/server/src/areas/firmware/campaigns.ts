import { randomUUID } from 'node:crypto'
import type { CampaignRecord, campaignUpgrades, List, startCampaign, UpgradeRecord } from '@linewarden/contract'
import { about, aboutNothing, Refusal, type Request } from '@linewarden/contract'
import type { CampaignAct, Stage } from '@linewarden/rules/firmware'
import { newUpgrade, stageEnds, versionStatus } from '@linewarden/rules/firmware'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import type { Plant, PlantGateway } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import type { StoredCampaign } from '../../store/firmware/firmware-campaign.ts'
import { gatewaysUpgrading, insertCampaign } from '../../store/firmware/firmware-campaign.ts'
import type { StoredImage } from '../../store/firmware/firmware-image.ts'
import * as stored from '../../store/firmware/firmware-list.ts'
import type { Holder } from '../../store/jobs/due-work.ts'
import type { Images } from './images.ts'
import { campaignRecord, gatewayFacts, upgradeRecord } from './records.ts'
import type { Rollout } from './rollout.ts'

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly runner: { readonly holder: Holder }
  readonly images: Images
  readonly rollout: Rollout
  readonly clock: () => number
}

interface Plan {
  readonly stages: readonly Stage[]
  readonly failureLimit: number
  readonly reason: string
}

/** Staged campaigns: whom they are for, how they are begun and steered, and what became of each gateway. */
export class Campaigns {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  async candidates(actor: Actor, imageId: number) {
    const { database, plant, images } = this.#deps
    const image = await images.byId(imageId)
    const upgrading = await gatewaysUpgrading(database)
    const items = [...plant.gateways.values()]
      .filter((gateway) => gateway.model === image.model && actor.seesGateway(gateway))
      .map((gateway) => ({
        ...gatewayFacts(gateway),
        Standing: versionStatus(gateway.firmware, image.version),
        Upgrading: upgrading.has(gateway.id),
      }))
    return { items, total: items.length }
  }

  async start(actor: Actor, order: Request<typeof startCampaign>['body']): Promise<CampaignRecord> {
    const image = await this.#deps.images.ready(order.ImageID)
    const gateways = this.#chosen(actor, order, image)
    const stages = order.Stages.map(({ Kind, Amount }): Stage => ({ kind: Kind, amount: Amount }))
    const plan = { stages, failureLimit: order.FailureLimit, reason: order.Reason.trim() }
    const { campaignId } = await this.#begin(actor, image, gateways, plan)
    return this.details(campaignId)
  }

  /** A campaign of one. */
  async startOne(actor: Actor, gateway: PlantGateway, image: StoredImage, reason: string): Promise<void> {
    refuseOtherModel(gateway, image)
    await this.#begin(actor, image, [gateway], { stages: [], failureLimit: 100, reason })
  }

  async steer(actor: Actor, campaignId: number, act: CampaignAct): Promise<CampaignRecord> {
    await this.details(campaignId)
    const audit = { ...by(actor, this.#deps.clock(), `firmware.${act}`, actor.tenant), subject: about('campaign', campaignId) }
    if (!(await this.#deps.rollout.steer(campaignId, act, audit))) throw new Refusal('campaign ended')
    return this.details(campaignId)
  }

  async list({ Page = 1, Size = 10 }: { readonly Page?: number; readonly Size?: number }): Promise<List<CampaignRecord>> {
    const page = { campaignId: null, offset: (Page - 1) * Size, limit: Size }
    const { rows, total } = await stored.listCampaigns(this.#deps.database, page)
    return { items: rows.map(campaignRecord), total }
  }

  async details(campaignId: number): Promise<CampaignRecord> {
    const { rows } = await stored.listCampaigns(this.#deps.database, { campaignId, offset: 0, limit: 1 })
    if (!rows[0]) throw new Refusal('campaign not exists')
    return campaignRecord(rows[0])
  }

  async upgrades(campaignId: number, body: Request<typeof campaignUpgrades>['body']): Promise<List<UpgradeRecord>> {
    const { database, plant, rollout } = this.#deps
    await this.details(campaignId)
    const { State = null, Page = 1, Size = 10 } = body
    const page = { state: State, offset: (Page - 1) * Size, limit: Size }
    const { rows, total } = await stored.upgradesOfCampaign(database, campaignId, page)
    return { items: rows.flatMap((row) => upgradeRecord(row, plant, rollout) ?? []), total }
  }

  /** Who is named must fit; of a project those that fit are taken. */
  #chosen(actor: Actor, { Gateways, Projects }: Request<typeof startCampaign>['body'], image: StoredImage): PlantGateway[] {
    const { plant } = this.#deps
    const named = Gateways.map((id) => {
      const gateway = plant.gateways.get(id)
      if (!gateway || !actor.seesGateway(gateway)) throw new Refusal('gateway not exists')
      refuseOtherModel(gateway, image)
      return gateway
    })
    const projects = new Set(Projects)
    for (const id of projects) if (!plant.projects.has(id) || !actor.sees(id)) throw new Refusal('project not exists')
    const within = [...plant.gateways.values()].filter(({ model, project }) => model === image.model && projects.has(project.id))
    return [...new Set([...named, ...within])]
  }

  async #begin(actor: Actor, image: StoredImage, gateways: readonly PlantGateway[], plan: Plan): Promise<StoredCampaign> {
    const { database, plant, runner, rollout, clock } = this.#deps
    if (gateways.length === 0) throw new Refusal('no gateways chosen')
    const at = clock()
    // The first stage is to show whether the image works: who can be reached comes first.
    const ordered = gateways.toSorted((a, b) => Number(b.link === 'online') - Number(a.link === 'online') || a.id - b.id)
    const made = await insertCampaign(
      database,
      {
        imageId: image.imageId,
        reason: plan.reason,
        ends: stageEnds(plan.stages, ordered.length),
        stage: 0,
        failureLimit: plan.failureLimit,
        forgiven: 0,
        startedBy: actor.userName,
        startedAt: at,
      },
      ordered.map((gateway, position) => ({
        upgradeId: randomUUID(),
        gatewayId: gateway.id,
        position,
        former: gateway.firmware,
        ...newUpgrade(gateway.firmware, image.version, at),
      })),
      startAudit(actor, image, ordered, plan, at),
      runner.holder,
    )
    if (made === 'withdrawn') throw new Refusal('firmware not ready')
    if ('busy' in made) throw new Refusal('upgrade under way', { gateway: plant.gateways.get(made.busy)?.number ?? '' })
    await rollout.begin(made, image)
    return made.campaign
  }
}

const startAudit = (
  actor: Actor,
  { model, version }: StoredImage,
  gateways: readonly PlantGateway[],
  { stages, failureLimit, reason }: Plan,
  at: number,
) => ({
  ...by(actor, at, 'firmware.campaign', actor.tenant),
  subject: aboutNothing,
  after: {
    model,
    version,
    gateways: gateways.map(({ number }) => number).slice(0, 200),
    count: gateways.length,
    stages,
    failureLimit,
    reason,
  },
})

function refuseOtherModel(gateway: PlantGateway, image: StoredImage): void {
  if (gateway.model !== image.model) throw new Refusal('firmware wrong model', { gateway: gateway.number, model: image.model })
}

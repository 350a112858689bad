import { randomUUID } from 'node:crypto'
import type { campaignUpgrades, List, projectUpgradeOutcomes, Reply, startCampaign, UpgradeRecord } from '@linewarden/contract'
import { about, aboutNothing, type CampaignRecord, Refusal, type Request } from '@linewarden/contract'
import { isSettled, newUpgrade, type Stage, stageEnds, standingOf } from '@linewarden/rules/firmware'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import type { Config } from '../../config.ts'
import type { PlantGateway, PlantProject } from '../../plant/plant.ts'
import { insertCampaign } from '../../store/firmware/firmware-campaign.ts'
import type { StoredImage } from '../../store/firmware/firmware-image.ts'
import * as stored from '../../store/firmware/firmware-list.ts'
import { createImages } from './images.ts'
import { campaignRecord, upgradeRecord } from './records.ts'
import type { RolloutDeps } from './rollout.ts'
import { startRollout } from './rollout.ts'

export type Firmware = Awaited<ReturnType<typeof createFirmware>>

type Outcome = Reply<typeof projectUpgradeOutcomes>['items'][number]
type Order = Request<typeof startCampaign>['body']

interface Plan {
  readonly stages: readonly Stage[]
  readonly failureLimit: number
  readonly reason: string
}

/** Firmware of gateways: signed images, staged campaigns, and what became of each gateway. */
export async function createFirmware(deps: RolloutDeps & { readonly config: Pick<Config, 'firmwareKeys'> }) {
  const { database, plant, clock } = deps
  const images = createImages(deps)
  const rollout = await startRollout(deps)

  return {
    images,

    async candidates(actor: Actor, imageId: number) {
      const image = await images.byId(imageId)
      const items = [...plant.gateways.values()]
        .filter((gateway) => gateway.model === image.model && actor.seesGateway(gateway))
        .map((gateway) => ({
          ...gatewayFacts(gateway),
          Standing: standingOf(gateway.firmware, image.version),
          Upgrading: rollout.isUpgrading(gateway.id),
        }))
      return { items, total: items.length }
    },

    async start(actor: Actor, order: Order): Promise<CampaignRecord> {
      const image = await images.ready(order.ImageID)
      const gateways = chosen(actor, order, image)
      const stages = order.Stages.map(({ Kind, Amount }): Stage => ({ kind: Kind, amount: Amount }))
      const plan = { stages, failureLimit: order.FailureLimit, reason: order.Reason.trim() }
      const campaign = await begin(actor, image, gateways, plan)
      return details(campaign.campaignId)
    },

    async steer(actor: Actor, campaignId: number, act: 'pause' | 'goOn' | 'abort'): Promise<CampaignRecord> {
      await details(campaignId)
      const audit = { ...by(actor, clock(), `firmware.${act}`, actor.tenant), subject: about('campaign', campaignId) }
      if (!(await rollout.steer(campaignId, act, audit))) throw new Refusal('campaign ended')
      return details(campaignId)
    },

    async list({ Page = 1, Size = 10 }: { readonly Page?: number; readonly Size?: number }): Promise<List<CampaignRecord>> {
      const { rows, total } = await stored.listCampaigns(database, { campaignId: null, offset: (Page - 1) * Size, limit: Size })
      return { items: rows.map(campaignRecord), total }
    },

    details,

    async upgrades(campaignId: number, body: Request<typeof campaignUpgrades>['body']): Promise<List<UpgradeRecord>> {
      await details(campaignId)
      const { State = null, Page = 1, Size = 10 } = body
      const { rows, total } = await stored.upgradesOfCampaign(database, campaignId, {
        state: State,
        offset: (Page - 1) * Size,
        limit: Size,
      })
      return { items: rows.flatMap((row) => upgradeRecord(row, plant, rollout) ?? []), total }
    },

    async versionOf(gateway: PlantGateway) {
      const latest = await images.latest(gateway.model)
      const [last] = await stored.lastUpgrades(database, [gateway.id])
      return {
        DeviceID: gateway.id,
        Model: gateway.model,
        Version: gateway.firmware,
        ReportedAt: gateway.firmwareAt,
        Latest: latest && { ImageID: latest.imageId, Version: latest.version, Notes: latest.notes },
        Standing: latest ? standingOf(gateway.firmware, latest.version) : ('unknown' as const),
        Upgrade: last ? upgradeRecord(last, plant, rollout) : null,
      }
    },

    /** A campaign of one. */
    async upgrade(actor: Actor, gateway: PlantGateway, imageId: number | null, reason: string): Promise<UpgradeRecord> {
      const image = imageId === null ? await images.latest(gateway.model) : await images.ready(imageId)
      if (!image) throw new Refusal('firmware none newer')
      refuseOtherModel(gateway, image)
      await begin(actor, image, [gateway], { stages: [], failureLimit: 100, reason })
      const [last] = await stored.lastUpgrades(database, [gateway.id])
      const record = last && upgradeRecord(last, plant, rollout)
      if (!record) throw new Refusal('gateway not exists')
      return record
    },

    async statusOf(actor: Actor, project: PlantProject): Promise<List<UpgradeRecord>> {
      const items = (await lastOf(actor, project)).filter(({ State }) => !isSettled(State))
      return { items, total: items.length }
    },

    async outcomesOf(actor: Actor, project: PlantProject): Promise<List<Outcome>> {
      const items = (await lastOf(actor, project)).flatMap((each): Outcome[] => {
        const Outcome = outcomeWords[each.State]
        if (Outcome === null) return []
        const { DeviceID, GatewayName, Why, Former } = each
        const facts = { DeviceID, Number: each.Number, GatewayName, Why, Former }
        return [{ ...facts, Outcome, Target: each.Version, Version: each.Firmware, At: each.Since }]
      })
      return { items, total: items.length }
    },

    tick: rollout.tick,
    close: rollout.close,
  }

  async function details(campaignId: number): Promise<CampaignRecord> {
    const { rows } = await stored.listCampaigns(database, { campaignId, offset: 0, limit: 1 })
    if (!rows[0]) throw new Refusal('campaign not exists')
    return campaignRecord(rows[0])
  }

  async function lastOf(actor: Actor, project: PlantProject): Promise<UpgradeRecord[]> {
    const seen = [...plant.gateways.values()].filter((gateway) => gateway.project === project && actor.seesGateway(gateway))
    const last = await stored.lastUpgrades(
      database,
      seen.map(({ id }) => id),
    )
    return last.flatMap((each) => upgradeRecord(each, plant, rollout) ?? [])
  }

  /** Who is named must fit; of a project those that fit are taken. */
  function chosen(actor: Actor, { Gateways, Projects }: Order, image: StoredImage): PlantGateway[] {
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

  async function begin(actor: Actor, image: StoredImage, gateways: readonly PlantGateway[], plan: Plan) {
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
      {
        ...by(actor, at, 'firmware.campaign', actor.tenant),
        subject: aboutNothing,
        after: {
          model: image.model,
          version: image.version,
          gateways: ordered.map(({ number }) => number).slice(0, 200),
          count: ordered.length,
          stages: plan.stages,
          failureLimit: plan.failureLimit,
          reason: plan.reason,
        },
      },
    )
    if (made === 'withdrawn') throw new Refusal('firmware not ready')
    if ('busy' in made) throw new Refusal('upgrade under way', { gateway: plant.gateways.get(made.busy)?.number ?? '' })
    await rollout.begin(made.campaign, image, made.upgrades)
    return made.campaign
  }
}

function refuseOtherModel(gateway: PlantGateway, image: StoredImage): void {
  if (gateway.model !== image.model) throw new Refusal('firmware wrong model', { gateway: gateway.number, model: image.model })
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

const gatewayFacts = ({ id, number, name, project, link, firmware }: PlantGateway) => ({
  DeviceID: id,
  Number: number,
  GatewayName: name,
  HouseID: project.id,
  HouseName: project.name,
  Link: link,
  Firmware: firmware,
})

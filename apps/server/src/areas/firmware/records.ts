import type { CampaignRecord, FirmwareImage, UpgradeRecord } from '@linewarden/contract'
import { upgradeStates } from '@linewarden/rules/firmware'
import type { Plant, PlantGateway } from '../../plant/plant.ts'
import type { StoredImage } from '../../store/firmware/firmware-image.ts'
import type { ListedCampaign, ListedUpgrade } from '../../store/firmware/firmware-list.ts'
import { nameOf } from '../site/finding.ts'
import type { Rollout } from './rollout.ts'

/** A campaign as the contract has it. */
export const campaignRecord = ({ campaign, model, version, counts }: ListedCampaign): CampaignRecord => ({
  CampaignID: campaign.campaignId,
  ImageID: campaign.imageId,
  Model: model,
  Version: version,
  Reason: campaign.reason,
  State: campaign.state,
  PausedBy: campaign.pausedBy,
  Ends: [...campaign.ends],
  Stage: campaign.stage,
  FailureLimit: campaign.failureLimit,
  StartedBy: campaign.startedBy,
  StartedAt: campaign.startedAt,
  EndedAt: campaign.endedAt,
  Counts: Object.fromEntries(upgradeStates.map((state) => [state, counts[state] ?? 0])) as CampaignRecord['Counts'],
})

/** One gateway of a campaign as it stands now. Null: it was taken out since, and nothing of it is shown any more. */
export function upgradeRecord(
  { upgrade, campaign, version, size }: ListedUpgrade,
  plant: Plant,
  rollout: Rollout,
): UpgradeRecord | null {
  const now = rollout.present(upgrade)
  const gateway = plant.gateways.get(now.gatewayId)
  if (!gateway) return null
  return {
    ...nameOf(gateway),
    Firmware: gateway.firmware,
    CampaignID: campaign.campaignId,
    Version: version,
    Former: now.former,
    State: now.state,
    Stage: campaign.ends.findIndex((end) => now.position < end),
    Progress: Math.min(1, now.got / size),
    Waiting: rollout.waitsFor(now, campaign),
    Why: now.reason,
    Since: now.since,
  }
}

export function imageRecord(image: StoredImage, plant: Plant): FirmwareImage {
  const its = [...plant.gateways.values()].filter(({ model }) => model === image.model)
  return {
    ImageID: image.imageId,
    Model: image.model,
    Version: image.version,
    Size: image.size,
    Received: image.received,
    Sha256: image.sha256,
    Notes: image.notes,
    KeyName: image.keyName,
    State: image.state,
    UploadedBy: image.uploadedBy,
    UploadedAt: image.uploadedAt,
    Gateways: its.length,
    Installed: its.filter(({ firmware }) => firmware === image.version).length,
  }
}

/** A gateway that a campaign could be for. */
export const gatewayFacts = ({ id, number, name, project, link, firmware }: PlantGateway) => ({
  DeviceID: id,
  Number: number,
  GatewayName: name,
  HouseID: project.id,
  HouseName: project.name,
  Link: link,
  Firmware: firmware,
})

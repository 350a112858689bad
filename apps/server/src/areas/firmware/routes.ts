import * as contract from '@linewarden/contract'
import type { Serve } from '../../http/context.ts'
import type { Firmware } from './service.ts'

export function firmwareRoutes(serve: Serve, firmware: Firmware): void {
  const { images, uploads, campaigns, gateways } = firmware
  serve(contract.startFirmware, ({ actor, body }) => uploads.start(actor, body))
  serve(contract.sendFirmwarePiece, ({ params, body }) => uploads.piece(params.ImageID, body.Offset, body.Bytes))
  serve(contract.finishFirmware, ({ actor, params }) => uploads.finish(actor, params.ImageID))
  serve(contract.withdrawFirmware, async ({ actor, params }) => {
    await images.withdraw(actor, params.ImageID)
    return null
  })
  serve(contract.listFirmware, () => images.list())
  serve(contract.upgradeCandidates, ({ actor, params }) => campaigns.candidates(actor, params.ImageID))
  serve(contract.startCampaign, ({ actor, body }) => campaigns.start(actor, body))
  serve(contract.steerCampaign, ({ actor, params, body }) => campaigns.steer(actor, params.CampaignID, body.Act))
  serve(contract.listCampaigns, ({ body }) => campaigns.list(body))
  serve(contract.campaignDetails, ({ params }) => campaigns.details(params.CampaignID))
  serve(contract.campaignUpgrades, ({ params, body }) => campaigns.upgrades(params.CampaignID, body))
  serve(contract.controllerVersion, ({ gateway }) => gateways.versionOf(gateway))
  serve(contract.upgradeController, ({ actor, gateway, body }) =>
    gateways.upgrade(actor, gateway, body.ImageID ?? null, body.Reason ?? ''),
  )
  serve(contract.projectUpgradeStatus, ({ actor, project }) => gateways.statusOf(actor, project))
  serve(contract.projectUpgradeOutcomes, ({ actor, project }) => gateways.outcomesOf(actor, project))
}

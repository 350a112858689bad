import * as contract from '@linewarden/contract'
import type { Serve } from '../../http/context.ts'
import type { Firmware } from './service.ts'

export function firmwareRoutes(serve: Serve, firmware: Firmware): void {
  const { images } = firmware
  serve(contract.startFirmware, ({ actor, body }) => images.start(actor, body))
  serve(contract.sendFirmwarePiece, ({ params, body }) => images.piece(params.ImageID, body.Offset, body.Bytes))
  serve(contract.finishFirmware, ({ actor, params }) => images.finish(actor, params.ImageID))
  serve(contract.withdrawFirmware, async ({ actor, params }) => {
    await images.withdraw(actor, params.ImageID)
    return null
  })
  serve(contract.listFirmware, () => images.list())
  serve(contract.upgradeCandidates, ({ actor, params }) => firmware.candidates(actor, params.ImageID))
  serve(contract.startCampaign, ({ actor, body }) => firmware.start(actor, body))
  serve(contract.steerCampaign, ({ actor, params, body }) => firmware.steer(actor, params.CampaignID, body.Act))
  serve(contract.listCampaigns, ({ body }) => firmware.list(body))
  serve(contract.campaignDetails, ({ params }) => firmware.details(params.CampaignID))
  serve(contract.campaignUpgrades, ({ params, body }) => firmware.upgrades(params.CampaignID, body))
  serve(contract.controllerVersion, ({ gateway }) => firmware.versionOf(gateway))
  serve(contract.upgradeController, ({ actor, gateway, body }) =>
    firmware.upgrade(actor, gateway, body.ImageID ?? null, body.Reason ?? ''),
  )
  serve(contract.projectUpgradeStatus, ({ actor, project }) => firmware.statusOf(actor, project))
  serve(contract.projectUpgradeOutcomes, ({ actor, project }) => firmware.outcomesOf(actor, project))
}

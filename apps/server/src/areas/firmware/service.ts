import type { Config } from '../../config.ts'
import { Campaigns } from './campaigns.ts'
import { GatewayFirmware } from './gateway-firmware.ts'
import { createImages } from './images.ts'
import type { RolloutDeps } from './rollout.ts'
import { Rollout } from './rollout.ts'
import { Uploads } from './uploads.ts'

export type Firmware = ReturnType<typeof createFirmware>

/** Firmware of gateways: signed images, staged campaigns, and what became of each gateway. */
export function createFirmware(deps: RolloutDeps & { readonly config: Pick<Config, 'firmwareKeys'> }) {
  const images = createImages(deps)
  const uploads = new Uploads({ ...deps, images })
  const rollout = new Rollout(deps)
  const campaigns = new Campaigns({ ...deps, images, rollout })
  const gateways = new GatewayFirmware({ ...deps, images, campaigns, rollout })
  return { images, uploads, campaigns, gateways, tick: rollout.tick, close: () => rollout.close() }
}

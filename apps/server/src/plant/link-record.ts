import type { DeviceLink, GatewayLink } from '@linewarden/contract'
import type { PlantDevice, PlantGateway } from './plant.ts'
import { linkOfDevice } from './plant.ts'

/** A gateway's link as the API and the live socket show it. */
export const linkOf = (gateway: PlantGateway): GatewayLink => ({
  DeviceID: gateway.id,
  Link: gateway.link,
  Since: gateway.linkSince,
  Reason: gateway.linkReason,
})

/** A device's link as the API and the live socket show it: behind a gateway that is away it is the gateway's. */
export function deviceLinkOf(device: PlantDevice): DeviceLink {
  const { link, linkSince, linkReason } = linkOfDevice(device)
  return { ControllerID: device.controllerId, Link: link, Since: linkSince, Reason: linkReason }
}

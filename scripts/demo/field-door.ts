import type { Server } from '@linewarden/server/compose'
import type { FleetOptions } from '@linewarden/simulator'

/** Where simulated gateways of this machine connect: without TLS where that is open, else to exactly the server's own certificate. */
export function fieldDoor({ mqttPorts, mqttPort, certificates }: Server): Pick<FleetOptions, 'url' | 'certificate'> {
  if (mqttPorts.plain !== null || !certificates.mqtt) return { url: `mqtt://127.0.0.1:${mqttPort}` }
  return { url: `mqtts://127.0.0.1:${mqttPort}`, certificate: certificates.mqtt.pem }
}

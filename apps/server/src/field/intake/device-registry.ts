import { Mutex } from '../../lib/serial.ts'
import type { Plant, PlantDevice, PlantGateway } from '../../plant/plant.ts'
import { newDevice, newLine } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import type { DeviceBirth } from '../../store/ingest/device-birth.ts'
import { registerDevice } from '../../store/ingest/register.ts'

/** Puts devices that were born into the database and the plant. */
export class DeviceRegistry {
  readonly #database: Database
  readonly #plant: Plant
  readonly #registering = new Mutex()

  constructor(database: Database, plant: Plant) {
    this.#database = database
    this.#plant = plant
  }

  /**
   * New devices are rare: they are registered one after the other on a connection of their own, beside the commits. Null when the gateway
   * was taken out meanwhile.
   */
  async register(gateway: PlantGateway, birth: DeviceBirth): Promise<PlantDevice | null> {
    const found = await this.#registering.run(async () => {
      const client = await this.#database.connect()
      return await registerDevice(client, gateway, birth).finally(() => client.end())
    })
    if (!found) return null
    const before = gateway.devices.get(birth.wireId)
    const { wireId, family, model } = birth
    const { deviceId: id, controllerId, name } = found
    const device = before ?? newDevice({ id, gateway, wireId, controllerId, name, family, model })
    device.family = family
    device.model = model
    device.reportingPeriodMs = birth.reportingPeriodMs
    if (!before) this.#plant.addDevice(device)
    for (const { lineId, lineNo, name, ratedCurrentA } of found.lines) {
      const line = device.lines.get(lineNo)
      if (line) line.ratedCurrentA = ratedCurrentA
      else this.#plant.addLine(newLine(lineId, device, lineNo, name, ratedCurrentA))
    }
    return device
  }
}

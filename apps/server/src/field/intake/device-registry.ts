import type pg from 'pg'
import type { Plant, PlantDevice, PlantGateway } from '../../plant/plant.ts'
import { newDevice, newLine } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import type { DeviceBirth } from '../../store/ingest/device-birth.ts'
import type { RegisteredDevice } from '../../store/ingest/register.ts'
import { registerDevices } from '../../store/ingest/register.ts'

interface Waiting {
  readonly gateway: PlantGateway
  readonly birth: DeviceBirth
  readonly resolve: (device: PlantDevice | null) => void
  readonly reject: (error: unknown) => void
}

/** So many births go together: more would keep whoever takes out one of their gateways waiting. */
const maxTogether = 32
/** A connection costs more than a birth does, and births come in swarms. */
const keptMs = 10_000

/** Puts devices that were born into the database and the plant, on a connection of its own, beside the commits. */
export class DeviceRegistry {
  readonly #database: Database
  readonly #plant: Plant
  #waiting: Waiting[] = []
  #isBusy = false
  #isClosed = false
  #client: pg.Client | null = null
  #idle: NodeJS.Timeout | undefined

  constructor(database: Database, plant: Plant) {
    this.#database = database
    this.#plant = plant
  }

  /** In the order they come; those that wait go together. Null when the gateway was taken out meanwhile. */
  register(gateway: PlantGateway, birth: DeviceBirth): Promise<PlantDevice | null> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ gateway, birth, resolve, reject })
      if (!this.#isBusy) void this.#run()
    })
  }

  /** What is under way fails: it was not acknowledged, and comes again. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#disconnect()
  }

  async #run(): Promise<void> {
    this.#isBusy = true
    clearTimeout(this.#idle)
    while (this.#waiting.length > 0) {
      const born = this.#waiting.splice(0, this.#together())
      // Together, or on a connection that was lost since: each by itself, so that a bad one keeps back none of the others.
      if (!(await this.#tried(born))) for (const each of born) await this.#tried([each], each.reject)
    }
    this.#isBusy = false
    if (this.#isClosed) await this.#disconnect()
    else this.#idle = setTimeout(() => void this.#disconnect(), keptMs).unref()
  }

  /** What is born anew; one that is known goes alone, for commits write several of these in an order of their own, and would wait in a circle. */
  #together(): number {
    const known = this.#waiting.findIndex(({ gateway, birth }) => gateway.devices.has(birth.wireId))
    return known < 0 ? maxTogether : Math.max(1, Math.min(known, maxTogether))
  }

  async #tried(born: readonly Waiting[], refused: (error: unknown) => void = () => {}): Promise<boolean> {
    try {
      const found = await registerDevices(await this.#connected(), born)
      for (const [i, each] of born.entries()) each.resolve(this.#placed(each, found[i] ?? null))
      return true
    } catch (error) {
      await this.#disconnect()
      refused(error)
      return false
    }
  }

  async #connected(): Promise<pg.Client> {
    if (this.#isClosed) throw new Error('the server is stopping')
    this.#client ??= await this.#database.connect()
    return this.#client
  }

  async #disconnect(): Promise<void> {
    const client = this.#client
    this.#client = null
    await client?.end().catch(() => {})
  }

  #placed({ gateway, birth }: Waiting, found: RegisteredDevice | null): PlantDevice | null {
    if (!found) return null
    const before = gateway.devices.get(birth.wireId)
    const { wireId, family, model } = birth
    const { deviceId: id, controllerId, name } = found
    const device = before ?? newDevice({ id, gateway, wireId, controllerId, name, family, model })
    device.family = family
    device.model = model
    device.firmware = birth.firmware
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

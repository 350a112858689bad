import type { Ingest } from '../../field/ingest.ts'
import type { PlantGateway } from '../../plant/plant.ts'
import type { StoredImage } from '../../store/firmware/firmware-image.ts'

type Field = Pick<Ingest, 'isBorn' | 'sendFirmware'>

/** What is sent to a gateway about an upgrade. */
export class GatewayMessages {
  readonly #field: Field

  constructor(field: Field) {
    this.#field = field
  }

  /** Whether it is connected to this server and has said what it is. */
  reaches(gateway: PlantGateway): boolean {
    return this.#field.isBorn(gateway)
  }

  offer(gateway: PlantGateway, id: string, { manifest, signature }: StoredImage): void {
    this.#send(gateway, 'offer', { id, manifest: manifest.toString('base64'), signature: signature.toString('base64') })
  }

  piece(gateway: PlantGateway, id: string, offset: number, bytes: Buffer): void {
    this.#field.sendFirmware(gateway, `piece/${id}/${offset}`, bytes)
  }

  install(gateway: PlantGateway, id: string): void {
    this.#send(gateway, 'install', { id })
  }

  /** It downloads no further. */
  stop(gateway: PlantGateway, id: string): void {
    this.#send(gateway, 'stop', { id })
  }

  #send(gateway: PlantGateway, kind: string, message: Readonly<Record<string, string>>): void {
    this.#field.sendFirmware(gateway, kind, Buffer.from(JSON.stringify(message)))
  }
}

import { createHash } from 'node:crypto'
import type { FirmwareManifest } from '@linewarden/rules/firmware'

/** One of the two places an image can be started from. */
interface Slot {
  version: string
  sha256: string | null
  bytes: Buffer
}

/** An image that is being fetched. */
interface Download {
  readonly id: string
  readonly manifest: FirmwareManifest
  readonly bytes: Buffer
  have: number
}

/** A gateway's flash memory: two slots and a mark which of them starts, and a place for what is being fetched. It outlives a power loss. */
export class Flash {
  download: Download | null = null
  readonly #slots: [Slot, Slot]
  #active: 0 | 1 = 0
  /** A new image that was started for the first time; it has to prove itself before it stays. */
  #onTrial = false

  constructor(version: string) {
    this.#slots = [
      { version, sha256: null, bytes: Buffer.alloc(0) },
      { version, sha256: null, bytes: Buffer.alloc(0) },
    ]
  }

  /** What runs. */
  get version(): string {
    return this.#slots[this.#active].version
  }

  /** Makes room for an image, or keeps what is there of this very one: also from another offer of it. */
  prepare(id: string, manifest: FirmwareManifest): Download {
    const kept = this.download?.manifest.sha256 === manifest.sha256 ? this.download : null
    this.download = { id, manifest, bytes: kept?.bytes ?? Buffer.alloc(manifest.size), have: kept?.have ?? 0 }
    return this.download
  }

  /** Writes a part of the fetched image into the slot that does not run; the slot is no image until all of it is there. */
  write(share: number): void {
    const { download } = this
    if (!download) return
    const spare = this.#slots[this.#active === 0 ? 1 : 0]
    spare.version = download.manifest.version
    spare.sha256 = download.manifest.sha256
    spare.bytes = Buffer.alloc(download.manifest.size)
    download.bytes.copy(spare.bytes, 0, 0, Math.floor(download.manifest.size * share))
  }

  /** From the next start on the other slot runs. */
  swap(): void {
    this.#active = this.#active === 0 ? 1 : 0
    this.#onTrial = true
  }

  /** What the loader does when the power comes: an image that is not whole, or did not come up, is left for the one before. */
  start(comesUp: boolean): void {
    const { sha256, bytes } = this.#slots[this.#active]
    const whole = sha256 === null || createHash('sha256').update(bytes).digest('hex') === sha256
    if (this.#onTrial && !(whole && comesUp)) this.#active = this.#active === 0 ? 1 : 0
    this.#onTrial = false
    if (this.download?.manifest.version === this.version) this.download = null
  }
}

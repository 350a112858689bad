import { createHash, createPublicKey, verify } from 'node:crypto'
import type { FirmwareManifest, GatewayUpgradeRefusal } from '@linewarden/rules/firmware'
import { readManifest, versionStatus } from '@linewarden/rules/firmware'
import { Flash } from './flash.ts'

/** How the gateway goes about an upgrade; tests and faults change it. */
export interface UpdateHabits {
  /** Bytes it asks for at once. */
  pieceBytes: number
  askAgainMs: number
  installMs: number
  /** False: a new image does not come up, and the loader goes back to the one before. */
  comesUp: boolean
  /** False: it says nothing to an offer, as a gateway that knows no upgrades. */
  answers: boolean
}

/** What the updater needs of its gateway. */
export interface UpdateDesk {
  readonly model: string
  /** Public Ed25519 keys it trusts, 32 bytes in base64, burnt in where it was made. */
  readonly keys: readonly string[]
  publish(word: object): void
  /** A command is being carried out: it does not restart now. */
  busy(): boolean
  restart(): void
}

/** Fetches an image piece by piece, checks signature, model, version and checksum itself, installs when it is let, and restarts. */
export class Updater {
  readonly habits: UpdateHabits = { pieceBytes: 65_536, askAgainMs: 10_000, installMs: 1_500, comesUp: true, answers: true }
  readonly #desk: UpdateDesk
  readonly #flash: Flash
  #timer: NodeJS.Timeout | undefined
  #installing = false

  constructor(desk: UpdateDesk, version: string) {
    this.#desk = desk
    this.#flash = new Flash(version)
  }

  get version(): string {
    return this.#flash.version
  }

  /** Bytes of the image it holds at this moment. */
  get have(): number {
    return this.#flash.download?.have ?? 0
  }

  /** `offer`, `install`, `stop` or `piece/{id}/{offset}`. */
  take(path: readonly string[], bytes: Buffer): void {
    const [kind, id, offset] = path
    if (!this.habits.answers || this.#installing) return
    if (kind === 'piece') {
      if (id !== undefined) this.#piece(id, Number(offset), bytes)
      return
    }
    const request = JSON.parse(bytes.toString('utf8')) as { id: string; manifest: string; signature: string }
    if (kind === 'offer')
      this.#offer(request.id, Buffer.from(request.manifest, 'base64'), Buffer.from(request.signature, 'base64'))
    else if (kind === 'stop') clearTimeout(this.#timer)
    else if (kind === 'install' && this.#flash.download?.id === request.id && this.have === this.#flash.download.manifest.size)
      this.#install(0)
  }

  /** The power is gone: what was going on is over, what is in flash stays. */
  powerLost(): void {
    clearTimeout(this.#timer)
    this.#installing = false
  }

  /** The power is back. */
  start(): void {
    this.#flash.start(this.habits.comesUp)
  }

  #offer(id: string, manifest: Buffer, signature: Buffer): void {
    const { keys, model } = this.#desk
    const read = keys.some((key) => isSigned(key, manifest, signature)) ? readManifest(manifest.toString('utf8')) : 'signature'
    const reason = refusalOf(read, model, this.version)
    if (reason !== null || typeof read === 'string') {
      this.#desk.publish({ id, state: 'refused', reason })
      return
    }
    this.#flash.prepare(id, read)
    this.#next()
  }

  #piece(id: string, offset: number, bytes: Buffer): void {
    const { download } = this.#flash
    if (download?.id !== id || offset !== download.have || bytes.length === 0) return
    bytes.copy(download.bytes, offset)
    download.have = Math.min(download.manifest.size, offset + bytes.length)
    this.#next()
  }

  /** Asks for what is missing, or says that all is there and right. Said again while nobody answers. */
  #next(): void {
    clearTimeout(this.#timer)
    const { download } = this.#flash
    if (!download) return
    const { id, manifest, have } = download
    if (have < manifest.size)
      this.#desk.publish({ id, offset: have, length: Math.min(this.habits.pieceBytes, manifest.size - have) })
    else if (createHash('sha256').update(download.bytes).digest('hex') === manifest.sha256)
      this.#desk.publish({ id, state: 'ready' })
    else {
      this.#flash.download = null
      this.#desk.publish({ id, state: 'refused', reason: 'bad_hash' })
      return
    }
    this.#timer = setTimeout(() => this.#next(), this.habits.askAgainMs)
  }

  #install(share: number): void {
    clearTimeout(this.#timer)
    // A restart in the middle of a command would lose it: it is carried out and reported first.
    if ((share === 0 || share >= 1) && this.#desk.busy()) {
      this.#timer = setTimeout(() => this.#install(share), 100)
      return
    }
    this.#installing = true
    this.#flash.write(share)
    if (share < 1) {
      this.#timer = setTimeout(() => this.#install(share + 0.25), this.habits.installMs / 4)
      return
    }
    this.#flash.swap()
    this.#desk.restart()
  }
}

function refusalOf(read: FirmwareManifest | string, model: string, version: string): GatewayUpgradeRefusal | null {
  if (typeof read === 'string') return 'bad_signature'
  if (read.model !== model) return 'wrong_model'
  const status = versionStatus(version, read.version)
  return status === 'same' ? 'already_latest' : status === 'newer' ? 'current_newer' : null
}

function isSigned(key: string, manifest: Buffer, signature: Buffer): boolean {
  const x = Buffer.from(key, 'base64').toString('base64url')
  return verify(null, manifest, createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }), signature)
}

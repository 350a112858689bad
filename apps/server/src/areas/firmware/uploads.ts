import { createHash } from 'node:crypto'
import type { FirmwareImage } from '@linewarden/contract'
import { about, aboutNothing, Refusal } from '@linewarden/contract'
import type { FirmwareManifest } from '@linewarden/rules/firmware'
import { compareVersions, maxManifestBytes, readManifest, readVersion } from '@linewarden/rules/firmware'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import type { Config } from '../../config.ts'
import type { Plant } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import * as stored from '../../store/firmware/firmware-image.ts'
import type { Images } from './images.ts'
import { imageRecord } from './records.ts'
import { signedBy } from './signature.ts'

interface Deps {
  readonly config: Pick<Config, 'firmwareKeys'>
  readonly database: Database
  readonly plant: Plant
  readonly images: Images
  readonly clock: () => number
}

/** Signed images: uploaded piece by piece, kept only when every byte is the one that was signed. */
export class Uploads {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Nothing of an image is taken before its signature is right and there is a gateway it is for. */
  async start(actor: Actor, body: { readonly Manifest: string; readonly Signature: string }): Promise<FirmwareImage> {
    const { database, plant, clock } = this.#deps
    const manifest = Buffer.from(body.Manifest, 'base64')
    const signature = Buffer.from(body.Signature, 'base64')
    const { keyName, read } = this.#signed(manifest, signature)
    const { model, version, size } = read
    if (![...plant.gateways.values()].some((gateway) => gateway.model === model))
      throw new Refusal('firmware model unknown', { model })
    await this.#refuseOld(model, version)
    const at = clock()
    const versionOrder = readVersion(version) ?? []
    const image = await stored.beginImage(
      database,
      { ...read, manifest, signature, keyName, versionOrder, uploadedBy: actor.userName, uploadedAt: at },
      {
        ...by(actor, at, 'firmware.upload', actor.tenant),
        subject: aboutNothing,
        target: `${model} ${version}`,
        after: { size, keyName },
      },
    )
    return imageRecord(image, plant)
  }

  async piece(imageId: number, offset: number, base64: string): Promise<{ Received: number }> {
    const bytes = Buffer.from(base64, 'base64')
    const image = await this.#uploadOf(imageId)
    if (offset + bytes.length > image.size) throw new Refusal('firmware too long', { size: image.size })
    const added = await stored.addPiece(this.#deps.database, imageId, offset, bytes)
    if (!added) throw new Refusal('firmware not exists')
    if (!added.added) throw new Refusal('firmware piece elsewhere', { received: added.received })
    return { Received: added.received }
  }

  /** What is not whole and exactly what was signed does not stay. */
  async finish(actor: Actor, imageId: number): Promise<FirmwareImage> {
    const { database, plant, clock } = this.#deps
    const image = await this.#uploadOf(imageId)
    const { size, received, model, version } = image
    if (received < size) {
      await stored.dropUpload(database, imageId)
      throw new Refusal('firmware cut short', { size, received })
    }
    if ((await this.#hashOf(image)) !== image.sha256) {
      await stored.dropUpload(database, imageId)
      throw new Refusal('firmware damaged')
    }
    await this.#refuseOld(model, version)
    const audit = {
      ...by(actor, clock(), 'firmware.ready', actor.tenant),
      subject: about('image', imageId),
      target: `${model} ${version}`,
      after: { size, sha256: image.sha256, keyName: image.keyName },
    }
    if (!(await stored.markReady(database, imageId, audit))) throw new Refusal('firmware same version', { model, version })
    return imageRecord({ ...image, state: 'ready' }, plant)
  }

  /** Whose key signed it, and what it says of the image. */
  #signed(manifest: Buffer, signature: Buffer): { readonly keyName: string; readonly read: FirmwareManifest } {
    const { firmwareKeys } = this.#deps.config
    if (firmwareKeys.length === 0) throw new Refusal('firmware keys missing')
    const keyName = manifest.length > maxManifestBytes ? null : signedBy(firmwareKeys, manifest, signature)
    if (keyName === null) throw new Refusal('firmware signature wrong')
    const read = readManifest(manifest.toString('utf8'))
    if (typeof read === 'string') throw new Refusal('firmware manifest wrong', { field: read })
    return { keyName, read }
  }

  async #uploadOf(imageId: number): Promise<stored.StoredImage> {
    const image = await this.#deps.images.byId(imageId)
    if (image.state !== 'receiving') throw new Refusal('firmware not exists')
    return image
  }

  /** A signed image stays signed for ever: without this an old one with a known hole could be brought back. */
  async #refuseOld(model: string, version: string): Promise<void> {
    const latest = await stored.latestImage(this.#deps.database, model, 'ever')
    const order = compareVersions(version, latest?.version ?? null)
    if (order === 0) throw new Refusal('firmware same version', { model, version })
    if (order !== null && order < 0) throw new Refusal('firmware lower version', { model, version, latest: latest?.version })
  }

  async #hashOf({ imageId, size }: stored.StoredImage): Promise<string> {
    const { database } = this.#deps
    const hash = createHash('sha256')
    const step = 1_048_576
    for (let at = 0; at < size; at += step) hash.update(await stored.readBytes(database, imageId, at, Math.min(step, size - at)))
    return hash.digest('hex')
  }
}

import { createHash } from 'node:crypto'
import type { FirmwareImage, List } from '@linewarden/contract'
import { about, aboutNothing, Refusal } from '@linewarden/contract'
import { compareVersions, maxManifestBytes, readManifest, readVersion } from '@linewarden/rules/firmware'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import type { Config } from '../../config.ts'
import type { Plant } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import * as stored from '../../store/firmware/firmware-image.ts'
import { signedBy } from './signature.ts'

export interface ImageDeps {
  readonly config: Pick<Config, 'firmwareKeys'>
  readonly database: Database
  readonly plant: Plant
  readonly clock: () => number
}

/** Signed images: taken piece by piece, kept only when every byte is the one that was signed. */
export function createImages({ config, database, plant, clock }: ImageDeps) {
  return {
    /** Nothing of an image is taken before its signature is right and there is a gateway it is for. */
    async start(actor: Actor, body: { readonly Manifest: string; readonly Signature: string }): Promise<FirmwareImage> {
      if (config.firmwareKeys.length === 0) throw new Refusal('firmware keys missing')
      const manifest = Buffer.from(body.Manifest, 'base64')
      const signature = Buffer.from(body.Signature, 'base64')
      const keyName = manifest.length > maxManifestBytes ? null : signedBy(config.firmwareKeys, manifest, signature)
      if (keyName === null) throw new Refusal('firmware signature wrong')
      const read = readManifest(manifest.toString('utf8'))
      if (typeof read === 'string') throw new Refusal('firmware manifest wrong', { field: read })
      const { model, version, size } = read
      if (![...plant.gateways.values()].some((gateway) => gateway.model === model))
        throw new Refusal('firmware model unknown', { model })
      await refuseOld(model, version)
      const at = clock()
      const image = await stored.beginImage(
        database,
        {
          ...read,
          manifest,
          signature,
          keyName,
          versionOrder: readVersion(version) ?? [],
          uploadedBy: actor.userName,
          uploadedAt: at,
        },
        {
          ...by(actor, at, 'firmware.upload', actor.tenant),
          subject: aboutNothing,
          target: `${model} ${version}`,
          after: { size, keyName },
        },
      )
      return record(image)
    },

    async piece(imageId: number, offset: number, base64: string): Promise<{ Received: number }> {
      const bytes = Buffer.from(base64, 'base64')
      const image = await uploadOf(imageId)
      if (offset + bytes.length > image.size) throw new Refusal('firmware too long', { size: image.size })
      const added = await stored.addPiece(database, imageId, offset, bytes)
      if (!added) throw new Refusal('firmware not exists')
      if (!added.added) throw new Refusal('firmware piece elsewhere', { received: added.received })
      return { Received: added.received }
    },

    /** What is not whole and exactly what was signed does not stay. */
    async finish(actor: Actor, imageId: number): Promise<FirmwareImage> {
      const image = await uploadOf(imageId)
      const { size, received, model, version } = image
      if (received < size) {
        await stored.dropUpload(database, imageId)
        throw new Refusal('firmware cut short', { size, received })
      }
      if ((await hashOf(image)) !== image.sha256) {
        await stored.dropUpload(database, imageId)
        throw new Refusal('firmware damaged')
      }
      await refuseOld(model, version)
      const audit = {
        ...by(actor, clock(), 'firmware.ready', actor.tenant),
        subject: about('image', imageId),
        target: `${model} ${version}`,
        after: { size, sha256: image.sha256, keyName: image.keyName },
      }
      if (!(await stored.markReady(database, imageId, audit))) throw new Refusal('firmware same version', { model, version })
      return record({ ...image, state: 'ready' })
    },

    async withdraw(actor: Actor, imageId: number): Promise<void> {
      const image = await byId(imageId)
      if (image.state === 'withdrawn') return
      const { model, version } = image
      const audit = {
        ...by(actor, clock(), 'firmware.withdraw', actor.tenant),
        subject: about('image', imageId),
        target: `${model} ${version}`,
      }
      if (!(await stored.withdrawImage(database, imageId, audit))) throw new Refusal('firmware in use')
    },

    async list(): Promise<List<FirmwareImage>> {
      const items = (await stored.allImages(database)).map(record)
      return { items, total: items.length }
    },

    byId,

    /** An image that may be installed. */
    async ready(imageId: number): Promise<stored.StoredImage> {
      const image = await byId(imageId)
      if (image.state !== 'ready') throw new Refusal('firmware not ready')
      return image
    },

    latest: (model: string | null) => (model === null ? Promise.resolve(null) : stored.latestImage(database, model, 'ready')),
    bytes: (imageId: number, from: number, length: number) => stored.readBytes(database, imageId, from, length),
  }

  async function byId(imageId: number): Promise<stored.StoredImage> {
    const image = await stored.imageById(database, imageId)
    if (!image) throw new Refusal('firmware not exists')
    return image
  }

  async function uploadOf(imageId: number): Promise<stored.StoredImage> {
    const image = await byId(imageId)
    if (image.state !== 'receiving') throw new Refusal('firmware not exists')
    return image
  }

  /** A signed image stays signed for ever: without this an old one with a known hole could be brought back. */
  async function refuseOld(model: string, version: string): Promise<void> {
    const latest = await stored.latestImage(database, model, 'ever')
    const order = compareVersions(version, latest?.version ?? null)
    if (order === 0) throw new Refusal('firmware same version', { model, version })
    if (order !== null && order < 0) throw new Refusal('firmware lower version', { model, version, latest: latest?.version })
  }

  async function hashOf({ imageId, size }: stored.StoredImage): Promise<string> {
    const hash = createHash('sha256')
    const step = 1_048_576
    for (let at = 0; at < size; at += step) hash.update(await stored.readBytes(database, imageId, at, Math.min(step, size - at)))
    return hash.digest('hex')
  }

  function record(image: stored.StoredImage): FirmwareImage {
    const its = [...plant.gateways.values()].filter(({ model }) => model === image.model)
    return {
      ImageID: image.imageId,
      Model: image.model,
      Version: image.version,
      Size: image.size,
      Received: image.received,
      Sha256: image.sha256,
      Notes: image.notes,
      KeyName: image.keyName,
      State: image.state,
      UploadedBy: image.uploadedBy,
      UploadedAt: image.uploadedAt,
      Gateways: its.length,
      Installed: its.filter(({ firmware }) => firmware === image.version).length,
    }
  }
}

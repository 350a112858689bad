import type { FirmwareImage, List } from '@linewarden/contract'
import { about, Refusal } from '@linewarden/contract'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import type { Plant } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import * as stored from '../../store/firmware/firmware-image.ts'
import { imageRecord } from './records.ts'

export type Images = ReturnType<typeof createImages>

interface Deps {
  readonly database: Database
  readonly plant: Plant
  readonly clock: () => number
}

/** Images that are here, whole and signed, and those that are still being uploaded. */
export function createImages({ database, plant, clock }: Deps) {
  return {
    async list(): Promise<List<FirmwareImage>> {
      const items = (await stored.allImages(database)).map((image) => imageRecord(image, plant))
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
  }

  async function byId(imageId: number): Promise<stored.StoredImage> {
    const image = await stored.imageById(database, imageId)
    if (!image) throw new Refusal('firmware not exists')
    return image
  }
}

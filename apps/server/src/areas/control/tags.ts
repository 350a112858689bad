import type { List, Reply, Request, TagRecord, tagPhoto } from '@linewarden/contract'
import { mostPhotoBytes, type placeTag, Refusal } from '@linewarden/contract'
import type { Actor } from '../../http/context.ts'
import type { Hub } from '../../live/hub.ts'
import type { LineTag, PlantLine } from '../../live/plant.ts'
import type { Database } from '../../store/database.ts'
import * as stored from '../../store/tag.ts'
import { by, treeOfLine } from '../audited.ts'
import { targetOf } from './gate.ts'

const mostTags = 100
/** How a file of each kind begins: what somebody calls a picture and is none is not kept. */
const beginnings = { 'image/jpeg': 'ffd8ff', 'image/png': '89504e47', 'image/webp': '52494646' } as const

/** Lock-out and tag-out: each holder hangs their own, and the line stays open until the last is gone. */
export function createTags({ database, hub, clock }: { database: Database; hub: Hub; clock: () => number }) {
  return {
    async place(actor: Actor, line: PlantLine, body: Request<typeof placeTag>['body']): Promise<List<TagRecord>> {
      const now = clock()
      const photo = body.Photo ? readPhoto(body.Photo) : null
      const tag = {
        id: body.TagID,
        lineId: line.id,
        kind: body.Kind,
        accountId: actor.accountId,
        holder: actor.nickName || actor.userName,
        reason: body.Reason.trim(),
        photo,
        placedAt: now,
      }
      const hanging = await stored.insertTag(database, tag, {
        ...by(actor, now, 'tag.place', treeOfLine(line)),
        target: targetOf(line),
        after: { tagId: tag.id, kind: tag.kind, reason: tag.reason, photo: photo !== null },
      })
      changed(line, hanging)
      const result = await list(actor, line)
      if (!result.items.some(({ TagID }) => TagID === body.TagID)) throw new Refusal('tag id used')
      return result
    },

    async remove(actor: Actor, line: PlantLine, tagId: string, reason: string | null): Promise<List<TagRecord>> {
      const tag = (await stored.hangingTagsOf(database.control, line.id)).find((each) => each.id === tagId)
      if (!tag) throw new Refusal('tag not exists')
      const own = tag.accountId === actor.accountId
      if (!own && !(actor.administrator && reason !== null)) throw new Refusal('tag of another', { holder: tag.holder })
      const now = clock()
      const { removed, left } = await stored.removeTag(
        database,
        { id: tagId, lineId: line.id, at: now, by: actor.userName, reason },
        {
          ...by(actor, now, own ? 'tag.remove' : 'tag.removeOfAnother', treeOfLine(line)),
          target: targetOf(line),
          before: { tagId, holder: tag.holder, reason: tag.reason },
          after: { reason },
        },
      )
      changed(line, left)
      if (!removed) throw new Refusal('tag not exists')
      return list(actor, line)
    },

    list,

    async photo(line: PlantLine, tagId: string): Promise<Reply<typeof tagPhoto>> {
      const photo = await stored.tagPhoto(database, line.id, tagId)
      if (!photo) throw new Refusal('tag not exists')
      return { Type: photo.type, Data: photo.bytes.toString('base64') }
    },
  }

  async function list(actor: Actor, line: PlantLine): Promise<List<TagRecord>> {
    const tags = await stored.tagsOf(database, line.id, mostTags)
    return {
      items: tags.map((tag) => ({
        TagID: tag.id,
        Kind: tag.kind,
        Holder: tag.holder,
        Own: tag.accountId === actor.accountId,
        Reason: tag.reason,
        Photo: tag.photo,
        PlacedAt: tag.placedAt,
        RemovedAt: tag.removedAt,
        RemovedBy: tag.removedBy,
        RemovedReason: tag.removedReason,
      })),
      total: tags.length,
    }
  }

  function changed(line: PlantLine, tags: readonly LineTag[]): void {
    line.tags = tags
    hub.publish({ lines: [line] })
  }
}

type Photo = NonNullable<Request<typeof placeTag>['body']['Photo']>

function readPhoto({ Type, Data }: Photo): { type: Photo['Type']; bytes: Buffer } {
  const bytes = Buffer.from(Data, 'base64')
  if (bytes.length > mostPhotoBytes || !bytes.toString('hex', 0, 8).startsWith(beginnings[Type]))
    throw new Refusal('photo malformed')
  return { type: Type, bytes }
}

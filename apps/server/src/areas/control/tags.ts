import type { AuditAction, List, Reply, Request, TagRecord, tagPhoto } from '@linewarden/contract'
import { type placeTag, Refusal } from '@linewarden/contract'
import type { TagPlace } from '@linewarden/rules/control'
import type { Actor } from '../../access/actor.ts'
import { by, tenantOfLine } from '../../audit/audited.ts'
import { readPhoto } from '../../http/photo.ts'
import type { Hub } from '../../plant/hub.ts'
import type { PlantLine, PlantTag } from '../../plant/plant.ts'
import { linesBehind } from '../../plant/plant.ts'
import type { Subject } from '../../store/audit/append.ts'
import { aboutDevice, aboutGateway, aboutLine } from '../../store/audit/subject.ts'
import * as stored from '../../store/control/tag.ts'
import type { Database } from '../../store/core/database.ts'

const maxTags = 100

/** In the log a gateway goes by its number, and a device by its own: each has actions of its own, so that it is read by whoever sees it. */
const onEquipment = { place: 'tag.place', remove: 'tag.remove', removeOfAnother: 'tag.removeOfAnother' } as const
const actions = {
  line: onEquipment,
  device: onEquipment,
  gateway: { place: 'gateway.placeTag', remove: 'gateway.removeTag', removeOfAnother: 'gateway.removeTagOfAnother' },
} as const satisfies Record<TagPlace, Record<string, AuditAction>>

/**
 * Lock-out and tag-out: each holder hangs their own, and the line stays open until the last is gone. A tag is always hung and taken off
 * at a line, also one on its device or its whole gateway: who may operate a line may operate all that its gateway has, because equipment is
 * given to people by project or by gateway, never by less.
 */
export function createTags({ database, hub, clock }: { database: Database; hub: Hub; clock: () => number }) {
  return {
    async place(actor: Actor, line: PlantLine, body: Request<typeof placeTag>['body']): Promise<List<TagRecord>> {
      const now = clock()
      const photo = body.Photo ? readPhoto(body.Photo) : null
      const expectedEnd = body.ExpectedEnd ?? null
      const on = body.On ?? 'line'
      const place = placeOf(line, on)
      const tag = {
        id: body.TagID,
        on: { on, id: place.at.id },
        kind: body.Kind,
        accountId: actor.accountId,
        holder: actor.nickName || actor.userName,
        reason: body.Reason.trim(),
        photo,
        placedAt: now,
        expectedEnd,
      }
      const hung = await stored.insertTag(database, tag, (behind) => ({
        ...by(actor, now, actions[on].place, tenantOfLine(line)),
        subject: place.subject,
        after: {
          tagId: tag.id,
          on,
          ...(on !== 'line' && behind),
          kind: tag.kind,
          reason: tag.reason,
          photo: photo !== null,
          expectedEnd,
        },
      }))
      if (hung.is === 'gone') throw new Refusal('device not exists')
      if (hung.is === 'end past') throw new Refusal('expected end past')
      changed(line, place, hung.hanging)
      const result = await list(actor, line)
      if (!result.items.some(({ TagID, On }) => TagID === body.TagID && On === on)) throw new Refusal('tag id used')
      return result
    },

    async remove(actor: Actor, line: PlantLine, tagId: string, reason: string | null): Promise<List<TagRecord>> {
      const inForce = await stored.tagsInForceOn(database.control, [line.id])
      const tag = inForce.get(line.id)?.find((each) => each.id === tagId)
      if (!tag) throw new Refusal('tag not exists')
      const own = tag.accountId === actor.accountId
      if (!own && !(actor.administrator && reason !== null)) throw new Refusal('tag of another', { holder: tag.holder })
      const now = clock()
      const place = placeOf(line, tag.on)
      const { removed, hanging } = await stored.removeTag(
        database,
        { id: tagId, on: { on: tag.on, id: place.at.id }, at: now, by: actor.userName, reason },
        (behind) => ({
          ...by(actor, now, actions[tag.on][own ? 'remove' : 'removeOfAnother'], tenantOfLine(line)),
          subject: place.subject,
          before: { tagId, on: tag.on, ...(tag.on !== 'line' && behind), holder: tag.holder, reason: tag.reason },
          after: { reason },
        }),
      )
      changed(line, place, hanging)
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
    const tags = await stored.tagsOf(database, line.id, maxTags)
    return {
      items: tags.map((tag) => ({
        TagID: tag.id,
        Kind: tag.kind,
        On: tag.on,
        Holder: tag.holder,
        Own: tag.accountId === actor.accountId,
        Reason: tag.reason,
        Photo: tag.photo,
        PlacedAt: tag.placedAt,
        ExpectedEnd: tag.expectedEnd,
        RemovedAt: tag.removedAt,
        RemovedBy: tag.removedBy,
        RemovedReason: tag.removedReason,
      })),
      total: tags.length,
    }
  }

  function changed(line: PlantLine, { at, behind }: Place, hanging: readonly PlantTag[]): void {
    at.ownTags = hanging
    const { gateway } = line.device
    hub.publish({ live: [{ to: { gateway }, needs: null, message: { t: 'tags', DeviceID: gateway.id } }], lines: behind })
  }
}

interface Place {
  readonly at: { readonly id: number; ownTags: readonly PlantTag[] }
  readonly subject: Subject
  /** The lines it is in force on. */
  readonly behind: readonly PlantLine[]
}

/** What a tag hangs on, seen from one of the lines behind it. */
function placeOf(line: PlantLine, on: TagPlace): Place {
  const { device } = line
  switch (on) {
    case 'line':
      return { at: line, subject: aboutLine(line), behind: [line] }
    case 'device':
      return { at: device, subject: aboutDevice(device), behind: [...device.lines.values()] }
    case 'gateway':
      return {
        at: device.gateway,
        subject: aboutGateway(device.gateway),
        behind: linesBehind(device.gateway),
      }
  }
}

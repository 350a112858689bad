import type { commentEvent, EventStep, eventPhoto, List, listEventSteps, Reply, Request } from '@linewarden/contract'
import { maxEventPhotos, Refusal } from '@linewarden/contract'
import type { Selectable } from 'kysely'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import { readPhoto } from '../../http/photo.ts'
import { changeEvents } from '../../store/alarm/change.ts'
import { eventTopic } from '../../store/alarm/event-record.ts'
import { countPhotos, photoOf, writePhoto } from '../../store/alarm/photo.ts'
import { stepsOf, storedComment } from '../../store/alarm/step.ts'
import type { Schema } from '../../store/core/schema.ts'
import type { AlarmDeps } from './deps.ts'
import type { SeenEvents } from './seen-events.ts'
import { numberOf } from './seen-events.ts'

/** What happened to an event, and what people write about it. */
export function createComments({ database, plant, hub, clock }: AlarmDeps, { seenEvent, eventToChange }: SeenEvents) {
  return {
    async steps(
      actor: Actor,
      eventId: string,
      { Page = 1, Size = 10 }: Request<typeof listEventSteps>['query'],
    ): Promise<List<EventStep>> {
      const { event_id } = await seenEvent(actor, eventId)
      const { rows, total } = await stepsOf(database, event_id, { page: Page, size: Size })
      return { items: rows.map(stepRecord), total }
    },

    /** The same comment again is the one that is there; its id for another event, text or photo is nobody's. */
    async comment(
      actor: Actor,
      eventId: string,
      { CommentID, Text, Photo }: Request<typeof commentEvent>['body'],
    ): Promise<Reply<typeof commentEvent>> {
      const found = await eventToChange(actor, eventId)
      if (found.state === null) throw new Refusal('event not exists')
      const photo = Photo ? readPhoto(Photo) : null
      const before = await storedComment(database, CommentID)
      if (before) return replayed(before, found.event_id, actor, Text.trim(), photo)
      const audit = {
        ...by(actor, clock(), 'event.comment', plant.projects.get(found.project_id)?.ownerId ?? null),
        subject: { kind: 'event', id: numberOf(found.event_id) },
        after: photo ? { text: Text, photo: true } : Text,
      } as const
      const done = await changeEvents(database, [found], {
        stepOf: ({ state, ...row }) =>
          state === null
            ? null
            : {
                step: {
                  row: { ...row, state },
                  act: 'comment',
                  at: audit.at,
                  actor: actor.userName,
                  reason: Text.trim(),
                  commentId: CommentID,
                },
                audit,
              },
        async alsoStore(trx, steps) {
          if (!photo || steps.length === 0) return
          if ((await countPhotos(trx, found.event_id)) >= maxEventPhotos)
            throw new Refusal('too many photos', { most: maxEventPhotos })
          await writePhoto(trx, found.event_id, CommentID, photo)
        },
      })
      const step = await storedComment(database, CommentID)
      if (!step) throw new Refusal('event not exists')
      hub.publish({ live: [...done.values()].map(({ row }) => eventTopic(plant, row, false)) })
      return stepRecord(step)
    },

    async photo(actor: Actor, eventId: string, commentId: string): Promise<Reply<typeof eventPhoto>> {
      const { event_id } = await seenEvent(actor, eventId)
      const found = await photoOf(database, event_id, commentId)
      if (!found) throw new Refusal('event not exists')
      return { Type: found.photo_type, Data: found.photo.toString('base64') }
    },
  }

  async function replayed(
    step: StepRow,
    eventId: string,
    actor: Actor,
    text: string,
    photo: ReturnType<typeof readPhoto> | null,
  ): Promise<EventStep> {
    const stored = step.has_photo ? await photoOf(database, step.event_id, step.comment_id ?? '') : undefined
    const isSame =
      step.event_id === eventId && step.actor === actor.userName && step.reason === text && isSamePhoto(stored?.photo, photo)
    // Else somebody would take for stored what is not.
    if (!isSame) throw new Refusal('comment not new')
    return stepRecord(step)
  }
}

const isSamePhoto = (stored: Buffer | undefined, sent: { readonly bytes: Buffer } | null): boolean =>
  stored && sent ? stored.equals(sent.bytes) : !stored && !sent

type StepRow = Selectable<Schema['event_transition']> & { readonly has_photo: boolean }

const stepRecord = (row: StepRow): EventStep => ({
  StepID: row.step_id,
  At: row.at.getTime(),
  Act: row.act,
  From: row.from_state,
  To: row.to_state,
  Actor: row.actor,
  Text: row.reason,
  Value: row.value,
  Limit: row.limit_value,
  CommentID: row.comment_id,
  Photo: row.has_photo,
})

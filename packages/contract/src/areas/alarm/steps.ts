import { alarmActs, alarmStates } from '@linewarden/rules/alarm'
import * as Type from 'typebox'
import { call, largeBodyBytes } from '../../core/call.ts'
import { Photo, StoredPhoto } from '../../core/photo.ts'
import { exact, orNull, paging, requiredText, uuid } from '../../core/schemas.ts'

/** Each may be as large as a photo may be, and nothing that was written is taken back. */
export const maxEventPhotos = 20

const EventID = Type.String({ pattern: '^[0-9]{1,18}$' })
const params = Type.Object({ EventID }, exact)

/** Something that happened to an event, or that somebody wrote about it. */
export const EventStep = Type.Object(
  {
    StepID: Type.String(),
    At: Type.Integer({ description: 'Unix ms' }),
    Act: Type.Enum(alarmActs),
    From: orNull(Type.Enum(alarmStates)),
    To: Type.Enum(alarmStates),
    Actor: orNull(Type.String({ description: 'Null: the equipment, or time' })),
    Text: orNull(Type.String({ description: 'What they wrote, or the reason they gave' })),
    Value: orNull(Type.Number()),
    Limit: orNull(Type.Number()),
    CommentID: orNull(Type.String({ description: 'Of a comment' })),
    Photo: Type.Boolean({ description: 'There is a photo with the comment' }),
  },
  exact,
)
export type EventStep = Type.Static<typeof EventStep>

export const listEventSteps = call({
  name: 'listEventSteps',
  method: 'GET',
  path: '/messages/:EventID/steps',
  area: 'alarm',
  permission: 'session',
  scope: { kind: 'event', id: 'EventID' },
  shows: ['events'],
  summary: 'Everything that happened to an event and was written about it, newest first',
  params,
  query: Type.Object(paging, exact),
  datas: EventStep,
})

export const commentEvent = call({
  name: 'commentEvent',
  method: 'POST',
  path: '/messages/:EventID/comments',
  audited: true,
  maxBodyBytes: largeBodyBytes,
  area: 'alarm',
  permission: 'session',
  scope: { kind: 'event', id: 'EventID' },
  touches: ['events'],
  summary: `Write something about an event, with a photo or without, for whoever sees it; nothing that was written is changed or taken back, and an event has at most ${maxEventPhotos} photos`,
  params,
  body: Type.Object(
    {
      CommentID: {
        ...uuid,
        description: 'Made once by the caller: sent again it is the same comment, with the same text and photo',
      },
      Text: requiredText(1_000),
      Photo: Type.Optional(Photo),
    },
    exact,
  ),
  data: EventStep,
})

export const eventPhoto = call({
  name: 'eventPhoto',
  method: 'GET',
  path: '/messages/:EventID/comments/:CommentID/photo',
  area: 'alarm',
  permission: 'session',
  scope: { kind: 'event', id: 'EventID' },
  summary: 'The photo of a comment on an event',
  params: Type.Object({ EventID, CommentID: uuid }, exact),
  data: StoredPhoto,
})

import { alarmActs, alarmStates } from '@linewarden/rules/alarm'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { exact, orNull, paging, requiredText, uuid } from '../../core/schemas.ts'

const params = Type.Object({ EventID: Type.String({ pattern: '^[0-9]{1,18}$' }) }, exact)

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
  area: 'alarm',
  permission: 'session',
  scope: { kind: 'event', id: 'EventID' },
  touches: ['events'],
  summary: 'Write something about an event, for whoever sees it; nothing that was written is changed or taken back',
  params,
  body: Type.Object(
    {
      CommentID: { ...uuid, description: 'Made once by the caller: sent again it is the same comment' },
      Text: requiredText(1_000),
    },
    exact,
  ),
  data: EventStep,
})

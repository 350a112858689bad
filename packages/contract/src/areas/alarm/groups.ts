import { priorities } from '@linewarden/equipment'
import { eventKinds } from '@linewarden/rules/alarm'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { exact, optional, orNull, paging, Text } from '../../core/schemas.ts'
import { EventPlace } from './alarm.ts'
import { eventFilter, eventNumber } from './event-list.ts'

/** By what open events are grouped: the gateway that they are behind, or the alarm that they are. */
export const groupings = ['place', 'key'] as const

export const EventGroup = Type.Object(
  {
    HouseID: orNull(Type.Integer({ description: 'Null: of several projects, as groups by alarm are' })),
    DeviceID: orNull(Type.Integer({ description: 'Null: of the project as a whole, or of several gateways' })),
    Where: EventPlace,
    Key: orNull(Type.String({ description: 'Null: of several alarms, as groups by place are' })),
    Label: orNull(Text),
    Kind: Type.Enum(eventKinds, { description: 'The gravest among them' }),
    Priority: Type.Enum(priorities, { description: 'The highest among them' }),
    Total: Type.Integer(),
    Unacknowledged: Type.Integer(),
    LastRaisedAt: Type.Integer({ description: 'Unix ms' }),
  },
  exact,
)
export type EventGroup = Type.Static<typeof EventGroup>

export const groupEvents = call({
  name: 'groupEvents',
  method: 'POST',
  path: '/messages/groups',
  reads: true,
  area: 'alarm',
  permission: 'session',
  scope: { kind: 'project', id: 'HouseID', optional: true, part: true },
  shows: ['events'],
  summary:
    'Open events in groups, by where they are or by what they are: those with the highest priority first, and of these the largest',
  body: Type.Object({ ...eventFilter, By: Type.Enum(groupings), UpTo: optional(eventNumber), ...paging }, exact),
  datas: EventGroup,
  about: Type.Object(
    {
      UpTo: Type.String({ description: 'The newest event there was' }),
      Mark: Type.String({ description: 'The newest call for somebody that there was' }),
    },
    exact,
  ),
})

import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { ControllerID, exact, id, optional, orNull, paging } from '../../core/schemas.ts'
import { EventPlace } from '../alarm/alarm.ts'
import { Day, onWarnings } from './warnings.ts'

/** A line that may be overloaded today, as on the last days alike. */
export const LoadAgain = Type.Object(
  {
    HouseID: Type.Integer(),
    DeviceID: Type.Integer(),
    LineID: Type.Integer(),
    ControllerID: Type.String(),
    LineNo: Type.Integer(),
    Where: EventPlace,
    Day: { ...Day, description: 'Today by the calendar of the project, that it is about' },
    Hours: Type.Array(Type.Integer({ minimum: 0, maximum: 23 }), {
      description: 'Local hours of that day in which it may be so, in order',
    }),
    Point: orNull(Type.String({ description: 'The phase with the highest current' })),
    Value: Type.Number({ description: 'The highest current of these hours on the last days alike' }),
    Limit: Type.Number({ description: 'The overload warning of the line' }),
    Unit: Type.String(),
    Used: Type.Integer({ description: 'So many days alike were looked at' }),
  },
  exact,
)
export type LoadAgain = Type.Static<typeof LoadAgain>

export const listLoadAgain = call({
  ...onWarnings,
  name: 'listLoadAgain',
  method: 'POST',
  path: '/warnings/today',
  reads: true,
  scope: { kind: 'project', id: 'HouseID', optional: true, part: true },
  shows: ['warningRules'],
  summary:
    'Lines that may be overloaded today, because the same hour of the last days alike passed the overload warning: shown for the day, and no event. By the share of that limit, the highest first',
  body: Type.Object(
    {
      HouseID: optional(id),
      CityID: optional(id),
      DeviceID: optional(id),
      ControllerID: optional(ControllerID),
      LineID: optional(id),
      ...paging,
    },
    exact,
  ),
  datas: LoadAgain,
})

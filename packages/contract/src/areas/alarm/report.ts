import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { exact, optional, sorting } from '../../core/schemas.ts'
import { eventFilter, eventNumber } from './event-list.ts'

/** The longest file of events: what is more is narrowed by the filter. */
export const maxExportedEvents = 100_000

export const exportEvents = call({
  name: 'exportEvents',
  method: 'POST',
  path: '/messages/report',
  reads: true,
  area: 'alarm',
  permission: 'hazard.alarmList',
  scope: { kind: 'project', id: 'HouseID', optional: true, part: true },
  summary: `Prepare a file of events, ${maxExportedEvents} at most; its one-use ticket starts the download at /downloads/{Ticket}`,
  body: Type.Object(
    {
      ...eventFilter,
      UpTo: optional(eventNumber),
      ...sorting('EventID', 'Priority', 'RaisedAt', 'Raises'),
      Format: Type.Enum(['csv', 'xlsx']),
      Language: Type.Enum(['CN', 'EN']),
    },
    exact,
  ),
  data: Type.Object({ Ticket: Type.String(), FileName: Type.String(), ExpiresAt: Type.Integer() }, exact),
})

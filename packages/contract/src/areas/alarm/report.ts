import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { asFile, FileTicket, maxExportedRows } from '../../core/file-ticket.ts'
import { exact, optional, sorting } from '../../core/schemas.ts'
import { eventFilter, eventNumber } from './event-list.ts'

export const exportEvents = call({
  name: 'exportEvents',
  method: 'POST',
  path: '/messages/report',
  reads: true,
  area: 'alarm',
  permission: 'hazard.alarmList',
  scope: { kind: 'project', id: 'HouseID', optional: true, part: true },
  summary: `Prepare a file of events, ${maxExportedRows} at most; its one-use ticket starts the download at /downloads/{Ticket}`,
  body: Type.Object(
    {
      ...eventFilter,
      UpTo: optional(eventNumber),
      ...sorting('EventID', 'Priority', 'RaisedAt', 'Raises'),
      ...asFile,
    },
    exact,
  ),
  data: FileTicket,
})

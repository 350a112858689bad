import { maxDeviceDataLines, maxDeviceDataPoints, type ReportPeriod, reportPeriods } from '@linewarden/rules/report'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { FileTicket } from '../../core/file-ticket.ts'
import { reportKindKeys } from '../../core/reports.ts'
import { called, exact, id, optional, orNull, paging, Text, time, uuid, Version } from '../../core/schemas.ts'
import type { ReportFormat } from '../../terms/report-kind.ts'
import { reportFormats } from '../../terms/report-kind.ts'

/**
 * Reports that go out by themselves, by mail. When and to whom is the same of all; what is in one its area says (`reports` of its manifest).
 */

export const maxSchedules = 50
export const maxRecipients = 20

/** A mail goes out by the server of the installation; null: none is set up, and reports can only be downloaded. */
const schedule = {
  area: 'report',
  permission: 'system.project',
  scope: { kind: 'project', id: 'HouseID' },
} as const
const changes = { ...schedule, audited: true, movesEquipment: false, touches: ['reportSchedules'] } as const

const Language = Type.Enum(['CN', 'EN'])
/** One mailbox: no name, no comment, no quoted part, which servers do not read alike. */
export const mailAddress = '^[A-Za-z0-9.!#$%&*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?$'
const Address = Type.String({ maxLength: 254, pattern: mailAddress, description: 'Of mail' })

/** An account with a mail address, or an address that has yet to agree. */
const Recipient = Type.Object(
  {
    AccountID: optional(uuid),
    Address: optional(Address),
    Language,
  },
  exact,
)

/** What of a project is reported. */
export const ReportScope = Type.Object(
  {
    DeviceID: optional(id),
    LineIDs: optional(Type.Array(id, { minItems: 1, maxItems: maxDeviceDataLines, uniqueItems: true })),
    Points: optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { minItems: 1, maxItems: maxDeviceDataPoints, uniqueItems: true }),
    ),
    Step: optional(Type.Enum(['quarter', 'hour', 'day'])),
  },
  exact,
)
export type ReportScope = Type.Static<typeof ReportScope>

const fields = {
  Name: called(60),
  Kind: Type.Enum(reportKindKeys),
  Scope: ReportScope,
  Period: Type.Enum([...reportPeriods] as [ReportPeriod, ...ReportPeriod[]], {
    description: 'Of which a report is: the last one that is over when it is due',
  }),
  Cron: Type.String({
    minLength: 9,
    maxLength: 100,
    description: "Minute, hour, day of the month, month, day of the week, by the project's clock",
  }),
  Format: Type.Enum([...reportFormats] as [ReportFormat, ...ReportFormat[]]),
  Enabled: Type.Boolean(),
} as const
const Recipients = Type.Array(Recipient, { minItems: 1, maxItems: maxRecipients })

/** How far a delivery is. `unknown`: the server had the message, and its answer did not come; it is not sent again by itself. */
export const deliveryStates = ['queued', 'sending', 'sent', 'refused', 'unknown'] as const
export type DeliveryState = (typeof deliveryStates)[number]

export const ReportRecipient = Type.Object(
  {
    RecipientID: Type.Integer(),
    AccountID: orNull(Type.String()),
    Name: orNull(Type.String({ description: 'Of the account' })),
    Address: orNull(Type.String({ description: 'Null: the account has none, or is gone' })),
    Language,
    State: Type.Enum(['account', 'asked', 'agreed', 'left'], {
      description: 'Of an address: has yet to agree, has agreed, has left; those that have not agreed are sent nothing',
    }),
  },
  exact,
)
export type ReportRecipient = Type.Static<typeof ReportRecipient>

export const ReportSchedule = Type.Object(
  {
    ScheduleID: Type.Integer(),
    HouseID: Type.Integer(),
    ...fields,
    Recipients: Type.Array(ReportRecipient),
    MadeBy: orNull(Type.String({ description: 'Whose rights, as they are when it is made, say what is in it' })),
    NextAt: orNull(time('Due next; null: it is off')),
    Version: Type.Integer(),
  },
  exact,
)
export type ReportSchedule = Type.Static<typeof ReportSchedule>

export const reportRunStates = ['waiting', 'made', 'done', 'failed', 'missed'] as const
export type ReportRunState = (typeof reportRunStates)[number]

export const ReportRun = Type.Object(
  {
    RunID: Type.Integer(),
    ScheduleID: Type.Integer(),
    Name: Type.String(),
    Kind: fields.Kind,
    From: Type.String({ description: 'First date of its period' }),
    To: Type.String({ description: 'The date after its last' }),
    DueAt: time('Due'),
    State: Type.Enum([...reportRunStates] as [ReportRunState, ...ReportRunState[]], {
      description:
        'Waits for what is lacking, made, every delivery over, not made, or due while no server ran and followed by a newer one',
    }),
    MadeAt: orNull(time('Made')),
    Known: orNull(Type.Number({ description: 'For which share of its time there are data; null: nothing of it can come late' })),
    Why: orNull(Text),
    Deliveries: Type.Array(
      Type.Object(
        {
          Address: Type.String(),
          State: Type.Enum([...deliveryStates] as [DeliveryState, ...DeliveryState[]]),
          Tries: Type.Integer(),
          At: orNull(time('Of the last attempt')),
          NextAt: orNull(time('Of the next attempt; null: there is none')),
          Answer: Type.String({ description: 'What the mail server said last; empty: nothing' }),
        },
        exact,
      ),
    ),
  },
  exact,
)
export type ReportRun = Type.Static<typeof ReportRun>

/** What became of one mail. */
const Sent = Type.Object(
  {
    State: Type.Enum(['sent', 'refused', 'unknown', 'later'], { description: '`later`: it was not taken now' }),
    Address: Type.String(),
    Answer: Type.String({ description: 'What the mail server said last, or why it could not be asked' }),
  },
  exact,
)

const one = { HouseID: id, ScheduleID: id }

export const listReportSchedules = call({
  ...schedule,
  name: 'listReportSchedules',
  method: 'GET',
  path: '/reports/schedules',
  shows: ['reportSchedules'],
  summary: 'Reports of a project that go out by themselves',
  query: Type.Object({ HouseID: id }, exact),
  datas: ReportSchedule,
  about: Type.Object(
    {
      From: orNull(Type.String({ description: 'As whom mail is sent; null: this installation sends none' })),
      TimeZone: Type.String({ description: "The project's" }),
      Accounts: Type.Array(Type.Object({ AccountID: Type.String(), Name: Type.String(), Address: Type.String() }, exact), {
        description: 'Those with a mail address to whom the asker may send',
      }),
    },
    exact,
  ),
})

/** What the body names beside its project. */
const ofContents = [
  { kind: 'gatewayId', id: 'Scope.DeviceID' },
  { kind: 'accountId', id: 'Recipients.AccountID' },
] as const

export const insertReportSchedule = call({
  ...changes,
  name: 'insertReportSchedule',
  method: 'POST',
  path: '/reports/schedules',
  subject: [{ kind: 'project', id: 'HouseID' }, { called: 'Name' }, ...ofContents],
  summary: 'Add a report that goes out by itself; each address that is not of an account is asked by mail first',
  body: Type.Object({ HouseID: id, ...fields, Recipients }, exact),
  data: ReportSchedule,
})

export const updateReportSchedule = call({
  ...changes,
  name: 'updateReportSchedule',
  method: 'PUT',
  path: '/reports/schedules',
  subject: [{ kind: 'project', id: 'HouseID' }, ...ofContents],
  summary: 'Write one anew; an address that has agreed need not again',
  body: Type.Object({ ...one, Version, ...fields, Recipients }, exact),
  data: ReportSchedule,
})

export const removeReportSchedule = call({
  ...changes,
  name: 'removeReportSchedule',
  method: 'DELETE',
  path: '/reports/schedules',
  summary: 'Take one out: nothing of it is sent any more',
  body: Type.Object({ ...one, Version }, exact),
})

export const runReport = call({
  ...changes,
  name: 'runReport',
  method: 'POST',
  path: '/reports/run',
  summary: 'Send the report of the last period that is over now. Of one period it is sent once',
  body: Type.Object(one, exact),
})

export const listReportRuns = call({
  ...schedule,
  name: 'listReportRuns',
  method: 'GET',
  path: '/reports/runs',
  shows: ['reportSchedules'],
  summary: 'What was sent of a project by itself, to whom, and what the mail server said, the newest first',
  query: Type.Object({ HouseID: id, ScheduleID: optional(id), ...paging }, exact),
  datas: ReportRun,
})

export const downloadReport = call({
  ...schedule,
  name: 'downloadReport',
  method: 'POST',
  path: '/reports/file',
  reads: true,
  summary:
    'Prepare the file of a report, as whoever asks may see it; its one-use ticket starts the download at /downloads/{Ticket}',
  body: Type.Object(
    {
      ...one,
      From: optional(
        Type.String({
          pattern: '^\\d{4}-\\d{2}-\\d{2}$',
          description: 'First date of its period; left out: the last that is over',
        }),
      ),
      Language,
    },
    exact,
  ),
  data: FileTicket,
})

export const sendTestMail = call({
  ...changes,
  name: 'sendTestMail',
  method: 'POST',
  path: '/reports/testMail',
  touches: [],
  summary: "Send a mail to one's own address, and answer what the mail server said",
  body: Type.Object({ HouseID: id }, exact),
  data: Sent,
})

export const askReportRecipient = call({
  ...changes,
  name: 'askReportRecipient',
  method: 'POST',
  path: '/reports/recipients/ask',
  summary: 'Send an address, once more, the link by which it agrees to get a report',
  body: Type.Object({ ...one, RecipientID: id }, exact),
  data: Sent,
})

import { alarmKinds, priorities } from '@linewarden/equipment'
import { rationaleOrigins } from '@linewarden/rules/alarm'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { asFile, FileTicket } from '../../core/file-ticket.ts'
import { exact, id, maybe, optional, orNull, paging, requiredText, Text } from '../../core/schemas.ts'

/** Characters of each text of the rationalisation sheet, in each language. */
export const maxRationaleText = 600

const onSheet = {
  area: 'alarm',
  permission: 'hazard.rationale',
  scope: { kind: 'project', id: 'HouseID', optional: true },
} as const

/** Left out: the default for all projects of the tenant about which nothing is written. */
const HouseID = optional(id)
const Key = Type.String({ pattern: '^[A-Za-z0-9.]{1,64}$', description: 'Of the alarm, such as `residual.alarm`' })

const textsOf = <S extends Type.TSchema>(both: S) =>
  Type.Object({ Cause: both, Consequence: both, Action: both, Time: both, Priority: both, Basis: both }, exact)
const Written = textsOf(Type.Object({ zh: requiredText(maxRationaleText), en: requiredText(maxRationaleText) }, exact))
/** Likely cause, what happens if nobody acts, what to do, time there is, why this priority, where the limit comes from. */
const Texts = textsOf(Text)
export type RationaleRecordTexts = Type.Static<typeof Texts>

export const AlarmRationaleRecord = Type.Object(
  {
    HouseID: orNull(Type.Integer({ description: 'For which it is listed; null: the default' })),
    Key: Type.String(),
    Label: Text,
    Kind: Type.Enum(alarmKinds),
    AlarmPriority: Type.Enum(priorities),
    Families: Type.Array(Text, { description: 'Equipment that raises it; empty: the server does, from links or rules' }),
    Origin: Type.Enum(rationaleOrigins, { description: 'Written for the project, as the default, built in, or nothing' }),
    Texts: orNull(Texts),
    PriorityFixed: Type.Boolean({ description: 'Fire, gas and arc: why they have their priority is not rewritten' }),
    Version: Type.Integer({ description: 'Sent back with a change; 0: nobody wrote anything here' }),
    ChangedAt: orNull(Type.Integer()),
    ChangedBy: orNull(Type.String()),
  },
  exact,
)
export type AlarmRationaleRecord = Type.Static<typeof AlarmRationaleRecord>

export const listAlarmRationales = call({
  ...onSheet,
  name: 'listAlarmRationales',
  method: 'GET',
  path: '/alarms/rationales',
  shows: ['rationales'],
  summary:
    'The rationalisation sheet as it is in force for a project, or as the default: every alarm that equipment or rules can raise, those without an answer too',
  query: Type.Object({ HouseID }, exact),
  datas: AlarmRationaleRecord,
  about: Type.Object({ Unanswered: Type.Integer({ description: 'Alarms without an answer' }) }, exact),
})

const Version = Type.Integer({
  ...{ minimum: 0, maximum: 2_147_483_647 },
  description: 'As it was read, 0 where nobody wrote anything here; another one is refused',
})
const Reason = optional(maybe(200, 'Why; it stands in the history'))
const subject = [{ kind: 'project', id: 'HouseID' }, { called: 'Key' }] as const

export const updateAlarmRationale = call({
  ...onSheet,
  name: 'updateAlarmRationale',
  subject,
  method: 'PUT',
  path: '/alarms/rationales/update',
  audited: true,
  touches: ['rationales'],
  summary: 'Write what the rationalisation sheet says of an alarm: shown with the alarm from now on',
  body: Type.Object({ HouseID, Key, Version, Texts: Written, Reason }, exact),
  data: AlarmRationaleRecord,
})

export const restoreAlarmRationale = call({
  ...onSheet,
  name: 'restoreAlarmRationale',
  subject,
  method: 'PUT',
  path: '/alarms/rationales/restore',
  audited: true,
  touches: ['rationales'],
  summary: 'Give up what was written for a project for the default, or the default for what is built in',
  body: Type.Object({ HouseID, Key, Version, Reason }, exact),
  data: AlarmRationaleRecord,
})

const RationaleChange = Type.Object(
  {
    Version: Type.Integer(),
    At: Type.Integer(),
    By: Type.String(),
    Reason: Type.String(),
    Restored: Type.Boolean({ description: 'From then on it is as the level above' }),
    Before: orNull(Texts),
    After: orNull(Texts),
  },
  exact,
)
export type RationaleChange = Type.Static<typeof RationaleChange>

export const listRationaleChanges = call({
  ...onSheet,
  name: 'listRationaleChanges',
  method: 'GET',
  path: '/alarms/rationales/history',
  shows: ['rationales'],
  summary: 'Who changed what of an alarm in the rationalisation sheet, newest first',
  query: Type.Object({ HouseID, Key, ...paging }, exact),
  datas: RationaleChange,
})

export const exportAlarmRationales = call({
  ...onSheet,
  name: 'exportAlarmRationales',
  method: 'POST',
  path: '/alarms/rationales/report',
  reads: true,
  summary: 'Prepare the rationalisation sheet as a file; its one-use ticket starts the download at /downloads/{Ticket}',
  body: Type.Object({ HouseID, ...asFile }, exact),
  data: FileTicket,
})

export const eventRationale = call({
  name: 'eventRationale',
  method: 'GET',
  path: '/messages/:EventID/rationale',
  area: 'alarm',
  permission: 'session',
  scope: { kind: 'event', id: 'EventID' },
  shows: ['rationales'],
  summary: 'What the rationalisation sheet says of an alarm where it was raised: what to do, how much time there is, and why',
  params: Type.Object({ EventID: Type.String({ pattern: '^[0-9]{1,18}$' }) }, exact),
  data: Type.Object({ Origin: Type.Enum(rationaleOrigins), Texts: orNull(Texts) }, exact),
})

import { links } from '@linewarden/rules/alarm'
import { commandStates } from '@linewarden/rules/control'
import { bypassedStates } from '@linewarden/rules/settings'
import * as Type from 'typebox'
import { call, listBodyBytes } from '../../core/call.ts'
import {
  ControllerID,
  called,
  exact,
  id,
  maybe,
  optional,
  orNull,
  paging,
  SettingValue,
  said,
  search,
  sorting,
  Text,
  time,
  uuid,
  Version,
} from '../../core/schemas.ts'
import { PermitCondition } from '../control/control.ts'

const LineNo = Type.Integer({ minimum: 0, maximum: 9999, description: '0: the detector itself' })
const Key = Type.String({ minLength: 1, maxLength: 64, description: 'Setting key of the family, such as `leakage.trip`' })

/** How many lines one order may reach. */
export const maxTargets = 500

const Wanted = Type.Array(Type.Object({ Key, Value: SettingValue }, exact), { minItems: 1, maxItems: 32 })

const why = {
  Reason: said(200),
  Grant: optional(
    Type.String({
      secret: true,
      minLength: 1,
      maxLength: 128,
      description:
        'From POST /users/control/grant, when a control password is set; for `set:{CommandID or BatchID}/{SHA-256 of targets and values}`',
    }),
  ),
  OffUntil: optional(
    time('Needed when a protection is switched off or set to where it hardly protects: when the former value comes back'),
  ),
} as const
const CommandID = { ...uuid, description: 'Made once per intent: sending it again never sets twice' }
const BatchID = { ...uuid, description: 'Made once per intent, for all its targets: sending it again never sets twice' }
const one = { CommandID, ...why } as const
/** What every order for one target carries beside its values. */
export const oneSetting = one
const many = { BatchID, ...why } as const

const Target = Type.Object({ ControllerID, LineNo }, exact)
export type SettingTarget = Type.Static<typeof Target>

/** Who or what ordered a change. `expiry`: a protection that was off came back by itself. */
export const settingSources = ['console', 'copy', 'template', 'undo', 'expiry'] as const
export type SettingSource = (typeof settingSources)[number]

/**
 * One order to one line (or to a gateway, whose reporting interval it is). `acknowledged` is the gateway's word only; `verified`: the
 * equipment reported the new values. `unknown`: silence past the deadline; later telemetry resolves it.
 */
export const SettingChange = Type.Object(
  {
    CommandID: Type.String(),
    BatchID: Type.String(),
    DeviceID: Type.Integer({ description: 'The gateway' }),
    LineID: orNull(Type.Integer()),
    ControllerID: orNull(Type.String()),
    LineNo: orNull(Type.Integer()),
    LineName: Type.String({ description: 'Or the name of the gateway' }),
    Settings: Type.Array(
      Type.Object(
        { Key: Type.String(), Wanted: Type.Number(), Former: orNull(Type.Number({ description: 'As reported before' })) },
        exact,
      ),
    ),
    State: Type.Enum(commandStates),
    Outcome: orNull(Type.String()),
    Actor: Type.String(),
    Source: Type.Enum(settingSources),
    Reason: Type.String(),
    Template: orNull(Type.String({ description: 'Name of the template it came from' })),
    Undoes: orNull(Type.String({ description: 'CommandID of the change it takes back' })),
    OffUntil: orNull(time('when the former value comes back by itself')),
    RequestedAt: Type.Integer(),
    Deadline: Type.Integer(),
    SentAt: orNull(Type.Integer()),
    AcknowledgedAt: orNull(Type.Integer()),
    VerifiedAt: orNull(Type.Integer()),
    EndedAt: orNull(Type.Integer()),
  },
  exact,
)
export type SettingChange = Type.Static<typeof SettingChange>

/** What became of one target of an order: sent, or refused with a text of the catalogue, and then nothing was sent to it. */
export const TargetResult = Type.Object(
  {
    ControllerID: Type.String(),
    LineNo: Type.Integer(),
    Change: orNull(SettingChange),
    Refused: orNull(
      Type.Object(
        {
          Message: Type.String(),
          Text,
          Problems: Type.Array(Type.Object({ Path: Type.String(), Text }, exact)),
        },
        exact,
      ),
    ),
  },
  exact,
)
export type TargetResult = Type.Static<typeof TargetResult>

/** One setting of one line: what was asked for and what the equipment says. */
export const SettingState = Type.Object(
  {
    Key: Type.String(),
    Reported: orNull(Type.Number()),
    ReportedAt: orNull(time('when this value was first reported')),
    Desired: orNull(Type.Number()),
    DesiredAt: orNull(time('when it was asked for')),
    By: orNull(Type.String()),
    Source: orNull(Type.Enum(settingSources)),
    /** What rules use: the reported value, else the family's default. */
    Effective: orNull(Type.Number()),
    Min: orNull(Type.Number()),
    Max: orNull(Type.Number()),
    Standing: Type.Enum(['same', 'drift', 'notSet', 'notReported'], { description: '`drift`: reported differs from desired' }),
    Off: orNull(
      Type.Object(
        {
          Until: time('when the former value comes back'),
          Former: Type.Number(),
          State: Type.Enum(bypassedStates, { description: '`failed`: it could not be restored' }),
          Reason: Type.String(),
        },
        exact,
      ),
    ),
  },
  exact,
)
export type SettingState = Type.Static<typeof SettingState>

export const LineSettings = Type.Object(
  {
    LineID: Type.Integer(),
    ControllerID: Type.String(),
    LineNo: Type.Integer(),
    LineName: Type.String(),
    DeviceID: Type.Integer(),
    GatewayName: Type.String(),
    Link: Type.Enum(links),
    /** Why no order gets to it now; null: it does. */
    Unreachable: orNull(Text),
    /** What else stands against setting it now, and who can clear it; an order under way is in `UnderWay`. */
    Unmet: Type.Array(PermitCondition),
    Family: Type.String(),
    Model: Type.String(),
    RatedCurrentA: orNull(Type.Number()),
    IntervalSeconds: Type.Number({ description: 'How often its gateway reports' }),
    Settings: Type.Array(SettingState),
    UnderWay: orNull(SettingChange),
  },
  exact,
)
export type LineSettings = Type.Static<typeof LineSettings>

const common = { area: 'settings', permission: 'devmon.params' } as const
const onLine = { ...common, scope: { kind: 'line', device: 'ControllerID', line: 'LineNo' } } as const

export const setStatus = call({
  ...common,
  scope: { kind: 'line', device: 'ID', line: 'LineNo' },
  name: 'setStatus',
  audited: true,
  method: 'PUT',
  path: '/status/:ID/:type/:attr',
  touches: ['settings', 'lines'],
  summary: 'Set one value of a line: `overload/trip`, `leakage/trip`, `overvoltage/trip`',
  params: Type.Object(
    { ID: ControllerID, type: Type.String({ minLength: 1, maxLength: 32 }), attr: Type.String({ minLength: 1, maxLength: 32 }) },
    exact,
  ),
  body: Type.Object({ LineNo, Value: SettingValue, ...one }, exact),
  data: SettingChange,
})

export const setController = call({
  ...common,
  scope: { kind: 'controller', id: 'ControllerID' },
  name: 'setController',
  audited: true,
  method: 'PUT',
  path: '/status/:ControllerID',
  touches: ['settings', 'lines'],
  summary: 'Set the same values on every line of a device',
  params: Type.Object({ ControllerID }, exact),
  body: Type.Object({ Settings: Wanted, ...many }, exact),
  datas: TargetResult,
})

export const updateLine = call({
  ...onLine,
  name: 'updateLine',
  audited: true,
  method: 'PUT',
  path: '/devices/updateline',
  touches: ['settings', 'lines'],
  summary: 'Set values of one line; all of them are taken or none',
  body: Type.Object({ ControllerID, LineNo, Settings: Wanted, ...one }, exact),
  data: SettingChange,
})

export const updateThreeLine = call({
  ...onLine,
  name: 'updateThreeLine',
  audited: true,
  method: 'PUT',
  path: '/lines/threeline/update',
  touches: ['settings', 'lines'],
  summary: 'Set values of a three-phase line; any other line is refused',
  body: Type.Object({ ControllerID, LineNo, Settings: Wanted, ...one }, exact),
  data: SettingChange,
})

export const updateLines = call({
  ...common,
  scope: { kind: 'own' },
  name: 'updateLines',
  subject: [
    { kind: 'line', each: 'Targets' },
    { kind: 'template', id: 'TemplateID' },
  ],
  maxBodyBytes: listBodyBytes,
  audited: true,
  method: 'PUT',
  path: '/devices/updateline/batch',
  touches: ['settings', 'lines'],
  summary: 'Set the same values on many lines; each line answers for itself',
  body: Type.Object(
    {
      Targets: Type.Array(Target, { minItems: 1, maxItems: maxTargets }),
      Settings: Wanted,
      TemplateID: optional({ ...id, description: 'Where the values come from; absent: copied by hand' }),
      ...many,
    },
    exact,
  ),
  datas: TargetResult,
})

export const setReportingInterval = call({
  ...common,
  scope: { kind: 'gateway', id: 'DeviceID' },
  name: 'setReportingInterval',
  audited: true,
  method: 'PUT',
  path: '/devices/interval',
  touches: ['settings', 'lines'],
  summary: 'Set how often a gateway reports',
  body: Type.Object({ DeviceID: id, Seconds: Type.Integer({ minimum: 0, maximum: 86_400 }), ...one }, exact),
  data: SettingChange,
})

export const analyseStatus = call({
  ...common,
  scope: { kind: 'own' },
  name: 'analyseStatus',
  maxBodyBytes: listBodyBytes,
  method: 'POST',
  path: '/status/analysis',
  reads: true,
  shows: ['settings'],
  summary: 'Desired against reported of some lines, with ranges, for the form, for comparing and for finding what drifted',
  body: Type.Object({ Targets: Type.Array(Target, { minItems: 1, maxItems: maxTargets }) }, exact),
  datas: LineSettings,
})

export const settingHistory = call({
  ...common,
  scope: { kind: 'own' },
  name: 'settingHistory',
  method: 'POST',
  path: '/settings/history',
  reads: true,
  shows: ['settings'],
  summary: 'Every change of settings I may see, newest first',
  body: Type.Object(
    {
      Target: optional(Target),
      BatchID: optional(uuid),
      Off: optional(Type.Boolean({ description: 'Only what switched a protection off or weakened it' })),
      ...paging,
      ...sorting('RequestedAt', 'Actor', 'State'),
    },
    exact,
  ),
  datas: SettingChange,
})

/** One step of a change as it was stored, with the fact that made it. */
export const SettingStep = Type.Object(
  { State: Type.Enum(commandStates), At: Type.Integer(), Evidence: Type.Record(Type.String(), Type.Unknown()) },
  exact,
)
export type SettingStep = Type.Static<typeof SettingStep>

export const settingSteps = call({
  ...common,
  scope: { kind: 'own' },
  name: 'settingSteps',
  method: 'GET',
  path: '/settings/history/:CommandID',
  summary: 'Every step of one change with its time and evidence',
  params: Type.Object({ CommandID: uuid }, exact),
  data: Type.Object({ Change: SettingChange, Steps: Type.Array(SettingStep) }, exact),
})

export const undoSetting = call({
  ...common,
  scope: { kind: 'own' },
  name: 'undoSetting',
  subject: [{ kind: 'change', id: 'ChangeID' }],
  audited: true,
  method: 'PUT',
  path: '/settings/undo',
  touches: ['settings', 'lines'],
  summary:
    'Set what one change had changed back to what it was before. What was changed again since is refused, unless it is in `Seen`',
  body: Type.Object(
    {
      ChangeID: uuid,
      /** What the person was shown as standing there now. */
      Seen: optional(Type.Array(Type.Object({ Key, Value: SettingValue }, exact), { maxItems: 64 })),
      ...one,
    },
    exact,
  ),
  data: SettingChange,
})

export const SettingTemplate = Type.Object(
  {
    TemplateID: Type.Integer(),
    Name: Type.String(),
    Family: Type.String(),
    Settings: Type.Array(Type.Object({ Key: Type.String(), Value: Type.Number() }, exact)),
    Remark: Type.String(),
    ChangedBy: Type.String(),
    ChangedAt: Type.Integer(),
    Version: Type.Integer(),
  },
  exact,
)
export type SettingTemplate = Type.Static<typeof SettingTemplate>

const TemplateForm = {
  Name: called(64),
  Family: Type.String({ minLength: 1, maxLength: 64 }),
  Settings: Wanted,
  Remark: optional(maybe(200)),
} as const

const onTemplates = { ...common, scope: { kind: 'own' } } as const

export const queryTemplates = call({
  ...onTemplates,
  name: 'queryTemplates',
  method: 'POST',
  path: '/settings/templates/query',
  reads: true,
  shows: ['templates'],
  summary: 'Templates of settings of my own tree',
  body: Type.Object(
    { Name: search, Family: optional(Type.String({ maxLength: 64 })), ...paging, ...sorting('Name', 'ChangedBy', 'ChangedAt') },
    exact,
  ),
  datas: SettingTemplate,
})

export const insertTemplate = call({
  ...onTemplates,
  name: 'insertTemplate',
  subject: [{ called: 'Name' }],
  method: 'POST',
  path: '/settings/templates/insert',
  audited: true,
  touches: ['templates'],
  summary: 'Keep values as a template',
  body: Type.Object(TemplateForm, exact),
  data: SettingTemplate,
})

export const updateTemplate = call({
  ...onTemplates,
  name: 'updateTemplate',
  subject: [{ kind: 'template', id: 'TemplateID' }],
  method: 'PUT',
  path: '/settings/templates/update',
  audited: true,
  touches: ['templates'],
  summary: 'Change a template; lines that were set from it stay as they are',
  body: Type.Object({ TemplateID: id, Version, ...TemplateForm }, exact),
  data: SettingTemplate,
})

export const deleteTemplate = call({
  ...onTemplates,
  name: 'deleteTemplate',
  subject: [{ kind: 'template', id: 'TemplateID' }],
  method: 'PUT',
  path: '/settings/templates/delete',
  audited: true,
  touches: ['templates'],
  summary: 'Remove a template; lines that were set from it stay as they are',
  body: Type.Object({ TemplateID: id }, exact),
})

import { commandStates } from '@linewarden/rules/control'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { exact, optional, orNull, paging, sorting, Text, time, uuid } from '../../core/schemas.ts'
import { SettingTarget, toSet } from './setting-order.ts'

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

export const settingHistory = call({
  ...toSet,
  scope: { kind: 'own' },
  name: 'settingHistory',
  method: 'POST',
  path: '/settings/history',
  reads: true,
  shows: ['settings'],
  summary: 'Every change of settings I may see, newest first',
  body: Type.Object(
    {
      Target: optional(SettingTarget),
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
  ...toSet,
  scope: { kind: 'own' },
  name: 'settingSteps',
  method: 'GET',
  path: '/settings/history/:CommandID',
  summary: 'Every step of one change with its time and evidence',
  params: Type.Object({ CommandID: uuid }, exact),
  data: Type.Object({ Change: SettingChange, Steps: Type.Array(SettingStep) }, exact),
})

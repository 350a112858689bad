import { links } from '@linewarden/rules/alarm'
import { bypassedStates } from '@linewarden/rules/settings'
import * as Type from 'typebox'
import { call, listBodyBytes } from '../../core/call.ts'
import { exact, orNull, Text, time } from '../../core/schemas.ts'
import { PermitCondition } from '../control/control.ts'
import { SettingChange, settingSources } from './setting-change.ts'
import { maxTargets, SettingTarget, toSet } from './setting-order.ts'

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

export const analyseStatus = call({
  ...toSet,
  scope: { kind: 'own' },
  name: 'analyseStatus',
  maxBodyBytes: listBodyBytes,
  method: 'POST',
  path: '/status/analysis',
  reads: true,
  shows: ['settings'],
  summary: 'Desired against reported of some lines, with ranges, for the form, for comparing and for finding what drifted',
  body: Type.Object({ Targets: Type.Array(SettingTarget, { minItems: 1, maxItems: maxTargets }) }, exact),
  datas: LineSettings,
})

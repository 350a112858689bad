import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { exact, id, LineTarget, linePlace, optional, orNull, paging, requiredText, time } from '../../core/schemas.ts'

/** A person's word on a line against its timers. */
export const LineOverride = Type.Object(
  {
    Kind: orNull(
      Type.Enum(['next', 'until', 'stay'], {
        description: '`until`: nothing timed is done before then. `stay`: nothing timed closes it. Null: timers act as they are',
      }),
    ),
    Since: orNull(Type.Integer()),
    Until: orNull(Type.Integer({ description: 'Of `until`; of `next` when the next timed action is due' })),
    By: orNull(Type.String({ description: 'Null also of whoever opened it by hand at the breaker' })),
    Reason: Type.String(),
  },
  exact,
)
export type LineOverride = Type.Static<typeof LineOverride>

const onLine = {
  area: 'automation',
  path: '/lines/:ControllerID/:LineNo/override',
  scope: { kind: 'line', device: 'ControllerID', line: 'LineNo' },
  params: LineTarget,
  data: LineOverride,
} as const

export const lineOverride = call({
  ...onLine,
  name: 'lineOverride',
  method: 'GET',
  permission: 'devmon.realtime',
  alsoFor: ['timer.list', 'timer.log'],
  shows: ['timers'],
  summary: "A person's word on a line against its timers",
})

/** One line that people have put on hold. */
const OverriddenLine = Type.Object(
  {
    ...{ LineID: Type.Integer(), ...linePlace, LineName: Type.String(), HouseID: Type.Integer(), HouseName: Type.String() },
    TimeZone: Type.String({ description: 'Of its project' }),
    Timed: Type.Boolean({ description: 'Timers act on it; false: linkages or scenes alone would close it' }),
    ...LineOverride.properties,
  },
  exact,
)
export type OverriddenLine = Type.Static<typeof OverriddenLine>

export const queryOverrides = call({
  name: 'queryOverrides',
  area: 'automation',
  permission: 'timer.list',
  alsoFor: ['timer.log', 'linkage.list', 'scene.list', 'devmon.realtime'],
  scope: { kind: 'project', id: 'HouseID', optional: true, part: true },
  method: 'POST',
  path: '/overrides/query',
  reads: true,
  shows: ['timers'],
  summary:
    'Lines that a person has put on hold, of those that timers act on or that linkages or scenes would close, the latest word first',
  body: Type.Object({ HouseID: optional(id), ...paging }, exact),
  datas: OverriddenLine,
})

export const overrideLine = call({
  ...onLine,
  name: 'overrideLine',
  method: 'PUT',
  permission: 'lineSwitch',
  touches: ['timers'],
  summary:
    'Put the timed actions of a line on hold until an instant, at most 14 days; or keep it open, or only until the next one',
  body: Type.Object(
    { Kind: Type.Enum(['next', 'until', 'stay']), Until: optional(time('Of `until`')), Reason: requiredText(200) },
    exact,
  ),
})

export const releaseLine = call({
  ...onLine,
  name: 'releaseLine',
  method: 'DELETE',
  permission: 'lineSwitch',
  touches: ['timers'],
  summary: 'Let the timers of a line act again',
})

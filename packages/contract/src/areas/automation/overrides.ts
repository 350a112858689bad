import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { exact, LineTarget, optional, orNull, requiredText, time } from '../../core/schemas.ts'

/** A person's word on a line against its timers. */
const LineOverride = Type.Object(
  {
    Kind: orNull(
      Type.Enum(['next', 'until', 'stay'], {
        description: '`until`: nothing timed is done before then. `stay`: nothing timed closes it. Null: timers act as they are',
      }),
    ),
    Since: orNull(Type.Integer()),
    Until: orNull(Type.Integer()),
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

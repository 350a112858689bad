import { eventKinds } from '@linewarden/rules/alarm'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { exact, linePlace, orNull, Text } from '../../core/schemas.ts'
import { ReadingRow } from '../monitor/monitor.ts'
import { CommandRecord } from './control.ts'

const onLine = { area: 'control', scope: { kind: 'line', device: 'ControllerID', line: 'LineNo' } } as const

/** A line above or below the one that tripped, as it stands now. */
export const NeighbourLine = Type.Object(
  {
    LineID: Type.Integer(),
    ...linePlace,
    LineName: Type.String(),
    Position: orNull(Type.String()),
    /** It opened within a minute of the trip. */
    OpenedAt: orNull(Type.Integer()),
  },
  exact,
)

const around = {
  Upstream: Type.Array(NeighbourLine, { description: 'Up to the supply, nearest first, as far as whoever asks sees them' }),
  FeederUnseen: Type.Boolean({
    description: 'The line that feeds this one directly belongs to a gateway that whoever asks does not see',
  }),
  Downstream: Type.Array(NeighbourLine, { description: 'At any depth, by gateway, device and line number' }),
}

export const TripAnalysis = Type.Object(
  {
    /** Device time of the opening. */
    At: Type.Integer(),
    Cause: orNull(Type.String({ description: 'Value key of the state `trip.cause`; null: it was not reported' })),
    /** A person must record why before the line may be closed remotely. */
    CauseRequired: Type.Boolean(),
    Explained: orNull(Type.String()),
    ExplainedAt: orNull(Type.Integer()),
    /** The command that opened it; null: nobody ordered it. */
    Command: orNull(CommandRecord),
    /** Point keys, and the values of the minute before the opening and ten seconds after it. */
    Points: Type.Array(Type.String()),
    Rows: Type.Array(ReadingRow),
    /** What else was reported of the line in that time. */
    Events: Type.Array(
      Type.Object({ EventID: Type.String(), At: Type.Integer(), Kind: Type.Enum(eventKinds), Label: Text }, exact),
    ),
    ...around,
  },
  exact,
)
export type TripAnalysis = Type.Static<typeof TripAnalysis>

export const lineTrips = call({
  ...onLine,
  name: 'lineTrips',
  method: 'GET',
  path: '/lines/:ControllerID/:LineNo/trips',
  permission: 'devmon.realtime',
  summary: 'When the line opened, newest first',
  params: Type.Object(linePlace, exact),
  datas: Type.Object({ EventID: Type.String(), At: Type.Integer() }, exact),
})

export const tripAnalysis = call({
  ...onLine,
  name: 'tripAnalysis',
  method: 'GET',
  path: '/lines/:ControllerID/:LineNo/trips/:EventID',
  permission: 'devmon.realtime',
  shows: ['upstreamLines', 'tripCauses'],
  summary: 'What happened around one opening of the line: values, cause, what hangs above and below it',
  params: Type.Object({ ...linePlace, EventID: Type.String({ pattern: '^[0-9]{1,19}$', maxLength: 19 }) }, exact),
  data: TripAnalysis,
})

export const lineFeed = call({
  ...onLine,
  name: 'lineFeed',
  method: 'GET',
  path: '/lines/:ControllerID/:LineNo/feed',
  permission: 'devmon.realtime',
  shows: ['upstreamLines'],
  summary: 'Which lines feed this one, nearest first, and which it feeds',
  params: Type.Object(linePlace, exact),
  data: Type.Object(around, exact),
})

export const setFeed = call({
  ...onLine,
  name: 'setFeed',
  subject: [
    { kind: 'line', device: 'ControllerID', line: 'LineNo' },
    { kind: 'line', each: 'FedBy' },
    { kind: 'line', each: 'Was' },
  ],
  audited: true,
  method: 'PUT',
  path: '/lines/:ControllerID/:LineNo/feed',
  permission: 'lineSwitch',
  touches: ['upstreamLines'],
  summary: 'Say which line of the project feeds this one, from now or from a past date on',
  params: Type.Object(linePlace, exact),
  body: Type.Object(
    {
      FedBy: orNull(Type.Object(linePlace, exact)),
      Was: Type.Union([Type.Object(linePlace, exact), Type.Enum(['unseen']), Type.Null()], {
        description:
          'Which line fed it as it was read, `unseen` with `FeederUnseen`; when it is another by now, the call is refused',
      }),
      Since: Type.Optional(
        Type.String({
          ...{ pattern: '^\\d{4}-\\d{2}-\\d{2}$', maxLength: 10 },
          description:
            'A date of the project on which it was so already: what fed it since counts for nothing, and energy of those dates is summed again. Left out: from now on',
        }),
      ),
    },
    exact,
  ),
})

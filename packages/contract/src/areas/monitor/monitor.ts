import { alarmKinds, priorities } from '@linewarden/equipment'
import { links } from '@linewarden/rules/alarm'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { exact, LineTarget, orNull, time } from '../../core/schemas.ts'

const linkReason = orNull(
  Type.String({
    description:
      '`death`, `link`, `silence`; `absent`: a device that its gateway did not bring along; `restart`: not heard since the server started',
  }),
)

/** `offline`: death or link loss. `stale`: silent for three reporting periods. `never`: not seen since it was added. */
export const GatewayLink = Type.Object(
  {
    DeviceID: Type.Integer(),
    Link: Type.Enum(links),
    Since: orNull(time('since when')),
    Reason: linkReason,
  },
  exact,
)
export type GatewayLink = Type.Static<typeof GatewayLink>

/** The same of a device behind it. While the gateway is not online this is the gateway's. */
export const DeviceLink = Type.Object(
  { ControllerID: Type.String(), Link: GatewayLink.properties.Link, Since: GatewayLink.properties.Since, Reason: linkReason },
  exact,
)
export type DeviceLink = Type.Static<typeof DeviceLink>

/** The last values a line (or a device, as line 0) reported. Values stand in the order of its family's points. */
export const LineState = Type.Object(
  {
    LineID: Type.Integer(),
    At: orNull(time('device time of the newest live values')),
    ReceivedAt: orNull(time('when the server had them')),
    Quality: Type.Enum(['good', 'clock', 'stale', 'missing'], {
      description:
        '`clock`: device time more than 5 minutes off; `stale`: the equipment is not online, these values and states are the last known; `missing`: nothing was ever reported',
    }),
    Values: Type.Array(orNull(Type.Number())),
    States: Type.Record(Type.String(), orNull(Type.String()), { description: 'State point key to value key; null: not known' }),
    PositionAt: orNull(time('when the reported position was last confirmed')),
    PositionSince: orNull(time('since when the position is what it is; null: its change was not observed')),
    /** Kinds and counts of active alarms, worst first; empty when normal. */
    Active: Type.Array(
      Type.Object(
        {
          EventID: Type.String(),
          Key: Type.String(),
          Kind: Type.Enum(alarmKinds),
          Priority: Type.Enum(priorities),
          Point: orNull(Type.String()),
        },
        exact,
      ),
    ),
    /** How many lock-out tags are in force on it, wherever they hang: on it, on its device or on its whole gateway. */
    Tags: Type.Integer(),
    /** A command under way; null when none. */
    Pending: orNull(Type.Object({ CommandID: Type.String(), Action: Type.String() }, exact)),
  },
  exact,
)
export type LineState = Type.Static<typeof LineState>

/** The tree beside these pages shows where each line stands, and they name lines. */
const pagesBesideTree = [
  'devmon.ledger',
  'devmon.hisdata',
  'devmon.params',
  'devmon.selftests',
  'devmon.faultalarm',
  'hazard.alarmList',
  'hazard.analysis',
  'hazard.workorder',
  'hazard.patrol',
  'hazard.devTest',
  'timer.list',
  'scene.list',
  'linkage.list',
  'linkage.log',
  'timer.log',
  'scene.log',
  'energy.energy',
  'system.report',
] as const

export const snapshot = call({
  name: 'snapshot',
  onWalls: true,
  method: 'GET',
  path: '/monitor/lines',
  area: 'monitor',
  permission: 'devmon.realtime',
  alsoFor: pagesBesideTree,
  scope: { kind: 'project', id: 'HouseID', optional: true, part: true },
  summary: 'The last reported state of every line of a project, or of all my projects',
  query: Type.Object({ HouseID: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })) }, exact),
  datas: LineState,
})

export const TaggedLine = Type.Object(
  {
    LineID: Type.Integer(),
    HouseID: Type.Integer(),
    Tags: Type.Integer({ description: 'How many are in force on it, wherever they hang' }),
  },
  exact,
)

export const taggedLines = call({
  name: 'taggedLines',
  method: 'GET',
  path: '/monitor/tagged',
  area: 'monitor',
  // Whoever sees a line on any page sees its tags: the answer has no others.
  permission: 'session',
  scope: { kind: 'own' },
  shows: ['tags'],
  keepsAlive: false,
  summary: 'Lines of mine on which a lock-out tag is in force: a page that names one of them says so, whatever else it shows',
  datas: TaggedLine,
})

/** What is set and what counts as normal for one line; `Reported` is what the equipment says, null when it never said. */
export const LineSetting = Type.Object(
  {
    Key: Type.String(),
    Reported: orNull(Type.Number()),
    /** What rules use: the reported value, else the family's default. */
    Effective: orNull(Type.Number()),
    Min: orNull(Type.Number()),
    Max: orNull(Type.Number()),
  },
  exact,
)

export const LineDetails = Type.Object(
  {
    LineID: Type.Integer(),
    LineNo: Type.Integer(),
    LineName: Type.String(),
    ControllerID: Type.String(),
    DeviceName: Type.String(),
    Family: Type.String(),
    Model: Type.String(),
    RatedCurrentA: orNull(Type.Number()),
    HouseID: Type.Integer(),
    HouseName: Type.String(),
    DeviceID: Type.Integer(),
    GatewayName: Type.String(),
    Link: DeviceLink,
    State: LineState,
    Settings: Type.Array(LineSetting),
  },
  exact,
)
export type LineDetails = Type.Static<typeof LineDetails>

export const lineDetails = call({
  name: 'lineDetails',
  method: 'GET',
  path: '/lines/:ControllerID/:LineNo',
  area: 'monitor',
  permission: 'devmon.realtime',
  alsoFor: ['devmon.hisdata'],
  scope: { kind: 'line', device: 'ControllerID', line: 'LineNo' },
  shows: ['lines'],
  summary: 'One line: state, settings, where it is',
  params: LineTarget,
  data: LineDetails,
})

/** Samples that the equipment recorded when something happened, in the recording's unit. */
export const RecordingRecord = Type.Object(
  {
    Key: Type.String(),
    At: time('device time it was reported with'),
    Unit: Type.String(),
    PerSecond: Type.Integer(),
    Samples: Type.Array(Type.Number()),
  },
  exact,
)
export type RecordingRecord = Type.Static<typeof RecordingRecord>

export const lineRecordings = call({
  name: 'lineRecordings',
  method: 'GET',
  path: '/lines/:ControllerID/:LineNo/recordings',
  area: 'monitor',
  permission: 'devmon.realtime',
  scope: { kind: 'line', device: 'ControllerID', line: 'LineNo' },
  summary: 'What a line recorded in a range of at most 31 days, such as the current while it arced; at most 20, oldest first',
  params: LineTarget,
  query: Type.Object({ From: time('start, included'), To: time('end, excluded') }, exact),
  datas: RecordingRecord,
})

/** `[device time in Unix ms, value of each point, what is to be known of them]`; null is a missing value. */
export const ReadingRow = Type.Tuple([
  Type.Integer(),
  Type.Array(orNull(Type.Number())),
  Type.Integer({
    description: 'Bits; 1: the device clock was off, 2: back-filled after an interruption; 0: as reported at that time',
  }),
])
export type ReadingRow = Type.Static<typeof ReadingRow>

const Readings = Type.Object(
  {
    /** Point keys, in the order of each row's values. */
    Points: Type.Array(Type.String()),
    /** Oldest first. */
    Rows: Type.Array(ReadingRow),
    BucketMs: Type.Integer({ description: '0: raw values; otherwise the width of each averaged bucket' }),
  },
  exact,
)

export const lineReadings = call({
  name: 'lineReadings',
  method: 'GET',
  path: '/lines/:ControllerID/:LineNo/readings',
  area: 'monitor',
  permission: 'devmon.realtime',
  scope: { kind: 'line', device: 'ControllerID', line: 'LineNo' },
  summary: 'Stored values of one line over a range of at most 31 days',
  params: LineTarget,
  query: Type.Object({ From: time('start, included'), To: time('end, excluded') }, exact),
  data: Readings,
})

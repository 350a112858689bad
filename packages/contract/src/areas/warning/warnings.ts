import { notEvaluatedReasons, warningLevels } from '@linewarden/rules/warning'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { asFile, FileTicket, maxExportedRows } from '../../core/file-ticket.ts'
import { ControllerID, exact, id, optional, orNull, paging, Text, time } from '../../core/schemas.ts'
import { EventRecord } from '../alarm/alarm.ts'

/** Days of the spark line of a finding. */
export const sparkDays = 35
const EventID = Type.String({ pattern: '^[0-9]{1,18}$' })
const number = orNull(Type.Number())
/** A local day. */
export const Day = Type.String({ description: 'By the calendar of the project, `2026-11-24`' })

const TimeToLimit = Type.Object(
  {
    Lo: Type.Number({ description: 'Days; with 90 % between Lo and Hi' }),
    Mid: Type.Number(),
    Hi: Type.Number(),
    Confidence: Type.Enum(['high', 'medium']),
  },
  exact,
)

/** The proof of a finding as its newest look has it; what it was raised with stands in its event. */
export const WarningEvidence = Type.Object(
  {
    Value: Type.Number(),
    Limit: Type.Number({
      description: 'That the value was compared with; of a course that is followed ahead, that which it will reach',
    }),
    NextLimit: orNull(Type.Number({ description: 'The next limit, of which `ToLimit` speaks; null: it speaks of `Limit`' })),
    Unit: Type.String(),
    Baseline: number,
    Spread: number,
    Slope: orNull(Type.Number({ description: 'Per day' })),
    ToLimit: orNull(TimeToLimit),
    Used: Type.Integer({ description: 'Days, hours, tests or samples that it is made of, as its detector counts' }),
    AsOf: orNull(
      Type.String({ description: 'The day that was evaluated, by the calendar of the project; null: it was found at once' }),
    ),
    RuleVersion: Type.Integer({ description: '0: the built-in rule' }),
  },
  exact,
)
export type WarningEvidence = Type.Static<typeof WarningEvidence>

const Spark = Type.Object(
  {
    From: Day,
    Unit: Type.String(),
    Values: Type.Array(number, { description: `One a day, the last today; null is a gap, never zero. ${sparkDays} of them` }),
    Baseline: number,
    Spread: number,
    Limit: number,
  },
  exact,
)

export const Warning = Type.Object(
  {
    Event: EventRecord,
    Level: Type.Enum(warningLevels),
    Evidence: WarningEvidence,
    Share: orNull(Type.Number({ description: 'Of the limit, 1 at it; by it findings of one level are ordered' })),
    Spark: orNull(Spark),
    Advice: Text,
  },
  exact,
)
export type Warning = Type.Static<typeof Warning>

const NotEvaluatedLines = Type.Array(Type.Object({ Reason: Type.Enum(notEvaluatedReasons), Lines: Type.Integer() }, exact), {
  description: 'Most lines first',
})

/** Which findings: each field narrows it further. */
const warningFilter = {
  HouseID: optional(id),
  CityID: optional(id),
  DeviceID: optional(id),
  ControllerID: optional(ControllerID),
  LineID: optional(id),
  Open: optional(Type.Boolean({ description: 'Default true: what has not returned; false: what has' })),
  Keys: optional(Type.Array(Type.String({ pattern: '^[A-Za-z.]{1,32}$' }), { minItems: 1, maxItems: 30, uniqueItems: true })),
  Levels: optional(Type.Array(Type.Enum(warningLevels), { minItems: 1, maxItems: warningLevels.length })),
  Acknowledged: optional(Type.Boolean()),
  Shelved: optional(Type.Boolean()),
  Text: optional(
    Type.String({
      maxLength: 64,
      description: 'Part of what it is called, or of the name of its project, gateway, device or line',
    }),
  ),
} as const

export const onWarnings = { area: 'warning', permission: 'devmon.faultalarm' } as const
const inProject = { kind: 'project', id: 'HouseID', optional: true, part: true } as const

export const countWarnings = call({
  ...onWarnings,
  name: 'countWarnings',
  method: 'GET',
  path: '/messages/warnings',
  scope: { kind: 'own' },
  summary: 'Early warnings that are open: how many of each level, and the newest ten',
  data: Type.Object(
    {
      Alarm: Type.Integer(),
      Warning: Type.Integer(),
      Notice: Type.Integer(),
      Unacknowledged: Type.Integer(),
      Newest: Type.Array(EventRecord, { maxItems: 10 }),
    },
    exact,
  ),
  keepsAlive: false,
  silent: true,
})

export const queryWarnings = call({
  ...onWarnings,
  name: 'queryWarnings',
  method: 'POST',
  path: '/warnings/query',
  reads: true,
  scope: inProject,
  shows: ['events'],
  summary: 'Early warnings, worst first: by level, then by the share of the limit; what is shelved stands last',
  body: Type.Object({ ...warningFilter, ...paging }, exact),
  datas: Warning,
  about: Type.Object(
    {
      Alarm: Type.Integer({ description: 'Of all that is open in the place of the filter' }),
      Warning: Type.Integer(),
      Notice: Type.Integer(),
      Unacknowledged: Type.Integer(),
      Shelved: Type.Integer(),
      Lines: Type.Integer({ description: 'Lines of the place of the filter' }),
      Evaluated: Type.Integer({ description: 'Lines of which at least one daily rule could say something' }),
      NotEvaluated: NotEvaluatedLines,
      EvaluatedAt: orNull(time('When the daily rules were evaluated last')),
    },
    exact,
  ),
})

const XY = Type.Object(
  {
    Day,
    X: Type.Number({ description: 'Square of the share of the rated current' }),
    Y: Type.Number({ description: 'K above the air of the cabinet, as the other terminals at their own load have it' }),
  },
  exact,
)

/** A terminal of a line: its temperature against the square of its current, hour by hour. */
const ContactPhase = Type.Object(
  {
    Point: Type.String(),
    Label: Text,
    Hours: Type.Array(XY),
    ExcessK: orNull(Type.Number({ description: 'E: warmer than the others at rated current' })),
    ErrorK: number,
    RiseK: orNull(Type.Number({ description: 'Of the sound part at rated current' })),
    AtPeakK: orNull(Type.Number({ description: 'E95: warmer than the others at the usual peak' })),
    Daily: Type.Array(Type.Object({ Day, AtPeakK: number, Lo: number, Hi: number }, exact), {
      description: 'E95 of single days with 90 % interval; null: too little load or too few hours',
    }),
  },
  exact,
)

const ContactSeries = Type.Object(
  {
    RatedA: Type.Number(),
    /** Squared share of the rated current at the usual peak. */
    Load: number,
    Counted: Type.Integer({ description: 'Hours of the fit' }),
    Excluded: Type.Array(Type.Object({ Reason: Type.Enum(['lowLoad', 'coverage', 'open']), Hours: Type.Integer() }, exact)),
    AlarmC: number,
    Phases: Type.Array(ContactPhase),
    ToLimit: orNull(TimeToLimit),
  },
  exact,
)

const LeakageSeries = Type.Object(
  {
    RaisedAt: Type.Integer({
      description:
        'When it was raised, or when the day that was evaluated late had ended, Unix ms: what is drawn is drawn around it',
    }),
    TripMa: number,
    Baseline: number,
    Spread: number,
    BaselineFrom: orNull(Day),
    BaselineTo: orNull(Day),
    Days: Type.Array(
      Type.Object({ Day, FloorMa: number, PeakMa: number, Excluded: orNull(Type.Enum(notEvaluatedReasons)) }, exact),
    ),
    Hours: Type.Array(Type.Object({ At: Type.Integer(), Ma: number, UsualMa: number }, exact), {
      description: 'Around when it was raised, with the median of hours alike',
    }),
  },
  exact,
)

/** Other detectors: what each looks at, day by day. */
const DaySeries = Type.Object(
  {
    Label: Text,
    Unit: Type.String(),
    Limit: number,
    Days: Type.Array(Type.Object({ Day, Value: number }, exact)),
  },
  exact,
)

export const warningDetails = call({
  ...onWarnings,
  name: 'warningDetails',
  method: 'GET',
  path: '/warnings/:EventID',
  scope: { kind: 'event', id: 'EventID' },
  shows: ['events'],
  summary: 'One early warning with what its proof is drawn from',
  params: Type.Object({ EventID }, exact),
  data: Type.Object(
    {
      Warning,
      Explained: orNull(
        Type.Object(
          {
            ...{ From: Day, Reason: Type.String(), By: Type.String(), At: Type.Integer() },
            Undone: orNull(Type.Object({ Reason: Type.String(), By: Type.String(), At: Type.Integer() }, exact)),
          },
          exact,
        ),
      ),
      Contact: orNull(ContactSeries),
      Leakage: orNull(LeakageSeries),
      Series: Type.Array(DaySeries),
    },
    exact,
  ),
})

export const exportWarnings = call({
  ...onWarnings,
  name: 'exportWarnings',
  method: 'POST',
  path: '/warnings/report',
  reads: true,
  scope: inProject,
  summary: `Prepare a file of early warnings, ${maxExportedRows} at most; its one-use ticket starts the download at /downloads/{Ticket}`,
  body: Type.Object({ ...warningFilter, ...asFile }, exact),
  data: FileTicket,
})

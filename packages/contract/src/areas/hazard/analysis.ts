import { alarmKinds, priorities } from '@linewarden/equipment'
import { alarmCauses } from '@linewarden/rules/hazard'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { asFile, FileTicket } from '../../core/file-ticket.ts'
import { exact, optional, orNull, Text } from '../../core/schemas.ts'
import { EventPlace, EventRecord } from '../alarm/alarm.ts'
import { eventFilter } from '../alarm/event-list.ts'
import { AlarmTimingRecord } from '../alarm/shelving.ts'

/** The longest range. */
export const maxAnalysisDays = 400

const Day = (description: string) =>
  Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', description: `${description}, by the clock of the project: 2026-01-15` })

const { HouseID, CityID, DeviceID, ControllerID, LineID, Keys, Priorities } = eventFilter
const asked = {
  FromDay: Day('First day'),
  ToDay: Day(`Last day, at most ${maxAnalysisDays} days in all; what of it is not over yet counts up to now`),
  HouseID,
  CityID,
  DeviceID,
  ControllerID,
  LineID,
  Keys,
  Kinds: optional(Type.Array(Type.Enum(alarmKinds), { minItems: 1, maxItems: alarmKinds.length })),
  Priorities,
}

const Count = Type.Integer({ minimum: 0 })
const Share = (description: string) =>
  orNull(Type.Number({ minimum: 0, description: `${description}, 1 is all; null: too few to say` }))
const Verdict = Type.Enum(['met', 'missed', 'unknown'])
const seconds = (description: string) => orNull(Type.Integer({ minimum: 0, description: `${description}, s` }))
const at = (description: string) => Type.Integer({ description: `${description}, Unix ms` })

const Mix = Type.Object({ critical: Count, high: Count, medium: Count, low: Count }, exact)

/** Where something is, and what lists and links name it by; null above that. */
const place = {
  HouseID: orNull(Type.Integer()),
  DeviceID: orNull(Type.Integer()),
  ControllerID: orNull(Type.String()),
  LineID: orNull(Type.Integer()),
  Where: EventPlace,
}

const ranked = {
  Count: Type.Integer({ description: 'How often it was raised, folded ones included' }),
  Share: Share('Of all'),
  Cumulated: Share('Together with those before it'),
}

const Totals = Type.Object(
  {
    Announced: Count,
    Raised: Type.Integer({ description: 'Each time a condition came, whether announced or not' }),
    Folded: Type.Integer({ description: 'Of them under an incident: counted apart' }),
    Bursts: Type.Integer({ description: 'Chatter: three raises and more within 60 s' }),
    Fleeting: Type.Integer({ description: 'Returned within 5 s by themselves' }),
    Unjustified: Type.Integer({ description: 'Returned within 60 s, and nobody had done anything' }),
  },
  exact,
)

/** What the alarms of a range say of the alarm system. */
export const Analysis = Type.Object(
  {
    TimeZone: Type.String({ description: 'By whose clock days are counted' }),
    OtherZones: Type.Boolean({ description: 'Some of the projects stand in another time zone: their days are their own' }),
    From: at('Start'),
    To: at('End, excluded'),
    AsOf: at('Now: what is active is active then'),
    Counting: Type.Boolean({ description: 'What was before is still being counted: the numbers grow' }),
    Total: Totals,
    Before: orNull(Totals),
    Days: Type.Array(
      Type.Object(
        {
          Day: Type.String(),
          From: at('Midnight'),
          Announced: Count,
          Before: orNull(Type.Integer({ description: 'On the same day of the period before' })),
          BeforeFrom: at('Midnight of that day'),
          Availability: Share('Hours of lines with readings'),
          LongActive: Type.Integer({ description: 'Active for more than 24 h when the day began' }),
        },
        exact,
      ),
    ),
    Rate: Type.Object(
      {
        Windows: Count,
        Median: Count,
        P95: Count,
        P99: Count,
        Max: Count,
        MaxAt: orNull(at('When the first window with so many begins; null: there was none')),
        None: Type.Integer({ description: 'Windows of ten minutes without an announcement' }),
        One: Count,
        Few: Type.Integer({ description: 'With 2 to 10' }),
        Many: Type.Integer({ description: 'With more than 10' }),
        Verdict,
      },
      exact,
    ),
    Floods: Type.Object(
      {
        Count,
        Ms: Count,
        Verdict,
        Worst: Type.Array(Type.Object({ From: at('Start'), To: at('End, excluded'), Announced: Count, Peak: Count }, exact), {
          description: 'Those with the most announcements, at most 10, the worst first',
        }),
      },
      exact,
    ),
    LongActive: Type.Object(
      {
        Verdict,
        Median: orNull(Count),
        Max: orNull(Count),
        MaxDay: orNull(Type.String()),
        DaysMet: Count,
        Now: Type.Array(EventRecord, { description: 'Active now for more than 24 h, the longest first, at most 10' }),
        NowCount: Count,
      },
      exact,
    ),
    Mix: Type.Object({ Counts: Mix, Verdict }, exact),
    Responses: Type.Array(
      Type.Object(
        {
          Priority: Type.Enum(priorities),
          Acknowledged: Count,
          MedianS: seconds('Half of them took no longer'),
          P90S: seconds('Nine of ten took no longer'),
          LimitS: Count,
          Verdict,
        },
        exact,
      ),
      { description: 'How long people took to acknowledge, worst priority first' },
    ),
    Frequent: Type.Object(
      {
        Places: Type.Array(
          Type.Object(
            {
              ...{ Key: Type.String(), Label: Text, ...place, ...ranked },
              TuneEventID: orNull(
                Type.String({ description: 'The newest of these events, by which the alarm is tuned; null: it cannot be' }),
              ),
            },
            exact,
          ),
        ),
        Lines: Type.Array(Type.Object({ ...place, ...ranked }, exact)),
        Keys: Type.Array(Type.Object({ Key: Type.String(), Label: Text, ...ranked }, exact)),
        Causes: Type.Array(
          Type.Object(
            {
              Cause: Type.Enum(alarmCauses),
              Keys: Type.Array(Type.String(), { description: 'The alarms that were raised of it' }),
              ...ranked,
            },
            exact,
          ),
          { description: 'What the alarms point to' },
        ),
        Projects: Type.Array(Type.Object({ HouseID: Type.Integer(), Name: Type.String(), ...ranked }, exact)),
        Models: Type.Array(Type.Object({ Family: Type.String(), Model: Type.String(), ...ranked }, exact)),
      },
      exact,
    ),
    Hours: Type.Array(
      Type.Object(
        {
          Weekday: Type.Integer({ description: '0: Monday' }),
          Hour: Type.Integer(),
          Announced: Count,
          Hours: Type.Number({ description: 'How many hours of this kind the range has' }),
        },
        exact,
      ),
    ),
    ChatterPlaces: Type.Integer({ description: 'Alarms of a place that chattered' }),
    Suppressed: Type.Array(
      Type.Object(
        {
          How: Type.Enum(['shelf', 'tag']),
          Event: orNull(EventRecord),
          ...place,
          Times: Count,
          Ms: Count,
          LongestMs: Count,
        },
        exact,
      ),
      { description: 'What was on the shelf or out of service in the range, the longest first, at most 20 of each' },
    ),
    Changes: Type.Array(
      Type.Object(
        {
          At: at('When the equipment had it'),
          ...place,
          Lines: Type.Integer({ description: 'On so many lines; the place is the first of them' }),
          Settings: Type.Array(Type.Object({ Key: Type.String(), From: orNull(Type.Number()), To: Type.Number() }, exact)),
        },
        exact,
      ),
      { description: 'Settings that were changed in the range, newest first, at most 50' },
    ),
    RuleChanges: Type.Array(
      Type.Object(
        {
          At: at('When it was changed'),
          HouseID: orNull(Type.Integer({ description: 'null: the default of all projects' })),
          Project: orNull(Type.String()),
          Key: Type.String(),
          Label: Text,
          Version: Type.Integer(),
          ChangedBy: Type.String(),
          Reason: Type.String(),
          Restored: Type.Boolean({ description: 'Given up for the level above' }),
          Enabled: orNull(Type.Boolean({ description: 'null: not changed' })),
          Params: Type.Array(
            Type.Object({ Label: Text, Unit: orNull(Type.String()), From: orNull(Type.Number()), To: Type.Number() }, exact),
          ),
        },
        exact,
      ),
      { description: 'Rules of early warning that were changed in the range, newest first, at most 50' },
    ),
    SheetChanges: Type.Array(
      Type.Object(
        {
          At: at('When it was written'),
          HouseID: orNull(Type.Integer({ description: 'null: the default of all projects' })),
          Project: orNull(Type.String()),
          Key: Type.String(),
          Label: Text,
          Version: Type.Integer(),
          ChangedBy: Type.String(),
          Reason: Type.String(),
          Restored: Type.Boolean({ description: 'Given up for the level above' }),
        },
        exact,
      ),
      { description: 'Answers of the rationalisation sheet that were written in the range, newest first, at most 50' },
    ),
    TuningChanges: Type.Array(
      Type.Object(
        {
          At: at('When it was tuned'),
          ...place,
          Key: Type.String(),
          Label: Text,
          Point: Type.String(),
          Version: Type.Integer(),
          ChangedBy: Type.String(),
          Reason: Type.String(),
          Restored: Type.Boolean({ description: 'Back to the figures as shipped' }),
          Before: AlarmTimingRecord,
          After: AlarmTimingRecord,
        },
        exact,
      ),
      { description: 'Alarms whose delays or dead band were changed in the range, newest first, at most 50' },
    ),
    Lines: Type.Object(
      {
        All: Count,
        Availability: Share('Of all days'),
        Quiet: Type.Integer({ description: 'Lines without an alarm' }),
        QuietWithReadings: Type.Integer({
          description: 'Of them those of which there are readings: the others are not known to be quiet',
        }),
      },
      exact,
    ),
  },
  exact,
)
export type Analysis = Type.Static<typeof Analysis>

const analysing = {
  method: 'POST',
  reads: true,
  area: 'hazard',
  permission: 'hazard.analysis',
  scope: { kind: 'project', id: 'HouseID', optional: true, part: true },
} as const

export const analyseAlarms = call({
  ...analysing,
  name: 'analyseAlarms',
  path: '/hazards/analysis',
  shows: ['events'],
  summary:
    'Whether the alarm system itself is any good: rate, floods, frequent and long alarms, priorities and response, against EEMUA 191, ISA-18.2 and IEC 62682',
  body: Type.Object(
    { ...asked, Compare: optional(Type.Boolean({ description: 'Also what is counted of as many days before' })) },
    exact,
  ),
  data: Analysis,
})

export const exportAnalysis = call({
  ...analysing,
  name: 'exportAnalysis',
  path: '/hazards/analysis/export',
  shows: ['events'],
  summary: 'Prepare a file of the days or of the alarms by place; its one-use ticket starts the download at /downloads/{Ticket}',
  body: Type.Object(
    {
      ...asked,
      Content: Type.Enum(['days', 'places'], {
        description: '`days`: a row for each day; `places`: one for each alarm of a place',
      }),
      ...asFile,
    },
    exact,
  ),
  data: FileTicket,
})

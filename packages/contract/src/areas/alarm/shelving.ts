import { maxShelfMinutes, maxTiming, noTimings, shelveRefusals } from '@linewarden/rules/alarm'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { exact, orNull, paging, requiredText } from '../../core/schemas.ts'

/** How many events one press shelves. */
export const maxShelved = 50

const EventIDs = Type.Array(Type.String({ pattern: '^[0-9]{1,18}$' }), { minItems: 1, maxItems: maxShelved, uniqueItems: true })
const outcomes = <const O extends string>(names: readonly O[]) =>
  Type.Array(Type.Object({ EventID: Type.String(), Outcome: Type.Enum([...names]) }, exact), {
    description: 'What became of each, as they were given',
  })

export const shelveEvents = call({
  name: 'shelveEvents',
  subject: [{ kind: 'event', id: 'EventIDs' }],
  method: 'PUT',
  path: '/messages/shelve',
  audited: true,
  area: 'alarm',
  permission: 'hazard.alarmList',
  scope: { kind: 'own' },
  touches: ['events'],
  summary:
    'Keep alarms silent for a while, for a reason: on their place, however often they are raised meanwhile. They are evaluated and listed all the same, and come back by themselves',
  body: Type.Object(
    {
      EventIDs,
      Minutes: Type.Integer({ minimum: 1, maximum: maxShelfMinutes }),
      Reason: requiredText(200),
    },
    exact,
  ),
  data: Type.Object(
    {
      Shelved: Type.Integer(),
      Outcomes: outcomes(['shelved', 'gone', ...shelveRefusals]),
    },
    exact,
  ),
})

export const unshelveEvents = call({
  name: 'unshelveEvents',
  subject: [{ kind: 'event', id: 'EventIDs' }],
  method: 'PUT',
  path: '/messages/unshelve',
  audited: true,
  area: 'alarm',
  permission: 'hazard.alarmList',
  scope: { kind: 'own' },
  touches: ['events'],
  summary: 'Take alarms off the shelf; whoever does has seen them, so they come back acknowledged',
  body: Type.Object({ EventIDs }, exact),
  data: Type.Object(
    {
      Unshelved: Type.Integer(),
      Outcomes: outcomes(['unshelved', 'notShelved', 'gone']),
    },
    exact,
  ),
})

/** So far back the readings go by which it is computed what an alarm could be tuned to. */
export const tuningDays = 30

const ofEvent = {
  area: 'alarm',
  scope: { kind: 'event', id: 'EventID' },
  params: Type.Object({ EventID: Type.String({ pattern: '^[0-9]{1,18}$' }) }, exact),
} as const

/** Delays in ms; the dead band as a share of the limit that the value must come back by. */
export const AlarmTimingRecord = Type.Object(
  {
    OnDelayMs: Type.Integer({ minimum: 0, maximum: maxTiming.onDelayMs }),
    OffDelayMs: Type.Integer({ minimum: 0, maximum: maxTiming.offDelayMs }),
    DeadBandShare: Type.Number({ minimum: 0, maximum: maxTiming.deadBandShare }),
  },
  exact,
)
export type AlarmTimingRecord = Type.Static<typeof AlarmTimingRecord>

const TuningProof = Type.Object(
  {
    Before: Type.Integer({ description: 'Raises with the figures that were in force' }),
    After: Type.Integer({ description: 'Raises with those offered' }),
    LongestDelayMs: Type.Integer({ description: 'The longest that one which lasted, or was acted on, would have come later' }),
    LongestMissedMs: Type.Integer({ description: 'How long the longest lasted that would not have been raised; 0: none' }),
  },
  exact,
)
export type TuningProof = Type.Static<typeof TuningProof>

export const AlarmTuning = Type.Object(
  {
    NotTunable: orNull(
      Type.Enum([...noTimings, 'noLimit'], {
        description: 'Fire, gas, arc, trips; evaluated by the equipment itself; no limit of a line. Null: it can be tuned',
      }),
    ),
    Shipped: orNull(AlarmTimingRecord),
    InForce: orNull(AlarmTimingRecord),
    IsTuned: Type.Boolean(),
    Version: Type.Integer({ description: 'Sent back with a change; 0: nobody ever tuned it' }),
    ChangedAt: orNull(Type.Integer()),
    ChangedBy: orNull(Type.String()),
  },
  exact,
)
export type AlarmTuning = Type.Static<typeof AlarmTuning>

export const alarmTuning = call({
  ...ofEvent,
  name: 'alarmTuning',
  method: 'GET',
  path: '/messages/:EventID/tuning',
  permission: 'session',
  shows: ['tunings'],
  summary: 'By which delays and dead band the alarm of an event is evaluated on its line, and whether somebody tuned it',
  data: AlarmTuning,
})

export const TuningOffer = Type.Object(
  {
    From: Type.Integer({ description: 'From when on readings were looked at: later than 30 days ago where there are too many' }),
    To: Type.Integer(),
    Readings: Type.Integer(),
    None: orNull(
      Type.Enum(['noReadings', 'quiet', 'nothingFits'], {
        description:
          'Why nothing is offered: nothing is stored, it neither chatters nor is fleeting, or nothing helps that loses no true alarm',
      }),
    ),
    Offer: orNull(
      Type.Object(
        { Changes: Type.Enum(['OffDelayMs', 'DeadBandShare', 'OnDelayMs']), Timing: AlarmTimingRecord, Proof: TuningProof },
        exact,
      ),
    ),
  },
  exact,
)
export type TuningOffer = Type.Static<typeof TuningOffer>

export const offerAlarmTuning = call({
  ...ofEvent,
  name: 'offerAlarmTuning',
  method: 'GET',
  path: '/messages/:EventID/tuning/offer',
  permission: 'session',
  shows: ['tunings'],
  summary: 'What an alarm could be tuned to, by what its own readings of the last 30 days would have raised',
  data: TuningOffer,
})

const Version = Type.Integer({
  ...{ minimum: 0, maximum: 2_147_483_647 },
  description: 'As it was read, 0 where nobody ever tuned it; another one is refused',
})
const tunes = { ...ofEvent, subject: [{ kind: 'event', id: 'EventID' }], audited: true, touches: ['tunings'] } as const

export const tuneAlarm = call({
  ...tunes,
  name: 'tuneAlarm',
  method: 'PUT',
  path: '/messages/:EventID/tuning',
  permission: 'advance.warning',
  summary:
    'Evaluate an alarm on its line from now on as it was offered; refused where its readings do not bear that out. Its limit stays',
  body: Type.Object({ Version, Timing: AlarmTimingRecord, Reason: requiredText(200) }, exact),
  data: AlarmTuning,
})

export const untuneAlarm = call({
  ...tunes,
  name: 'untuneAlarm',
  method: 'PUT',
  path: '/messages/:EventID/tuning/restore',
  permission: 'advance.warning',
  summary: 'Evaluate an alarm on its line again as its equipment comes with',
  body: Type.Object({ Version, Reason: requiredText(200) }, exact),
  data: AlarmTuning,
})

const TuningChange = Type.Object(
  {
    Version: Type.Integer(),
    At: Type.Integer(),
    By: Type.String(),
    Reason: Type.String(),
    Restored: Type.Boolean({ description: 'From then on it is as its equipment comes with' }),
    Before: AlarmTimingRecord,
    After: AlarmTimingRecord,
    Proof: orNull(TuningProof),
  },
  exact,
)
export type TuningChange = Type.Static<typeof TuningChange>

export const listTuningChanges = call({
  ...ofEvent,
  name: 'listTuningChanges',
  method: 'GET',
  path: '/messages/:EventID/tuning/history',
  permission: 'session',
  shows: ['tunings'],
  summary: 'Who tuned the alarm of an event on its line, and why, newest first',
  query: Type.Object(paging, exact),
  datas: TuningChange,
})

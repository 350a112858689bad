import { dayClasses, runStates, timerActions } from '@linewarden/rules/automation'
import * as Type from 'typebox'
import { call, listBodyBytes } from '../../core/call.ts'
import { exact, id, LineTarget, optional, orNull, Text, time } from '../../core/schemas.ts'
import { runEntry, runPlace } from './runs.ts'
import { CutAt, Foreseen, NextTime, TimerConflict, TimerForm } from './timers.ts'

const date = Type.String({ maxLength: 10, description: 'By the calendar of the project, `2026-11-24`' })
const reads = { area: 'automation', permission: 'timer.list', shows: ['timers'] } as const

/** One time at which a timer is due, by what is known now. */
const PlannedRun = Type.Object(
  {
    ...NextTime.properties,
    Skip: orNull(
      Type.Enum(['skipOnce', 'noSun'], { description: 'Nothing is done then: a person skipped it; the sun does not rise' }),
    ),
    Class: Type.Enum(dayClasses),
    ClassName: orNull(Type.String()),
    Foreseen: Type.Array(Foreseen, { description: 'What will not be done, and why; what is only so now, of the next run alone' }),
  },
  exact,
)
export type PlannedRun = Type.Static<typeof PlannedRun>

const window = {
  From: Type.Integer(),
  To: orNull(Type.Integer({ description: 'Null: no trip follows that is known of' })),
  Left: Type.Boolean({ description: 'Left out by an exception or a person' }),
}

export const timerPlan = call({
  ...reads,
  name: 'timerPlan',
  keepsAlive: false,
  method: 'GET',
  path: '/timers/:TimerID/plan',
  scope: { kind: 'own' },
  summary: 'What a timer and every other one of its lines do in the next seven days, and what they do to each other',
  params: Type.Object({ TimerID: id }, exact),
  data: Type.Object(
    {
      Next: Type.Array(PlannedRun, { description: 'At most five, those that are skipped among them' }),
      Instead: Type.Array(
        Type.Object(
          {
            LineID: Type.Integer(),
            LineName: Type.String(),
            At: orNull(time('Null: not within 14 days')),
            By: orNull(Type.String()),
          },
          exact,
        ),
        { description: 'If the first of them is skipped: when any timer does the same to each line' },
      ),
      Conflicts: Type.Array(TimerConflict),
      CheckedTo: Type.Integer({ description: 'Conflicts are looked for until then' }),
      CutAt,
      LengthMs: Type.Integer({ description: 'From the first to the last line of one run' }),
      From: Type.Integer({ description: 'Midnight of today in the project' }),
      Days: Type.Array(
        Type.Object({ Date: date, At: Type.Integer(), Class: Type.Enum(dayClasses), ClassName: orNull(Type.String()) }, exact),
      ),
      To: Type.Integer(),
      Timers: Type.Array(
        Type.Object(
          {
            TimerID: Type.Integer(),
            Name: Type.String(),
            LineIDs: Type.Array(Type.Integer(), { description: 'Of the lines of the timer, those that it acts on, too' }),
            Windows: Type.Array(Type.Object(window, exact)),
            Instants: Type.Array(Type.Object({ At: Type.Integer(), Action: Type.Enum(timerActions) }, exact)),
            Opposed: Type.Array(Type.Integer(), {
              description: 'When it undoes within a minute what the timer does, or is undone',
            }),
          },
          exact,
        ),
        { description: 'The timer itself first' },
      ),
    },
    exact,
  ),
})
export type TimerPlan = Type.Static<typeof timerPlan.data>

export const dayOfTimers = call({
  ...reads,
  shows: ['timers', 'tags'],
  name: 'dayOfTimers',
  keepsAlive: false,
  method: 'GET',
  path: '/timers/day/:HouseID',
  scope: { kind: 'project', id: 'HouseID', part: true },
  summary: 'What timers of a project did and will do on a date, in the order of time',
  params: Type.Object({ HouseID: id }, exact),
  query: Type.Object(
    {
      Date: optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'Default: today' })),
      ...{ DeviceID: runPlace.DeviceID, ControllerID: runPlace.ControllerID, LineID: runPlace.LineID },
    },
    exact,
  ),
  data: Type.Object(
    {
      Date: date,
      Today: date,
      TimeZone: Type.String(),
      From: Type.Integer({ description: 'The first instant of the date; it need not have 24 hours' }),
      To: Type.Integer({ description: 'The first of the next' }),
      Class: Type.Enum(dayClasses),
      ClassName: orNull(Type.String()),
      Total: Type.Integer(),
      CutAt,
      Items: Type.Array(
        Type.Object(
          {
            At: Type.Integer(),
            TimerID: Type.Integer(),
            Name: Type.String(),
            Action: orNull(Type.Enum(timerActions)),
            SceneName: orNull(Type.String({ description: 'The scene that it runs, as it is called now' })),
            LineCount: Type.Integer({ description: 'Of the lines that the reader sees' }),
            LineNames: Type.Array(Type.String(), { description: 'The first of them' }),
            Clock: Type.Enum(['plain', 'gap', 'overlap'], {
              description: 'Of what is still to come: what the wall clock does there',
            }),
            Run: orNull(
              Type.Object(
                {
                  ...{ RunID: Type.String(), State: Type.Enum(runStates), ClaimedAt: Type.Integer() },
                  ...{ Why: runEntry.Why, Counts: runEntry.Counts, Reasons: runEntry.Reasons },
                },
                exact,
              ),
            ),
            Tagged: Type.Integer({ description: 'Of its lines that the reader sees, how many a lock-out tag is in force on' }),
            Overdue: Type.Boolean({ description: 'It is due, and no server has claimed it' }),
            Skip: orNull(Type.Enum(['skipOnce', 'noSun'])),
            Foreseen: Type.Array(Foreseen, { description: 'Of what is still to come' }),
          },
          exact,
        ),
        { description: 'The first 1,000' },
      ),
    },
    exact,
  ),
})
export type TimerDay = Type.Static<typeof dayOfTimers.data>

export const timersAbout = call({
  ...reads,
  name: 'timersAbout',
  keepsAlive: false,
  method: 'POST',
  path: '/timers/about',
  reads: true,
  scope: { kind: 'project', id: 'HouseID', optional: true, part: true },
  summary: 'What is said of all timers of a place that I see: how many are enabled, due, in conflict, without an owner, late',
  body: Type.Object(runPlace, exact),
  data: Type.Object(
    {
      Total: Type.Integer(),
      Enabled: Type.Integer(),
      Today: orNull(
        Type.Object(
          {
            Done: Type.Integer({ description: 'Due earlier today, whatever became of it' }),
            Coming: Type.Integer(),
          },
          {
            ...exact,
            description: 'Null: the place is of several projects, which need not have the same date',
          },
        ),
      ),
      Next: orNull(
        Type.Object(
          {
            At: Type.Integer(),
            TimerID: Type.Integer(),
            Name: Type.String(),
            Action: Type.Enum(timerActions),
            TimeZone: Type.String(),
          },
          exact,
        ),
      ),
      Conflict: Type.Integer({ description: 'Timers of which the last check found more than something to note' }),
      Orphan: Type.Integer(),
      OrphansOf: Type.Array(Type.Object({ HouseID: Type.Integer(), Name: Type.String(), Count: Type.Integer() }, exact), {
        description: 'The projects that they are of, at most 20',
      }),
      Missed: Type.Integer({ description: 'Runs that were missed in the last seven days' }),
      Overdue: Type.Integer({ description: 'Due for more than 10 s and not claimed by any server' }),
      Moved: Type.Array(
        Type.Object(
          {
            ...{ TimerID: Type.Integer(), Name: Type.String(), TimeZone: Type.String() },
            From: Type.Integer({ description: 'When it was due by the former time zone data, Unix ms' }),
            At: Type.Integer({ description: 'When it is due now' }),
          },
          exact,
        ),
        { description: 'Timers whose next run a change of the time zone data has moved, until that is over; the first five' },
      ),
      MovedCount: Type.Integer({ description: 'Of all of them' }),
      Unmaintained: Type.Array(
        Type.Object(
          {
            HouseID: Type.Integer(),
            Year: Type.Integer(),
            Timers: Type.Integer({ description: 'Enabled ones that go by the calendar' }),
            BeginsInDays: Type.Integer({ description: 'Until that year; 0: it has begun' }),
          },
          exact,
        ),
        { description: 'Years whose holidays nobody has entered, of projects with such timers, at most 20' },
      ),
    },
    exact,
  ),
})
export type TimersAbout = Type.Static<typeof timersAbout.data>

export const lateTimers = call({
  ...reads,
  name: 'lateTimers',
  keepsAlive: false,
  method: 'GET',
  path: '/timers/late',
  scope: { kind: 'own' },
  summary: 'How many timers that I see are due for more than 10 s and were claimed by no server, and since when',
  data: Type.Object({ Count: Type.Integer(), DueAt: orNull(Type.Integer({ description: 'Of the first of them' })) }, exact),
})

/** What keeps a line from being operated, were a timer due at this moment. */
const LineAgainst = Type.Object(
  {
    ...LineTarget.properties,
    LineName: Type.String(),
    Unmet: Type.Array(
      Type.Object(
        {
          Key: Type.String(),
          Text,
          Actions: Type.Array(Type.Enum(timerActions), { description: 'What it keeps from being done' }),
        },
        exact,
      ),
    ),
  },
  exact,
)
export type LineAgainst = Type.Static<typeof LineAgainst>

export const previewTimer = call({
  ...reads,
  shows: ['timers', 'tags', 'inspections', 'tripCauses'],
  name: 'previewTimer',
  method: 'POST',
  path: '/timers/preview',
  reads: true,
  scope: { kind: 'project', id: 'HouseID', part: true },
  maxBodyBytes: listBodyBytes,
  summary:
    'When a timer would be due, what it would clash with, how long it would take, and what stands against each line now; nothing is saved',
  body: Type.Object({ HouseID: id, TimerID: optional(id), ...TimerForm.properties }, exact),
  data: Type.Object(
    {
      Next: Type.Array(NextTime),
      Problems: Type.Array(Type.Object({ Path: Type.String(), Key: Type.String(), Text }, exact)),
      Conflicts: Type.Array(TimerConflict),
      CutAt,
      LengthMs: Type.Integer({ description: 'From the first to the last line of one run' }),
      Against: Type.Array(LineAgainst, {
        description: 'Lines that would not be operated if it were due now, the first 50; it is decided anew at each run',
      }),
      AgainstCounts: Type.Array(Type.Object({ Action: Type.Enum(timerActions), Count: Type.Integer() }, exact), {
        description: 'Of all its lines that the reader sees, those that something stands against now, by what is to be done',
      }),
    },
    exact,
  ),
})

import { dayClasses, runStates, timerActions } from '@linewarden/rules/automation'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { exact, id, optional, orNull, time } from '../../core/schemas.ts'
import { Foreseen, NextTime, TimerConflict } from './timers.ts'

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
  name: 'dayOfTimers',
  method: 'GET',
  path: '/timers/day/:HouseID',
  scope: { kind: 'project', id: 'HouseID', part: true },
  summary: 'What timers of a project did and will do on a date, in the order of time',
  params: Type.Object({ HouseID: id }, exact),
  query: Type.Object(
    { Date: optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'Default: today' })) },
    exact,
  ),
  data: Type.Object(
    {
      Date: date,
      Today: date,
      TimeZone: Type.String(),
      Class: Type.Enum(dayClasses),
      ClassName: orNull(Type.String()),
      Total: Type.Integer(),
      Items: Type.Array(
        Type.Object(
          {
            At: Type.Integer(),
            TimerID: Type.Integer(),
            Name: Type.String(),
            Action: orNull(Type.Enum(timerActions)),
            LineCount: Type.Integer({ description: 'Of the lines that the reader sees' }),
            LineNames: Type.Array(Type.String(), { description: 'The first of them' }),
            Run: orNull(Type.Object({ RunID: Type.String(), State: Type.Enum(runStates) }, exact)),
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

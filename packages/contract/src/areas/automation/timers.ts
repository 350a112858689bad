import {
  conflictEffects,
  dayClasses,
  foreseenReasons,
  maxTimerLines,
  runStates,
  timerActions,
  timerFunctions,
  timerTypes,
} from '@linewarden/rules/automation'
import * as Type from 'typebox'
import { call, listBodyBytes } from '../../core/call.ts'
import {
  ControllerID,
  exact,
  id,
  LineTarget,
  maybe,
  optional,
  orNull,
  paging,
  requiredText,
  sorting,
  time,
  Version,
} from '../../core/schemas.ts'
import { automationRun, runEntry, runPlace, runsAbout, runsOrder } from './runs.ts'

const date = Type.String({ maxLength: 10, description: 'By the calendar of the project, `2026-11-24`' })
const noun = (description: string, most = 32) => Type.String({ maxLength: most, description })

const TimerPoint = Type.Object(
  {
    PointNo: Type.Integer({ minimum: 0, maximum: 100 }),
    At: Type.Union([
      noun('`HH:MM` or `HH:MM:SS` on the clock of the project', 12),
      Type.Object({ Sun: Type.Enum(['rise', 'set']), OffsetMin: Type.Integer({ minimum: -10_000, maximum: 10_000 }) }, exact),
    ]),
    Action: Type.Enum(timerActions),
  },
  exact,
)

/** What people set of a timer. What is left out or null is named when it is saved, all at once. */
const timerForm = {
  Name: Type.String({ maxLength: 128 }),
  Function: orNull(Type.Enum(Object.keys(timerFunctions) as (keyof typeof timerFunctions)[])),
  Type: orNull(Type.Enum(timerTypes)),
  Period: Type.Object(
    {
      Date: optional(date),
      Days: optional(
        Type.Union([
          Type.Integer({ minimum: 0, maximum: 1_000, description: 'Days of the week as bits, 0 Monday: `weekly` and `sun`' }),
          Type.Array(Type.Integer({ minimum: -100, maximum: 100 }), {
            maxItems: 32,
            description: '`monthly`; -1 is the last day',
          }),
        ]),
      ),
      Classes: optional(Type.Array(Type.Enum(dayClasses), { maxItems: 4, uniqueItems: true, description: '`calendar`' })),
      FromDate: optional(orNull(date)),
      ToDate: optional(orNull(date)),
    },
    exact,
  ),
  Points: Type.Array(TimerPoint, { maxItems: 12 }),
  Exceptions: Type.Array(
    Type.Object(
      { FromDate: date, ToDate: date, Do: Type.Union([Type.Literal('none'), Type.Array(TimerPoint, { maxItems: 12 })]) },
      exact,
    ),
    { maxItems: 64 },
  ),
  Lines: Type.Array(LineTarget, { maxItems: maxTimerLines + 1, description: 'Not of one that runs a scene: that has its own' }),
  SceneID: optional(orNull(Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'What function `scene` runs' }))),
  KeepWhileWanted: Type.Boolean({ description: 'A trip is left out while another timer still wants the line on' }),
  Enabled: Type.Boolean(),
} as const
export const TimerForm = Type.Object(timerForm, exact)
export type TimerForm = Type.Static<typeof TimerForm>

const grant = (description: string) =>
  optional(
    Type.String({
      ...{ secret: true, minLength: 1, maxLength: 128 },
      description: `When a control password is set: for ${description}`,
    }),
  )
const saving = {
  Grant: grant('`automation:timer:{TimerID or new}:{SHA-256}`, see `timerOperation`'),
  ConflictReason: optional(requiredText(200, 'Why it is saved although a line is switched the other way within a minute')),
}

export const NextTime = Type.Object(
  {
    At: Type.Integer({ description: 'Unix ms' }),
    PointNo: Type.Integer(),
    Action: Type.Enum(timerActions),
    Date: date,
    Clock: Type.Enum(['plain', 'gap', 'overlap'], { description: 'What the wall clock does there' }),
  },
  exact,
)

export const Foreseen = Type.Object(
  {
    Outcome: Type.Enum(['refused', 'skipped']),
    Why: Type.Enum(foreseenReasons),
    By: orNull(Type.String({ description: 'The other timer, or whoever hung the tag' })),
    Count: Type.Integer({ description: 'Of the lines that the reader sees' }),
    LineNames: Type.Array(Type.String(), { description: 'The first of them' }),
  },
  exact,
)
export type Foreseen = Type.Static<typeof Foreseen>

const Owner = {
  OwnerID: orNull(Type.String()),
  OwnerName: orNull(Type.String({ description: 'With whose rights it fires' })),
  ChangedBy: Type.String(),
  Orphan: Type.Boolean({ description: 'Whoever saved it is gone, or may not switch its lines any more' }),
  Conflicts: Type.Array(Type.Enum(Object.keys(conflictEffects) as (keyof typeof conflictEffects)[]), {
    description: 'What the last check found of it: nightly, and after changes',
  }),
}

export const Timer = Type.Object(
  {
    TimerID: Type.Integer(),
    HouseID: Type.Integer(),
    HouseName: Type.String(),
    TimeZone: Type.String({ description: 'Of the project: its clock says when the timer acts' }),
    ...timerForm,
    Lines: Type.Array(Type.Object({ ...LineTarget.properties, LineID: Type.Integer(), LineName: Type.String() }, exact), {
      description: 'Those that the reader sees; of one that runs a scene, those of the scene',
    }),
    SceneID: orNull(Type.Integer()),
    SceneName: orNull(Type.String({ description: 'Null: it runs none' })),
    LineCount: Type.Integer({ description: 'Of all its lines' }),
    ...Owner,
    Version: Type.Integer(),
    SkipNextUntil: orNull(Type.Integer()),
    Next: Type.Array(NextTime, { description: 'At most five; none while it is disabled' }),
    Missed: Type.Integer({ description: 'Runs that were missed in the last seven days' }),
    Foreseen: Type.Array(Foreseen, { description: 'What of the next run will not be done, and why, by what is known now' }),
    Last: orNull(Type.Object({ RunID: Type.String(), State: Type.Enum(runStates), At: Type.Integer() }, exact)),
    ChangedAt: Type.Integer(),
  },
  exact,
)
export type Timer = Type.Static<typeof Timer>

export const CutAt = orNull(
  Type.Integer({
    description: 'From this instant on nothing was looked at: so much is due that it takes too long. Null: all of it was',
  }),
)

export const TimerConflict = Type.Object(
  {
    Key: Type.Enum(Object.keys(conflictEffects) as (keyof typeof conflictEffects)[]),
    Effect: Type.Enum(['confirm', 'refused', 'warn', 'note', 'shown']),
    TimerID: orNull(Type.Integer({ description: 'The other timer' })),
    LinkageID: orNull(Type.Integer({ description: 'The linkage that acts the other way' })),
    Name: orNull(Type.String()),
    By: orNull(Type.String({ description: 'Whose tag it is' })),
    Line: orNull(LineTarget),
    At: orNull(Type.Integer()),
    Figure: orNull(Type.Number()),
  },
  exact,
)
export type TimerConflict = Type.Static<typeof TimerConflict>

const reads = { area: 'automation', permission: 'timer.list', shows: ['timers'] } as const
const changes = {
  area: 'automation',
  permission: 'manageTiming',
  method: 'PUT',
  touches: ['timers'],
  scope: { kind: 'own' },
  subject: [{ kind: 'timer', id: 'TimerID' }],
} as const
const inProject = { kind: 'project', id: 'HouseID', optional: true, part: true } as const

export const queryTimers = call({
  ...reads,
  alsoFor: ['timer.log'],
  name: 'queryTimers',
  keepsAlive: false,
  method: 'POST',
  path: '/timers/query',
  reads: true,
  scope: inProject,
  summary: 'Timers that act on a line that I see, by when they are due next',
  body: Type.Object(
    {
      HouseID: optional(id),
      CityID: optional(id),
      DeviceID: optional(id),
      ControllerID: optional(ControllerID),
      LineNo: optional(Type.Integer({ minimum: 0, maximum: 9_999 })),
      LineID: optional(id),
      Text: optional(Type.String({ maxLength: 64, description: 'Part of the name' })),
      Enabled: optional(Type.Boolean()),
      Orphan: optional(Type.Boolean()),
      Missed: optional(Type.Boolean({ description: 'Of which a run was missed in the last seven days' })),
      ...sorting('Next', 'Name', 'Last'),
      Conflict: optional(Type.Boolean({ description: 'Those of which the last check found more than something to note' })),
      ...paging,
    },
    exact,
  ),
  datas: Timer,
})

export const getTimer = call({
  ...reads,
  alsoFor: ['timer.log'],
  name: 'getTimer',
  keepsAlive: false,
  method: 'GET',
  path: '/timers/:TimerID',
  scope: { kind: 'own' },
  summary: 'One timer with its next five times',
  params: Type.Object({ TimerID: id }, exact),
  data: Timer,
})

export const insertTimer = call({
  ...changes,
  name: 'insertTimer',
  method: 'POST',
  path: '/timers/insert',
  scope: { kind: 'project', id: 'HouseID', part: true },
  subject: [
    { kind: 'project', id: 'HouseID' },
    { called: 'Name' },
    { kind: 'line', each: 'Lines' },
    { kind: 'scene', id: 'SceneID' },
  ],
  maxBodyBytes: listBodyBytes,
  summary: 'Add a timer; it fires with the rights that whoever saves it has at that moment',
  body: Type.Object({ HouseID: id, ...timerForm, ...saving }, exact),
  data: Timer,
})

export const updateTimer = call({
  ...changes,
  name: 'updateTimer',
  path: '/timers/update',
  subject: [
    { kind: 'timer', id: 'TimerID' },
    { kind: 'line', each: 'Lines' },
    { kind: 'scene', id: 'SceneID' },
  ],
  maxBodyBytes: listBodyBytes,
  summary: 'Change a timer; whoever saves it becomes its owner',
  body: Type.Object({ TimerID: id, Version, ...timerForm, ...saving }, exact),
  data: Timer,
})

export const deleteTimer = call({
  ...changes,
  name: 'deleteTimer',
  path: '/timers/delete',
  summary: 'Remove a timer; its log stays',
  body: Type.Object({ TimerID: id, Version }, exact),
})

export const switchTimer = call({
  ...changes,
  name: 'switchTimer',
  path: '/timers/switch',
  summary: 'Enable or disable a timer; whoever enables it becomes its owner',
  body: Type.Object(
    { TimerID: id, Version, Enabled: Type.Boolean(), ...saving, Grant: grant('`automation:timer:{TimerID}:enable/{Version}`') },
    exact,
  ),
  data: Timer,
})

export const skipTimer = call({
  ...changes,
  name: 'skipTimer',
  path: '/timers/skip',
  summary:
    'Leave out what a timer is due for up to an instant; null: nothing is left out any more. What fires again does so with my rights',
  body: Type.Object(
    {
      ...{ TimerID: id, Version, Until: orNull(time('Up to and with this instant')) },
      Grant: grant('`automation:timer:{TimerID}:skip/{Version}`'),
    },
    exact,
  ),
  data: Timer,
})

export const takeTimer = call({
  ...changes,
  name: 'takeTimer',
  path: '/timers/owner',
  summary: 'Become the owner of a timer: from then on it fires with my rights',
  body: Type.Object({ TimerID: id, Version, Grant: grant('`automation:timer:{TimerID}:owner/{Version}`') }, exact),
  data: Timer,
})

export const takeOrphanedTimers = call({
  ...changes,
  name: 'takeOrphanedTimers',
  path: '/timers/orphans',
  scope: { kind: 'project', id: 'HouseID' },
  subject: [{ kind: 'project', id: 'HouseID' }],
  summary: 'Become the owner of every timer of a project that has none: administrators',
  body: Type.Object({ HouseID: id, Grant: grant('`automation:timer:orphans:{HouseID}`') }, exact),
  data: Type.Object({ Taken: Type.Integer(), Left: Type.Integer() }, exact),
})

export const logTimers = call({
  name: 'logTimers',
  area: 'automation',
  permission: 'timer.log',
  alsoFor: ['timer.list'],
  method: 'POST',
  path: '/timers/log',
  reads: true,
  scope: inProject,
  shows: ['timers'],
  summary: 'Runs of timers, with what became of their lines',
  body: Type.Object(
    {
      ...runPlace,
      TimerID: optional(id),
      From: optional(time('First claimed')),
      To: optional(time('Last claimed, excluded')),
      States: optional(Type.Array(Type.Enum(runStates), { minItems: 1, maxItems: runStates.length, uniqueItems: true })),
      Text: optional(maybe(64, 'Part of the name that the timer had then')),
      ...runsOrder,
      ...paging,
    },
    exact,
  ),
  datas: Type.Object(runEntry, exact),
  about: runsAbout,
})

export const whyNotTimer = call({
  ...reads,
  alsoFor: ['timer.log'],
  name: 'whyNotTimer',
  method: 'GET',
  path: '/timers/:TimerID/whynot',
  scope: { kind: 'own' },
  summary: 'Why a timer did or did not act at an instant: its run, or the rule by which it was not due',
  params: Type.Object({ TimerID: id }, exact),
  query: Type.Object({ At: time('Asked about, to the minute') }, exact),
  data: Type.Object(
    {
      Runs: Type.Array(Type.Object(automationRun, exact), { description: 'Of that minute' }),
      Why: Type.Enum(['ran', 'due', 'disabled', 'beforeFrom', 'afterTo', 'exception', 'period', 'noPoint']),
      Date: date,
      Class: Type.Enum(dayClasses),
      ClassName: orNull(Type.String()),
      Before: orNull(NextTime),
      After: orNull(NextTime),
      ChangedAt: Type.Integer({ description: 'By its definition as it is since then' }),
    },
    exact,
  ),
})

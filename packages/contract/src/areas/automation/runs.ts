import { automationSources, lineOutcomes, runStates, timerActions } from '@linewarden/rules/automation'
import { groupActions } from '@linewarden/rules/control'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { ControllerID, exact, id, optional, orNull, Text, time, uuid } from '../../core/schemas.ts'
import { GroupOperationLine } from '../control/group-operations.ts'

/** One run of a timer, a scene or a linkage, as a list has it. */
export const automationRun = {
  RunID: Type.String(),
  Source: Type.Enum(automationSources),
  SourceID: Type.Integer(),
  HouseID: Type.Integer(),
  Name: Type.String({ description: 'As it was called then' }),
  PointNo: orNull(Type.Integer()),
  DueAt: orNull(time('Of a timer; null: a person or a message brought it about')),
  ClaimedAt: Type.Integer(),
  EndedAt: orNull(Type.Integer()),
  State: Type.Enum(runStates),
  Why: orNull(Type.String({ description: 'Why it was missed, skipped or refused as a whole' })),
  Actor: Type.String({ description: 'With whose rights it ran' }),
  StoppedBy: orNull(Type.String()),
  ParentRunID: orNull(Type.String()),
  FiredBy: orNull(
    Type.Object(
      { Source: Type.Enum(automationSources), SourceID: Type.Integer(), Name: Type.String() },
      {
        ...exact,
        description: 'Of a scene that a timer or a linkage ran: what that was called then; null: a person, or no scene',
      },
    ),
  ),
  SceneName: orNull(Type.String({ description: 'Of a timer that ran a scene: what that was called then' })),
} as const

/** The same with what became of its lines, as a log lists it. */
export const runEntry = {
  ...automationRun,
  Action: orNull(Type.Enum(timerActions, { description: 'What a timer was due for; null: it has no action of its own' })),
  Reason: Type.String({ description: 'Of whoever ran it' }),
  Whole: Type.Boolean({ description: 'False: it had lines that the reader does not see' }),
  Counts: Type.Object(
    {
      Total: Type.Integer({ description: 'Lines that the reader sees; none where the run was missed or left out as a whole' }),
      Verified: Type.Integer({ description: 'The position was reported so after the order' }),
      Already: Type.Integer({ description: 'Stood so before; nothing was sent' }),
      UnderWay: Type.Integer(),
      Waiting: Type.Integer(),
      Refused: Type.Integer(),
      Failed: Type.Integer({ description: 'Ordered, and not reported so' }),
      Unknown: Type.Integer({ description: 'Ordered; what became of it is not known' }),
      Missed: Type.Integer(),
      Skipped: Type.Integer({ description: 'Left out on purpose: a person or another timer keeps it as it is' }),
      Stopped: Type.Integer(),
    },
    exact,
  ),
  Reasons: Type.Array(
    Type.Object(
      {
        Outcome: Type.Enum(lineOutcomes),
        Key: Type.String(),
        Text,
        Count: Type.Integer(),
        LineNames: Type.Array(Type.String(), { description: 'The first of them' }),
      },
      exact,
    ),
    { description: 'Why lines do not stand as they were meant to, or were left out; the first of them' },
  ),
} as const

/** What is said of all runs that pass the filters of a log, whatever their states. */
export const runsAbout = Type.Object(
  {
    States: Type.Array(Type.Object({ State: Type.Enum(runStates), Count: Type.Integer() }, exact)),
    LeftOut: Type.Integer({ description: 'Done, but for lines that were left out on purpose' }),
    MaxLateMs: orNull(Type.Integer({ description: 'From the due instant to the claim, of those that were carried out' })),
    Overdue: Type.Integer({ description: 'Due for more than 10 s and not claimed by any server' }),
  },
  exact,
)
export type RunsAbout = Type.Static<typeof runsAbout>

/** Where the lines of runs are that a log is asked for. */
export const runPlace = {
  HouseID: optional(id),
  CityID: optional(id),
  DeviceID: optional(id),
  ControllerID: optional(ControllerID),
  LineNo: optional(Type.Integer({ minimum: 0, maximum: 9_999 })),
  LineID: optional(id),
} as const

/** How a log is asked for its runs. */
export const runsOrder = {
  AmissFirst: optional(
    Type.Boolean({
      description:
        'What was not done, or not whole, before what was; of that, runs that left lines out first. Default: the newest first',
    }),
  ),
} as const

const RunEntry = Type.Object(runEntry, exact)
export type RunEntry = Type.Static<typeof RunEntry>

const AutomationRun = Type.Object(
  {
    ...automationRun,
    Cause: Type.Array(Type.String(), { description: 'Runs that led to this one' }),
    Trace: Type.Record(Type.String(), Type.Unknown(), { description: 'What it was decided by' }),
    Whole: Type.Boolean({ description: 'False: it has lines that the reader does not see' }),
    Lines: Type.Array(Type.Object({ Action: Type.Enum(groupActions), ...GroupOperationLine.properties }, exact), {
      description: 'Trips first',
    }),
  },
  exact,
)
export type AutomationRun = Type.Static<typeof AutomationRun>

export const getAutomationRun = call({
  name: 'getAutomationRun',
  method: 'GET',
  path: '/automations/runs/:RunID',
  area: 'automation',
  permission: 'timer.log',
  alsoFor: ['timer.list', 'scene.list', 'scene.log', 'linkage.list', 'linkage.log'],
  scope: { kind: 'own' },
  shows: ['timers'],
  summary: 'One run of a timer, a scene or a linkage: why it ran, and what became of each line',
  params: Type.Object({ RunID: uuid }, exact),
  data: AutomationRun,
})

export const stopAutomationRun = call({
  name: 'stopAutomationRun',
  method: 'PUT',
  path: '/automations/runs/:RunID/stop',
  area: 'automation',
  permission: 'lineSwitch',
  scope: { kind: 'own' },
  subject: [{ kind: 'automationRun', id: 'RunID' }],
  touches: ['timers', 'commandHistory'],
  summary: 'Stop a run: lines whose turn has not come are not operated',
  params: Type.Object({ RunID: uuid }, exact),
  data: AutomationRun,
})

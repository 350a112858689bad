import { automationSources, runStates } from '@linewarden/rules/automation'
import { groupActions } from '@linewarden/rules/control'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { exact, orNull, time, uuid } from '../../core/schemas.ts'
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
} as const

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

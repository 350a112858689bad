import { groupActions, groupLineStates } from '@linewarden/rules/control'
import * as Type from 'typebox'
import { call, listBodyBytes } from '../../core/call.ts'
import { exact, LineTarget, optional, orNull, ownUuid, paging, requiredText, Text } from '../../core/schemas.ts'
import { CommandRecord, Confirmed, SwitchOverride } from './control.ts'

/** Lines of one intent, named as everywhere. */
export const LineNames = Type.Array(LineTarget, { minItems: 1, maxItems: 500 })

/** What every order of several lines carries. */
export const groupOperationFields = {
  RunID: { ...ownUuid, description: 'Made once per intent: sending it again never operates twice' },
  Lines: LineNames,
  Reason: requiredText(200),
  Grant: Type.Optional(
    Type.String({
      secret: true,
      minLength: 1,
      maxLength: 128,
      description: 'For `{action}:run/{RunID}/{SHA-256 of the lines}`, when a control password is set',
    }),
  ),
  Confirmed,
  StaggerMs: Type.Optional(
    Type.Integer({
      minimum: 1000,
      maximum: 60_000,
      description: 'Between two closes or tests; default 1,000. Trips do not wait',
    }),
  ),
}

/** One line of a group, and how far it has come. */
export const GroupOperationLine = Type.Object(
  {
    LineID: Type.Integer(),
    ControllerID: Type.String(),
    LineNo: Type.Integer(),
    LineName: Type.String(),
    State: Type.Enum(groupLineStates),
    Refusal: orNull(Type.Object({ Key: Type.String(), Text }, exact)),
    Command: orNull(CommandRecord),
  },
  exact,
)

const operation = {
  RunID: Type.String(),
  Action: Type.Enum(groupActions),
  Actor: Type.String(),
  Reason: Type.String(),
  StaggerMs: Type.Integer(),
  StartedAt: Type.Integer(),
  /** When the last line had its turn; null while the group runs. */
  EndedAt: orNull(Type.Integer()),
  StoppedBy: orNull(Type.String()),
}

/** The lines that the reader sees. `Whole`: false when there are others. */
export const GroupOperationRecord = Type.Object(
  { ...operation, Whole: Type.Boolean(), Lines: Type.Array(GroupOperationLine) },
  exact,
)
export type GroupOperationRecord = Type.Static<typeof GroupOperationRecord>

/** How many of the lines that the reader sees stand where; `ordered` says nothing of what became of the order. */
export const GroupOperationSummary = Type.Object(
  {
    ...operation,
    Total: Type.Integer(),
    Waiting: Type.Integer(),
    Ordered: Type.Integer(),
    Refused: Type.Integer(),
    Missed: Type.Integer(),
    Stopped: Type.Integer(),
  },
  exact,
)
export type GroupOperationSummary = Type.Static<typeof GroupOperationSummary>

export const startRun = call({
  name: 'startRun',
  maxBodyBytes: listBodyBytes,
  method: 'POST',
  path: '/operations',
  area: 'control',
  permission: 'lineSwitch',
  scope: { kind: 'lines', id: 'Lines' },
  touches: ['groupOperations', 'commandHistory', 'selfTests'],
  summary: 'Trip or close several lines as one: trips at once, closes one after the other',
  body: Type.Object({ ...groupOperationFields, Action: Type.Enum(['trip', 'close']), Override: SwitchOverride }, exact),
  data: GroupOperationRecord,
})

const GroupOperationTarget = Type.Object({ RunID: Type.String({ format: 'uuid' }) }, exact)
const ownGroupOperation = {
  area: 'control',
  scope: { kind: 'own' },
  params: GroupOperationTarget,
  data: GroupOperationRecord,
} as const

export const getRun = call({
  ...ownGroupOperation,
  name: 'getRun',
  method: 'GET',
  path: '/operations/:RunID',
  permission: 'devmon.realtime',
  alsoFor: ['devmon.selftests', 'devmon.ledger'],
  summary: 'How far a group operation or a campaign of self-tests has come',
})

export const listRuns = call({
  name: 'listRuns',
  keepsAlive: false,
  method: 'GET',
  path: '/operations',
  area: 'control',
  permission: 'devmon.realtime',
  alsoFor: ['devmon.ledger', 'devmon.selftests'],
  scope: { kind: 'own' },
  shows: ['groupOperations'],
  summary:
    'Group operations and campaigns of self-tests that I started or see a line of, newest first; other lines are not counted',
  query: Type.Object({ Running: optional(Type.Boolean({ description: 'Only those that are not over' })), ...paging }, exact),
  datas: GroupOperationSummary,
})

export const stopRun = call({
  ...ownGroupOperation,
  name: 'stopRun',
  subject: [{ kind: 'run', id: 'RunID' }],
  method: 'PUT',
  path: '/operations/:RunID/stop',
  permission: 'lineSwitch',
  touches: ['groupOperations', 'commandHistory', 'selfTests'],
  summary: 'Stop a group operation: lines whose turn has not come are not operated',
})

import { actionKeys } from '@linewarden/equipment'
import { commandStates } from '@linewarden/rules/control'
import * as Type from 'typebox'
import { call, listBodyBytes } from '../../core/call.ts'
import { exact, LineTarget, linePlace, orNull, ownUuid, requiredText, Text } from '../../core/schemas.ts'

export const OperateTarget = Type.Object(
  {
    ...linePlace,
    attr: Type.Enum(actionKeys),
  },
  exact,
)

/** How many lines the person has confirmed, where that is asked: `operationImpact` says when and which number. */
export const Confirmed = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    description: 'The number of lines that `POST /lines/impact` answers as `Confirm`, as the person typed it',
  }),
)

/** What a person says of the timers of a line while they switch it. */
export const SwitchOverride = Type.Optional(
  Type.Object(
    {
      Kind: Type.Enum(['next', 'until', 'stay'], {
        description:
          '`next`: its timers go on with their next action. `until`: they do nothing before then. `stay`, of a trip and its default: nothing timed closes it until a person does, or releases it',
      }),
      Until: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 8.64e15, description: 'Unix ms, of `until`: at most 14 days ahead' }),
      ),
    },
    {
      additionalProperties: false,
      description:
        'Of a trip or a close. A close of a line that an enabled timer acts on, or a running scene, is refused without it',
    },
  ),
)

export const OperateRequest = Type.Object(
  {
    CommandID: { ...ownUuid, description: 'Made once per intent: sending it again never operates twice' },
    Reason: requiredText(200),
    Grant: Type.Optional(
      Type.String({
        secret: true,
        minLength: 1,
        maxLength: 128,
        description: 'From POST /users/control/grant, when a control password is set',
      }),
    ),
    Confirmed,
    Override: SwitchOverride,
    DeadlineMs: Type.Optional(
      Type.Integer({
        minimum: 1000,
        maximum: 30_000,
        description: 'Default 30,000 for trip, 5,000 for everything else (at most 10,000)',
      }),
    ),
  },
  exact,
)

export const CommandRecord = Type.Object(
  {
    CommandID: Type.String(),
    LineID: Type.Integer(),
    ControllerID: Type.String(),
    LineNo: Type.Integer(),
    Action: Type.Enum(actionKeys),
    State: Type.Enum(commandStates),
    /** Why it was refused or failed: a gateway refusal, or a word of ours. */
    Outcome: orNull(Type.String()),
    Actor: Type.String(),
    Source: Type.String({ description: '`console`, `group`, `timer`, `scene`, `linkage`, `reclosure`' }),
    /** A person's own words stand in both. */
    Reason: Text,
    RequestedAt: Type.Integer(),
    Deadline: Type.Integer(),
    SentAt: orNull(Type.Integer()),
    AcknowledgedAt: orNull(Type.Integer()),
    VerifiedAt: orNull(Type.Integer()),
    EndedAt: orNull(Type.Integer()),
    /** The trip time that the equipment measured in a leakage self-test. */
    TripMs: orNull(Type.Integer()),
    /** The group operation or campaign it is part of. */
    RunID: orNull(Type.String()),
  },
  exact,
)
export type CommandRecord = Type.Static<typeof CommandRecord>

const operates = { area: 'control', scope: { kind: 'line', device: 'ControllerID', line: 'LineNo' } } as const

export const operateLine = call({
  ...operates,
  name: 'operateLine',
  method: 'PUT',
  path: '/lines/:ControllerID/:LineNo/:attr',
  permission: 'lineSwitch',
  touches: ['commandHistory'],
  summary: 'Trip, close, test or silence one line or device (line 0)',
  params: OperateTarget,
  body: OperateRequest,
  data: CommandRecord,
})

/** One condition of closing. `Met: false` blocks; `Clears` says who can clear it. */
export const PermitCondition = Type.Object(
  { Key: Type.String(), Met: Type.Boolean(), What: Text, Why: orNull(Text), Clears: orNull(Text), Until: orNull(Type.Integer()) },
  exact,
)
export type PermitCondition = Type.Static<typeof PermitCondition>

export const Permit = Type.Object(
  {
    /** Whether closing (or what was asked for) is permitted at `At`, given a control grant if one is needed. */
    MayClose: Type.Boolean(),
    Done: Type.Boolean({ description: 'The equipment reports that it is so already: nothing blocks, there is nothing to do' }),
    NeedsGrant: Type.Boolean(),
    Conditions: Type.Array(PermitCondition),
    At: Type.Integer(),
  },
  exact,
)
export type Permit = Type.Static<typeof Permit>

export const closePermit = call({
  ...operates,
  name: 'closePermit',
  method: 'GET',
  path: '/lines/:ControllerID/:LineNo/permit',
  permission: 'devmon.realtime',
  shows: ['tags', 'inspections', 'tripCauses'],
  summary: 'Every condition of closing this line, met or not, and who can clear it',
  params: LineTarget,
  data: Permit,
})

export const operationPermit = call({
  ...operates,
  name: 'operationPermit',
  method: 'GET',
  path: '/lines/:ControllerID/:LineNo/permit/:attr',
  permission: 'devmon.realtime',
  shows: ['tags', 'inspections', 'tripCauses'],
  summary: 'Every condition of an operation, met or not, and who can clear it',
  params: OperateTarget,
  data: Permit,
})

/** What stands against an operation on one of several lines; nothing: it is permitted at `At`, given a control grant if one is needed. */
export const LinePermit = Type.Object(
  {
    ControllerID: Type.String(),
    LineNo: Type.Integer(),
    /** Only the conditions that are not met: of many lines nobody reads the others. */
    Unmet: Type.Array(PermitCondition),
    At: Type.Integer(),
  },
  exact,
)
export type LinePermit = Type.Static<typeof LinePermit>

/** As many lines as one `operationPermits` answers for. */
export const maxPermits = 200

export const operationPermits = call({
  name: 'operationPermits',
  method: 'POST',
  path: '/lines/permits',
  area: 'control',
  permission: 'devmon.realtime',
  alsoFor: ['devmon.selftests'],
  scope: { kind: 'lines', id: 'Lines' },
  shows: ['tags', 'inspections', 'tripCauses'],
  summary: 'What stands against an operation on each of several lines, and who can clear it',
  body: Type.Object(
    {
      Action: Type.Enum(actionKeys),
      Lines: Type.Array(LineTarget, { minItems: 1, maxItems: maxPermits }),
    },
    exact,
  ),
  datas: LinePermit,
  reads: true,
})

/** What an order would move, from the registered upstream lines and the values reported now. */
export const OperationImpact = Type.Object(
  {
    Lines: Type.Integer({ description: 'Lines that the order names' }),
    Fed: Type.Integer({ description: 'Further lines registered below them, at any depth, whoever sees them' }),
    Feeders: Type.Integer({ description: 'Lines named that feed others' }),
    LoadKw: orNull(Type.Number({ description: 'Active power that they carry now; a branch is part of its incomer' })),
    UnknownLoads: Type.Integer({ description: 'Lines whose load is not in `LoadKw`: it is not known now' }),
    RatedKw: orNull(Type.Number({ description: 'What they can carry at their rated currents' })),
    Confirm: orNull(
      Type.Integer({ description: 'To be carried by the order as `Confirmed`, typed by a person; null: not asked' }),
    ),
    At: Type.Integer(),
  },
  exact,
)
export type OperationImpact = Type.Static<typeof OperationImpact>

export const operationImpact = call({
  name: 'operationImpact',
  maxBodyBytes: listBodyBytes,
  method: 'POST',
  path: '/lines/impact',
  area: 'control',
  permission: 'devmon.realtime',
  alsoFor: ['devmon.selftests'],
  scope: { kind: 'lines', id: 'Lines' },
  shows: ['upstreamLines'],
  summary: 'How many lines and what load an operation on these lines moves, and whether a person must confirm the number',
  body: Type.Object({ Action: Type.Enum(actionKeys), Lines: Type.Array(LineTarget, { minItems: 1, maxItems: 500 }) }, exact),
  data: OperationImpact,
  reads: true,
})

export const lineCommands = call({
  ...operates,
  name: 'lineCommands',
  method: 'GET',
  path: '/lines/:ControllerID/:LineNo/commands',
  permission: 'devmon.realtime',
  summary: 'The command ledger of one line, newest first',
  params: LineTarget,
  query: Type.Object({ Size: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })) }, exact),
  datas: CommandRecord,
})

export const recordTripCause = call({
  ...operates,
  name: 'recordTripCause',
  audited: true,
  method: 'PUT',
  path: '/lines/:ControllerID/:LineNo/tripcause',
  permission: 'lineSwitch',
  touches: ['tripCauses'],
  summary: 'Record why the line tripped; required before closing after leakage, short circuit or arc',
  params: LineTarget,
  body: Type.Object({ Cause: requiredText(200) }, exact),
})

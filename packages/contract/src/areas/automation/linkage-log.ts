import { comparisons, conditionKinds, runStates, sceneActions } from '@linewarden/rules/automation'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { exact, id, maybe, optional, orNull, paging, time, uuid } from '../../core/schemas.ts'
import { GroupOperationLine } from '../control/group-operations.ts'
import { lineNamed, linkageActions, linkageModes, truths } from './linkages.ts'
import { runPlace } from './runs.ts'

/** What became of a work order that a firing asked for. */
const linkageOrderOutcomes = ['waiting', 'made', 'joined', 'refused'] as const

/** What decided at a firing, as it was then. */
const LinkageEvidence = Type.Object(
  {
    Kind: Type.Enum(conditionKinds),
    ...lineNamed,
    Family: orNull(Type.String({ description: 'Null: the line is gone, or not seen' })),
    Key: Type.String(),
    Op: Type.Enum(comparisons),
    Limit: Type.Number(),
    Value: orNull(Type.Number()),
    AgeMs: orNull(Type.Integer()),
    State: Type.Enum(truths),
    Since: orNull(Type.Integer()),
  },
  exact,
)
export type LinkageEvidence = Type.Static<typeof LinkageEvidence>

const LinkageLogEntry = Type.Object(
  {
    RunID: orNull(Type.String({ description: 'Null: it did not run' })),
    LinkageID: Type.Integer(),
    HouseID: Type.Integer(),
    Name: Type.String({ description: 'As it was called then' }),
    At: Type.Integer({ description: 'When its conditions came to be true, Unix ms' }),
    EndedAt: orNull(Type.Integer()),
    State: orNull(Type.Enum(runStates)),
    Why: orNull(
      Type.String({
        description:
          'Why it did not act, or not wholly: `shadow`, `cooldown`, `chain`, `late`, `blind`, `almost`, `maxPerHour`, …',
      }),
    ),
    Mode: Type.Enum(linkageModes),
    Actor: orNull(Type.String({ description: 'With whose rights it ran' })),
    Cause: Type.Array(Type.String(), { description: 'Runs that led to this one' }),
    ParentRunID: orNull(Type.String({ description: 'Of what was done after a delay: the run that it is part of' })),
    Chain: Type.Array(Type.Object({ RunID: Type.String(), Name: Type.String(), At: Type.Integer() }, exact), {
      description: 'Of `Cause` and `ParentRunID` those that the reader sees, the first first',
    }),
    Conditions: Type.Array(LinkageEvidence),
    Whole: Type.Boolean({ description: 'False: it is about lines that the reader does not see' }),
    WouldHave: Type.Array(
      Type.Object({ Kind: Type.Enum(linkageActions), ...lineNamed, SceneID: orNull(Type.Integer()) }, exact),
      { description: 'What it would have done, in shadow mode' },
    ),
    Lines: Type.Array(Type.Object({ Action: Type.Enum(sceneActions), ...GroupOperationLine.properties }, exact), {
      description: 'Trips first',
    }),
    Orders: Type.Array(
      Type.Object(
        {
          ...lineNamed,
          Outcome: Type.Enum(linkageOrderOutcomes, {
            description: 'joined: the order of a firing before was still open. refused: see `Why`',
          }),
          Why: orNull(
            Type.Enum(['owner', 'gone'], {
              description:
                'owner: whoever answered for the linkage may not write orders there. gone: the line was not in the project',
            }),
          ),
          Order: orNull(
            Type.Object(
              { OrderID: Type.Integer(), Number: Type.String() },
              { ...exact, description: 'Null: there is none, or the reader sees no work orders' },
            ),
          ),
        },
        exact,
      ),
      { description: 'Work orders that it asked for' },
    ),
  },
  exact,
)
export type LinkageLogEntry = Type.Static<typeof LinkageLogEntry>

/** How much of all that is in the stretch, whatever its outcome. */
const linkageLogAbout = Type.Object(
  {
    States: Type.Array(Type.Object({ State: Type.Enum(runStates), Count: Type.Integer() }, exact), {
      description: 'Of runs that were not in shadow mode',
    }),
    Shadow: Type.Integer(),
    Near: Type.Array(Type.Object({ Why: Type.String(), Count: Type.Integer() }, exact), {
      description: 'When it nearly fired, by what kept it from that; the most frequent first',
    }),
  },
  exact,
)

export const linkageLog = call({
  area: 'automation',
  name: 'linkageLog',
  method: 'POST',
  path: '/linkages/log',
  permission: 'linkage.log',
  alsoFor: ['linkage.list'],
  reads: true,
  keepsAlive: false,
  scope: { kind: 'project', id: 'HouseID', optional: true, part: true },
  shows: ['automationRuns'],
  summary: 'Runs of linkages, newest first, with what became of each line; and, where asked for, when one nearly fired',
  body: Type.Object(
    {
      ...runPlace,
      LinkageID: optional(id),
      RunID: optional(uuid),
      States: optional(Type.Array(Type.Enum(runStates), { maxItems: runStates.length })),
      Shadow: optional(Type.Boolean({ description: 'True: only what it would have done in shadow mode; false: not that' })),
      Near: optional(Type.Boolean({ description: 'True: also when it did not run, and why' })),
      Ran: optional(Type.Boolean({ description: 'False: not what ran; with `Near`' })),
      Why: optional(maybe(32, 'What kept it from running, as `Why` says it')),
      Name: optional(maybe(64, 'Part of the name that the linkage had then')),
      From: optional(time('At or after')),
      To: optional(time('Before')),
      ...paging,
    },
    exact,
  ),
  datas: LinkageLogEntry,
  about: linkageLogAbout,
})

import { alarmKinds } from '@linewarden/equipment'
import { eventKinds } from '@linewarden/rules/alarm'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { exact, orNull, Text, time } from '../../core/schemas.ts'
import { CommandRecord } from '../control/control.ts'
import { NeighbourLine } from '../control/trip-analysis.ts'
import { ReadingRow } from '../monitor/monitor.ts'

/** How it stands with the evidence of an event. */
export const evidenceStates = ['pending', 'ready', 'none'] as const

const Stretch = Type.Tuple([Type.Integer(), Type.Integer()])
const States = Type.Array(Type.Object({ Key: Type.String(), Value: Type.String() }, exact))

/** What was copied of a line around a raise of its alarm. Times in Unix ms, by the equipment's clock. */
const EvidenceCopy = Type.Object(
  {
    CopiedAt: Type.Integer({ description: 'By the clock of the server' }),
    CompletedAt: orNull(Type.Integer({ description: 'When values that came late were added; null: none were' })),
    Family: Type.String({ description: 'Of its device; empty: the line was taken out before the minute was over' }),
    /** Point keys, and the values of the minute before and after. */
    Points: Type.Array(Type.String()),
    Rows: Type.Array(ReadingRow),
    Gaps: Type.Array(Stretch, { description: 'Where the line reported nothing' }),
    /** What its values were read against then. */
    Levels: Type.Array(
      Type.Object(
        {
          Key: Type.String(),
          Label: Text,
          Kind: Type.Enum(alarmKinds),
          Points: Type.Array(Type.String()),
          Side: Type.Enum(['over', 'under']),
          Value: Type.Number(),
        },
        exact,
      ),
    ),
    /** As last reported before the first alarm of that minute, and when it was copied. */
    Before: States,
    After: States,
    /** Whatever was raised or noted of the line. */
    Events: Type.Array(
      Type.Object(
        { EventID: Type.String(), At: Type.Integer(), Kind: Type.Enum(eventKinds), Key: Type.String(), Label: Text },
        exact,
      ),
    ),
    /** Positions when it was copied, and when a line opened in these minutes. */
    Upstream: Type.Array(NeighbourLine, { description: 'Up to the supply, nearest first, as far as whoever asks sees them' }),
    FeederUnseen: Type.Boolean({
      description: 'The line that feeds this one directly is on a gateway that whoever asks does not see',
    }),
    Downstream: Type.Array(NeighbourLine, { description: 'At any depth, the nearest first, at most 100' }),
    Commands: orNull(
      Type.Array(CommandRecord, {
        description: 'What was ordered of the line, oldest first; null: whoever asks may not read the commands of lines',
      }),
    ),
  },
  exact,
)

export const Evidence = Type.Object(
  {
    State: Type.Enum(evidenceStates),
    /** Of which raise it is, and which there are. */
    At: Type.Integer(),
    Raises: Type.Array(Type.Integer(), { description: 'Every raise of the event, the newest first, at most 50' }),
    From: Type.Integer(),
    To: Type.Integer({ description: 'Excluded' }),
    Copy: orNull(EvidenceCopy),
  },
  exact,
)
export type Evidence = Type.Static<typeof Evidence>

export const eventEvidence = call({
  name: 'eventEvidence',
  method: 'GET',
  path: '/messages/:EventID/evidence',
  area: 'alarm',
  permission: 'session',
  scope: { kind: 'event', id: 'EventID' },
  shows: ['events'],
  summary:
    'What the line of an alarm reported in the minute before and after it: values, states, limits, positions above and below, orders. Of a medium alarm it is copied when somebody asks for the first time',
  params: Type.Object({ EventID: Type.String({ pattern: '^[0-9]{1,18}$' }) }, exact),
  query: Type.Object({ At: Type.Optional(time('One of `Raises`; left out: the newest')) }, exact),
  data: Evidence,
})

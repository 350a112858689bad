import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { exact, id, optional, orNull, time } from '../../core/schemas.ts'
import { LinkageForm } from './linkages.ts'

/** Of how many days a linkage is tried out at most. */
export const maxSimulatedDays = 30

/** What became of each time that the conditions came to be true. `halted`: the linkage had stopped itself before. */
export const simulatedOutcomes = ['fired', 'outsideHours', 'cooldown', 'maxPerHour', 'maxPerDay', 'halted'] as const
export type SimulatedOutcome = (typeof simulatedOutcomes)[number]

const Spans = Type.Array(Type.Tuple([Type.Integer(), Type.Integer()]), { description: 'Unix ms, in order' })
const figures = Type.Array(orNull(Type.Number()))

const SimulatedCondition = Type.Object(
  {
    Recorded: Type.Boolean({ description: 'False: nothing is stored by which it could be known; it counts as unknown' }),
    CoveragePercent: orNull(Type.Number({ description: 'Of the stretch, how much of it is known; null: it is not recorded' })),
    Gaps: Spans,
    Steps: Type.Boolean({ description: 'Its value holds until the next one' }),
    At: Type.Array(Type.Integer()),
    Min: figures,
    Max: figures,
  },
  exact,
)

const LinkageSimulation = Type.Object(
  {
    From: Type.Integer(),
    To: Type.Integer(),
    Counts: Type.Array(Type.Object({ Outcome: Type.Enum(simulatedOutcomes), Count: Type.Integer() }, exact)),
    Firings: Type.Array(
      Type.Object(
        {
          At: Type.Integer(),
          Outcome: Type.Enum(simulatedOutcomes),
          Values: Type.Array(orNull(Type.Number()), { description: 'Of its conditions, in their order' }),
        },
        exact,
      ),
      { description: 'In order of time, the newest 200' },
    ),
    Orders: Type.Integer({
      description: 'How many work orders it would have asked for; one that finds that of a firing before open joins it',
    }),
    HaltedAt: orNull(Type.Integer({ description: 'When it would have stopped itself; null: never' })),
    CoveragePercent: Type.Number({ description: 'Of the stretch, for how much its conditions together decided something' }),
    Blind: { ...Spans, description: 'Longer unknown than its duration and three periods, the longest 200 in order of time' },
    Conditions: Type.Array(SimulatedCondition),
    TookMs: Type.Integer(),
  },
  exact,
)
export type LinkageSimulation = Type.Static<typeof LinkageSimulation>

export const simulateLinkage = call({
  name: 'simulateLinkage',
  method: 'POST',
  path: '/linkages/simulate',
  area: 'automation',
  permission: 'linkage.list',
  scope: { kind: 'project', id: 'HouseID', part: true },
  reads: true,
  shows: ['linkages'],
  summary: 'When a linkage would have fired in the last days, by what is stored; nothing is ordered or saved',
  body: Type.Object(
    {
      HouseID: id,
      ...LinkageForm.properties,
      From: optional(time('Default 30 days before To')),
      To: optional(time('Default now; excluded')),
    },
    exact,
  ),
  data: LinkageSimulation,
})

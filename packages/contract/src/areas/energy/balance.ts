import { comparisons, maxFlowLines } from '@linewarden/rules/energy'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { exact, id, optional, orNull } from '../../core/schemas.ts'
import { civilDate } from './tariff.ts'

/** Lines that feed others in one answer at most, the worst ones. */
export const maxBalanceLines = 200
/** Lines fed by one in one answer at most, the largest ones; all of them are counted. */
export const maxBalanceChildren = 100
/** Causes in one answer at most. */
const maxCauses = 20

const Wh = Type.Number({ description: 'Whole Wh' })
const known = (description: string) => orNull(Type.Number({ description: `${description}, whole Wh` }))
const seconds = (description: string) => Type.Integer({ minimum: 0, description })
const instant = (description: string) => Type.Integer({ description: `${description}, Unix ms` })

const period = {
  HouseID: optional(id),
  DeviceID: optional(id),
  LineID: optional(id),
  From: civilDate('First date'),
  To: civilDate(
    'The date after the last one; at most ten years, and at most 130,000 months and days of lines: more is refused, and a month that is over counts as one where its sum is stored',
  ),
}
const shared = {
  method: 'GET',
  area: 'energy',
  permission: 'energy.energy',
  scope: { kind: 'project', id: 'HouseID', optional: true },
} as const

const line = { LineID: id, Name: Type.String(), GatewayName: Type.String() }

const BalanceChild = Type.Object(
  {
    ...line,
    Wh: known('While the other one fed it, of what is compared; null: not known'),
    Whole: Type.Boolean({ description: 'False: it was fed by the other one on a part of the compared dates only' }),
    LackingS: seconds('Of those dates nothing is known of it so long'),
  },
  exact,
)
export type BalanceChild = Type.Static<typeof BalanceChild>

const verdicts = ['partsAboveWhole', 'unmetered', 'unknown', 'withinError'] as const

const BalanceLine = Type.Object(
  {
    ...line,
    Feeder: orNull(
      Type.Integer({
        minimum: 1,
        description: 'The metered line that feeds it at the end of the period; null: none that is seen',
      }),
    ),
    FeederUnseen: Type.Boolean({ description: 'It is fed by a line that whoever asks does not see' }),
    Days: Type.Integer({ description: 'Dates on which it fed any metered line: only those are compared' }),
    Wh: known('What it measured of what is compared; null: nothing is compared'),
    ChildrenWh: known('What those measured that it fed'),
    RestWh: known('What is left of the first less the second'),
    ErrorWh: known('What the accuracy classes of all of them, and the steps their registers count in, explain'),
    Verdict: Type.Enum([...verdicts]),
    Why: orNull(
      Type.Enum(['unseen', 'lacking'], {
        description: 'Why nothing is known of its rest: it feeds a line that whoever asks does not see, or too little is known',
      }),
    ),
    ComparedS: seconds('Time that is compared'),
    LeftOutS: seconds('Time of those dates that is not, because one of the lines is not known: neither counts then'),
    Uncertain: Type.Number({
      description: 'Of Wh: what was spread, estimated or entered and not measured, whole Wh; the lines that it fed are not in it',
    }),
    Children: Type.Array(BalanceChild),
    More: Type.Integer({ minimum: 0, description: 'Lines that it fed beside those' }),
    Tried: Type.Integer({ minimum: 0, description: 'Causes that were tried' }),
    Causes: Type.Array(
      Type.Object(
        {
          LineID: id,
          Name: Type.String(),
          Cause: Type.Enum(['double', 'tenfold', 'onePhase', 'fedElsewhere']),
          RestWh: Type.Number({ description: 'What would be left if it were so: within the error' }),
        },
        exact,
      ),
      { maxItems: maxCauses },
    ),
    Compared: orNull(Type.Object({ Wh: known('Then'), RestWh: known('Then'), Verdict: Type.Enum([...verdicts]) }, exact)),
  },
  exact,
)
export type BalanceLine = Type.Static<typeof BalanceLine>

const EnergyBalance = Type.Object(
  {
    Zone: Type.String(),
    At: instant('When it was asked'),
    Until: instant('Up to which it counts: what may still be reported is left out on both sides'),
    AccuracyPercent: Type.Number({ description: 'The class of each meter of which none is entered' }),
    Lines: Type.Array(BalanceLine, { maxItems: maxBalanceLines, description: 'That feed others, the worst first' }),
    Total: Type.Integer({ minimum: 0, description: 'How many feed others' }),
    Verdicts: Type.Object(
      { partsAboveWhole: Type.Integer(), unmetered: Type.Integer(), unknown: Type.Integer(), withinError: Type.Integer() },
      exact,
    ),
    Top: orNull(Type.Object({ Wh, ChildrenWh: Wh, RestWh: Wh, ErrorWh: Wh, Lines: Type.Integer() }, exact)),
    Compared: orNull(
      Type.Object(
        { From: Type.String(), To: Type.String(), Until: orNull(instant('Of a period that still runs: up to where')) },
        exact,
      ),
    ),
  },
  exact,
)
export type EnergyBalance = Type.Static<typeof EnergyBalance>

export const getBalance = call({
  ...shared,
  name: 'getBalance',
  path: '/energy/balance',
  summary: 'What lines that feed others measured, what those measured that they fed, and what is left',
  query: Type.Object({ ...period, Compare: optional(Type.Enum([...comparisons])) }, exact),
  data: EnergyBalance,
})

const FlowNode = Type.Object(
  {
    Kind: Type.Enum(['whole', 'line', 'others', 'rest', 'notKnown'], {
      description: 'others: lines put together; rest: metered by none of those fed; notKnown: where it went is not known',
    }),
    LineID: orNull(id),
    Name: orNull(Type.String({ description: 'Of a line, and of the whole' })),
    Lines: Type.Integer({ minimum: 0, description: 'How many lines it stands for' }),
    Wh,
    AboveWh: Type.Number({ description: 'So much more went out of it than it measured, whole Wh' }),
    LackingS: seconds('So long nothing is known of it: the figure is too low'),
  },
  exact,
)
export type FlowNode = Type.Static<typeof FlowNode>

const EnergyFlow = Type.Object(
  {
    Zone: Type.String(),
    At: instant('When it was asked'),
    Until: instant('Up to which it counts'),
    Lines: Type.Integer({ minimum: 0, description: 'Metered lines of what was asked for, shown or put together' }),
    Feeders: Type.Integer({ minimum: 0, description: 'Of those, the ones that feed another' }),
    Nodes: Type.Array(FlowNode, { description: `At most ${maxFlowLines} lines; the smallest of more are put together` }),
    Links: Type.Array(
      Type.Object({ From: Type.Integer({ description: 'Place among Nodes, from 0' }), To: Type.Integer(), Wh }, exact),
    ),
  },
  exact,
)
export type EnergyFlow = Type.Static<typeof EnergyFlow>

export const getFlow = call({
  ...shared,
  name: 'getFlow',
  path: '/energy/flow',
  summary:
    'Where the energy of a project, a gateway or a line goes: from line to line by what feeds what, and what is left at each',
  query: Type.Object(period, exact),
  data: EnergyFlow,
})

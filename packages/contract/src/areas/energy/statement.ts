import { powerFactorStandards } from '@linewarden/rules/energy'
import * as Type from 'typebox'
import { exact, orNull, Text } from '../../core/schemas.ts'
import { billGaps, MonthDays } from './supply-bill.ts'

const wh = (description: string) => Type.Number({ description: `${description}, whole Wh` })
const money = (description: string) => Type.String({ description: `${description}, a decimal text in whole minor units` })
const quarters = (description: string) => Type.Integer({ minimum: 0, description: `Quarters of an hour ${description}` })

export const statementStates = ['draft', 'issued', 'replaced', 'void'] as const
export type StatementState = (typeof statementStates)[number]

const Band = Type.Object({ Key: Type.String(), Wh: wh('Energy') }, exact)

const Member = Type.Object(
  {
    LineID: Type.Integer(),
    Sign: Type.Enum([1, -1]),
    Name: orNull(Type.String({ description: 'Null: the line is in the project no more' })),
    Place: orNull(Type.String({ description: 'Its gateway and device' })),
    Multiplier: Type.Integer({ description: 'Of Opening and Closing; 1 where Meters says what each showed' }),
    Opening: orNull(wh('Register where the period begins; null: not known')),
    Closing: orNull(wh('Register where it ends')),
    Agrees: orNull(
      Type.Boolean({ description: '(Closing - Opening) x Multiplier is what was used; null: a register is not known' }),
    ),
    Meters: Type.Array(
      Type.Object(
        {
          Serial: Type.String(),
          Multiplier: Type.Number({ description: 'Current transformer times voltage transformer' }),
          From: orNull(Type.Integer({ description: 'Put in, within the period, Unix ms' })),
          To: orNull(Type.Integer({ description: 'Taken out, within the period' })),
          Opening: orNull(Type.String({ description: 'kWh, a decimal text; null: not known' })),
          Closing: orNull(Type.String()),
          Wh: orNull(wh('(Closing - Opening) x Multiplier')),
        },
        exact,
      ),
      { description: 'One after the other in the period; empty: none is entered' },
    ),
    Wh: wh('What was used, with what was filled'),
    Bands: Type.Array(Band),
    Known: quarters('that are known'),
    Measured: quarters('that were measured'),
    Spread: quarters('spread inside one band'),
    Across: quarters('spread over several bands or an end of the period: not known'),
    Estimated: quarters('estimated from power'),
    Entered: quarters('that somebody entered'),
    Missing: quarters('that are missing'),
    Filled: quarters('that are filled by means of their time'),
  },
  exact,
)

const Row = Type.Object(
  {
    Key: Type.String({ description: 'Of the component; powerFactor: the adjustment by power factor' }),
    Band: orNull(Type.String()),
    Unit: Type.Enum(['kWh', 'kW', 'kVA', 'month', 'money']),
    Quantity: orNull(Type.String({ description: 'A decimal text' })),
    Price: orNull(Type.String({ description: 'Per unit; of money in per cent; null also where each quarter has its own' })),
    Share: orNull({ ...MonthDays, description: 'Of what is charged by the month, where not all of it is charged' }),
    PricePercent: orNull(Type.String({ description: 'Of the price, where that is not all of it' })),
    Amount: orNull(money('Rounded once; null: not known')),
    Gap: orNull(Type.Enum([...billGaps])),
    InPowerFactorBase: Type.Boolean(),
    Estimated: Type.Boolean({ description: 'Some of it is estimated (估)' }),
  },
  exact,
)

const Part = Type.Object(
  {
    Tariff: Type.String(),
    Number: Type.Integer({ description: 'Of the version, within its tariff' }),
    Source: Type.String(),
    ValidFrom: Type.String(),
    Sha256: orNull(Type.String({ description: 'Of the version as it was published' })),
    From: Type.String(),
    To: Type.String({ description: 'Included' }),
    Bands: Type.Array(Band),
    Rows: Type.Array(Row),
  },
  exact,
)

const StatementProblem = Type.Object(
  {
    Kind: Type.String(),
    Text,
    Gap: orNull(Type.Enum([...billGaps], { description: 'Of a row that is not known, why' })),
    ByReason: Type.Boolean({ description: 'Somebody can issue it in spite of that, by name and reason' }),
  },
  exact,
)

const Late = Type.Object(
  { Wh: wh('How much more is known since it was issued'), Fee: orNull(money('And what that comes to; null: not known')) },
  exact,
)

export const Statement = Type.Object(
  {
    StatementID: orNull(Type.Integer({ description: 'Null: a draft, of which nothing is stored' })),
    Number: orNull(Type.String()),
    State: Type.Enum([...statementStates]),
    Engine: Type.Integer({ description: 'By which it is reckoned, now and again' }),
    Sha256: orNull(Type.String({ description: 'Of the canonical JSON (RFC 8785) of its inputs and its result' })),
    IssuedAt: orNull(Type.Integer({ description: 'Unix ms' })),
    Issuer: orNull(Type.String({ description: 'Null: a draft, or a guest asks' })),
    Estimates: orNull(
      Type.Object(
        { Reason: Type.String(), Issuer: orNull(Type.String()) },
        { ...exact, description: 'It was issued with estimates, by whom and why' },
      ),
    ),
    Replaces: orNull(Type.Object({ StatementID: Type.Integer(), Number: Type.String() }, exact)),
    Successor: orNull(Type.Object({ StatementID: Type.Integer(), Number: Type.String() }, exact)),
    Ended: orNull(
      Type.Object(
        { At: Type.Integer({ description: 'Unix ms' }), Name: orNull(Type.String()), Reason: Type.String() },
        { ...exact, description: 'When it was corrected or made void, by whom and why' },
      ),
    ),
    SupplyID: Type.Integer(),
    ...{ Project: Type.String(), Supply: Type.String(), AccountNo: Type.String(), Zone: Type.String() },
    Currency: orNull(Type.String({ description: 'ISO 4217; null: its tariffs have several, or it has none' })),
    Month: Type.String({ description: 'In which its period begins, `2026-11`' }),
    From: Type.String(),
    To: Type.String({ description: 'Excluded' }),
    Quarters: quarters('of the period'),
    CapacityVa: orNull(Type.Integer()),
    DeclaredW: orNull(Type.Integer()),
    PowerFactorStandard: orNull(Type.Enum([...powerFactorStandards])),
    CosHundredths: orNull(Type.Integer()),
    Members: Type.Array(Member),
    Wh: wh('What is known of all lines'),
    BilledWh: wh('As billed'),
    LackingQuarters: quarters('of which a line is not known'),
    Max: Type.Object(
      {
        W: orNull(Type.Number({ description: 'The largest mean of a quarter, W' })),
        At: orNull(Type.Integer({ description: 'When that quarter began, Unix ms' })),
        LeftOut: quarters('that make no demand'),
      },
      exact,
    ),
    Parts: Type.Array(Part),
    Total: orNull(money('Null: a row is not known')),
    KnownHundredths: orNull(Type.Integer({ description: 'Known of its least known line, hundredths of a per cent' })),
    ByWeekday: Type.Boolean({ description: 'Nobody entered the holidays of its year: they are priced as other days' }),
    Problems: Type.Array(StatementProblem, { description: 'Of a draft: all that stands against issuing it' }),
    Late: orNull({ ...Late, description: 'Of an issued one; null: nothing more is known' }),
  },
  exact,
)
export type Statement = Type.Static<typeof Statement>

/** A supply in a month: its statement, or that it has none yet. */
export const StatementRow = Type.Object(
  {
    Month: Type.String(),
    From: Type.String(),
    To: Type.String({ description: 'Excluded' }),
    SupplyID: Type.Integer(),
    Supply: Type.String(),
    AccountNo: Type.String(),
    State: Type.Enum([...statementStates]),
    IsOver: Type.Boolean({ description: 'The period is over, and all of it was to be reported' }),
    Issued: orNull(
      Type.Object(
        {
          StatementID: Type.Integer(),
          Number: Type.String(),
          IssuedAt: Type.Integer(),
          BilledWh: wh('As billed'),
          Bands: Type.Array(Band),
          MaxW: orNull(Type.Number()),
          CosHundredths: orNull(Type.Integer()),
          Total: money('To pay'),
          Currency: Type.String(),
          KnownHundredths: orNull(Type.Integer()),
          IsEstimated: Type.Boolean(),
          Replaces: orNull(Type.String()),
          Successor: orNull(Type.String()),
          LateWh: orNull(wh('How much more is known since; null: nothing, or its lines are not there to be asked')),
        },
        { ...exact, description: 'Null: a draft, which POST /statements/draft computes' },
      ),
    ),
  },
  exact,
)
export type StatementRow = Type.Static<typeof StatementRow>

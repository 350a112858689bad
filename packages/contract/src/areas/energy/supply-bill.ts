import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { exact, id, orNull } from '../../core/schemas.ts'
import { BillingMonth, PowerFactor } from './power-factor.ts'

const Wh = Type.Number({ description: 'Whole Wh' })
const Fee = Type.String({ description: 'A decimal text in whole minor units' })
const seconds = (description: string) => Type.Integer({ minimum: 0, description })

export const billGaps = ['demand', 'declared', 'capacity', 'powerFactor', 'period', 'others'] as const

export const MonthDays = Type.Object(
  {
    Days: Type.Integer(),
    Of: Type.Integer({ description: 'The days of the period, or 30 where the supply begins or ends in it' }),
  },
  exact,
)

const Row = Type.Object(
  {
    Key: Type.String({ description: 'Of the component; powerFactor: the adjustment by power factor' }),
    Band: orNull(Type.String({ description: 'Of a component that has a price for each' })),
    Fee: orNull({ ...Fee, description: 'Rounded once; null: not known' }),
    Gap: orNull(
      Type.Enum([...billGaps], {
        description:
          'Why it is not known. others: one of what it is of; period: as statements of the first engine said, where a version prices only a part of the month',
      }),
    ),
    Share: orNull({ ...MonthDays, description: 'Of what is charged by the month; null: it is not, or all of it is charged' }),
  },
  exact,
)

const Part = Type.Object(
  {
    VersionID: Type.Integer(),
    Tariff: Type.String(),
    Number: Type.Integer({ description: 'Of the version, within its tariff' }),
    From: Type.String(),
    To: Type.String({ description: 'Excluded' }),
    Bands: Type.Array(Type.Object({ Key: Type.String(), Wh: { ...Wh, description: 'As a bill rounds it' } }, exact)),
    Rows: Type.Array(Row),
  },
  exact,
)

export const SupplyBill = Type.Object(
  {
    SupplyID: Type.Integer(),
    Name: Type.String(),
    Currency: orNull(Type.String({ description: 'ISO 4217; null: its tariffs have several, or it has none' })),
    Zone: Type.String(),
    From: Type.String(),
    To: Type.String({ description: 'Excluded' }),
    Wh: orNull(Type.Number({ description: 'Whole Wh of what is known; null: nothing is, which is not nought' })),
    LackingS: seconds('Of which a line is not known: the bill is too low by that'),
    OpenS: seconds('Still to be reported, or still to come'),
    UnpricedWh: Wh,
    UnpricedS: seconds('Of which energy is known, and no price'),
    MaxW: orNull(Type.Number({ description: 'The largest mean of a quarter, W; null: none is known' })),
    MaxAt: orNull(Type.Integer({ description: 'When that quarter began, Unix ms' })),
    MaxLeftOutS: seconds('Whose course nobody measured: a larger one may lie in it'),
    PowerFactorStandard: orNull(Type.Integer({ description: 'Of the supply, in hundredths; null: nothing is adjusted' })),
    PowerFactor: orNull({ ...PowerFactor, description: 'As somebody typed it from a bill; null: nobody did' }),
    Parts: Type.Array(Part, { description: 'One for each version that prices dates of it; none where nothing is known' }),
    Known: orNull({ ...Fee, description: 'The sum of the rows that are known; null: there are none' }),
    IsWhole: Type.Boolean({
      description:
        'All rows are known, none is only known to be at least so much, nothing is lacking, all has a price and the period is over',
    }),
    ByWeekday: Type.Boolean({ description: 'Nobody entered the holidays of its year: they are priced as other days' }),
  },
  exact,
)
export type SupplyBill = Type.Static<typeof SupplyBill>

export const getSupplyBill = call({
  name: 'getSupplyBill',
  method: 'GET',
  path: '/energy/supplies/bill',
  area: 'energy',
  permission: 'energy.energy',
  scope: { kind: 'project', id: 'HouseID' },
  shows: ['supplies', 'tariffs'],
  summary: 'What a billing period of a supply comes to by its tariff, row by row; it is no statement of the utility',
  query: Type.Object(
    {
      HouseID: id,
      SupplyID: id,
      Month: BillingMonth,
    },
    exact,
  ),
  data: SupplyBill,
})

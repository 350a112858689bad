import type { BillCheckRow, CheckedBillRow } from '@linewarden/rules/energy'
import { checkBill, checkTotal, maxToleranceHundredths } from '@linewarden/rules/energy'
import * as Type from 'typebox'
import { call } from '../../core/call.ts'
import { called, exact, id, orNull } from '../../core/schemas.ts'
import type { Statement } from './statement.ts'
import { civilDate } from './tariff.ts'

export const maxBillRows = 60

const decimal = (description: string) =>
  Type.String({ pattern: '^-?\\d{1,12}(\\.\\d{1,8})?$', maxLength: 24, description: `${description}, a decimal text` })
const billUnits = ['kWh', 'kW', 'kVA', 'month', 'money'] as const

/** The utility's own bill of a supply, as somebody typed or imported it. */
export const UtilityBill = Type.Object(
  {
    Number: called(60),
    From: civilDate('Of the bill, first date'),
    To: civilDate('Of the bill, excluded'),
    CosHundredths: orNull(
      Type.Integer({ minimum: 1, maximum: 100, description: 'Power factor that it goes by; null: it does not say' }),
    ),
    ToleranceHundredths: Type.Integer({
      ...{ minimum: 0, maximum: maxToleranceHundredths },
      description: 'Hundredths of a per cent by which a row may differ',
    }),
    Total: decimal('To pay, in whole units of the currency'),
    Rows: Type.Array(
      Type.Object(
        {
          Key: called(60),
          Band: orNull(called(40)),
          Unit: Type.Enum([...billUnits]),
          Quantity: orNull(decimal('Null: it does not say')),
          Price: orNull(decimal('Per unit; of money in per cent; null: it does not say')),
          Amount: decimal('In whole units of the currency'),
        },
        exact,
      ),
      { minItems: 1, maxItems: maxBillRows },
    ),
  },
  exact,
)
export type UtilityBill = Type.Static<typeof UtilityBill>

const billReasons = [
  ...(['oursOnly', 'theirsOnly', 'period', 'register', 'demand', 'capacity', 'months', 'powerFactor', 'price'] as const),
  ...(['base', 'rounding'] as const),
] as const

const Side = orNull(
  Type.Object(
    { Quantity: orNull(Type.String()), Price: orNull(Type.String()), Amount: orNull(Type.String()) },
    { ...exact, description: 'Null: it stands on the other one alone' },
  ),
)

const BillCheck = Type.Object(
  {
    Rows: Type.Array(
      Type.Object(
        {
          Key: Type.String(),
          Band: orNull(Type.String()),
          Unit: Type.Enum([...billUnits]),
          Ours: Side,
          Theirs: Side,
          QuantityMore: orNull(Type.String({ description: 'Theirs less ours' })),
          AmountMore: orNull(Type.String({ description: 'Theirs less ours' })),
          IsWithin: orNull(Type.Boolean({ description: 'Within the tolerance; null: not known' })),
          Reasons: Type.Array(Type.Enum([...billReasons]), { description: 'The likeliest first; none: nothing differs' }),
        },
        exact,
      ),
    ),
    TotalMore: orNull(Type.String({ description: 'Theirs less ours' })),
    IsTotalWithin: orNull(Type.Boolean()),
    IsSumRight: Type.Boolean({ description: 'The rows of the bill add up to its total' }),
  },
  exact,
)
export type BillCheck = Type.Static<typeof BillCheck>

export const StatementBill = Type.Object(
  {
    Bill: UtilityBill,
    Check: BillCheck,
    EnteredAt: Type.Integer({ description: 'Unix ms' }),
    EnteredBy: orNull(Type.String({ description: 'Null: a guest asks' })),
    Version: Type.Integer(),
  },
  exact,
)
export type StatementBill = Type.Static<typeof StatementBill>

const statement = { area: 'energy', scope: { kind: 'project', id: 'HouseID' } } as const

export const getStatementBill = call({
  ...statement,
  name: 'getStatementBill',
  method: 'GET',
  path: '/statements/bill',
  permission: 'system.report',
  shows: ['statements'],
  summary: "The utility's own bill beside an issued statement: per row what differs in quantity and money, and why",
  query: Type.Object({ HouseID: id, StatementID: id }, exact),
  data: orNull(StatementBill),
})

export const setStatementBill = call({
  ...statement,
  name: 'setStatementBill',
  method: 'PUT',
  path: '/statements/bill',
  permission: 'system.project',
  audited: true,
  movesEquipment: false,
  touches: ['statements'],
  summary: "Enter the utility's own bill of an issued statement, or take it out; the statement itself never changes",
  body: Type.Object(
    {
      HouseID: id,
      StatementID: id,
      Version: Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Of what stands there; 0: nothing does' }),
      Bill: orNull(UtilityBill),
    },
    exact,
  ),
  data: orNull(StatementBill),
})

/** A statement beside the utility's bill. */
export function billCheckOf(
  of: Pick<Statement, 'Parts' | 'Total' | 'From' | 'To' | 'CosHundredths'>,
  bill: UtilityBill,
): BillCheck {
  const rows = checkBill(
    of.Parts.flatMap(({ Rows }) => Rows.map(ruled)),
    bill.Rows.map(ruled),
    {
      isSamePeriod: bill.From === of.From && bill.To === of.To,
      isSameCos: bill.CosHundredths === null ? null : bill.CosHundredths === of.CosHundredths,
      toleranceHundredths: bill.ToleranceHundredths,
    },
  )
  const { more, isWithin } = checkTotal(of.Total, bill.Total, bill.ToleranceHundredths)
  return {
    Rows: rows.map(checked),
    ...{ TotalMore: more, IsTotalWithin: isWithin, IsSumRight: checkTotal(sumOfRows(bill), bill.Total, 0).isWithin === true },
  }
}

const ruled = ({
  Key,
  Band,
  Unit,
  Quantity,
  Price,
  Amount,
}: UtilityBill['Rows'][number] | Statement['Parts'][number]['Rows'][number]) =>
  ({ key: Key, band: Band, unit: Unit, quantity: Quantity, price: Price, amount: Amount }) satisfies CheckedBillRow

const side = (row: CheckedBillRow | null) => row && { Quantity: row.quantity, Price: row.price, Amount: row.amount }

const checked = (row: BillCheckRow): BillCheck['Rows'][number] => ({
  ...{ Key: row.key, Band: row.band, Unit: row.unit, Ours: side(row.ours), Theirs: side(row.theirs) },
  ...{ QuantityMore: row.quantityMore, AmountMore: row.amountMore, IsWithin: row.isWithin, Reasons: [...row.reasons] },
})

/** All rows as one: what they add up to. */
function sumOfRows({ Rows }: UtilityBill): string | null {
  const facts = { isSamePeriod: true, isSameCos: null, toleranceHundredths: 0 }
  const [row] = checkBill(
    [],
    Rows.map((each) => ({ ...ruled(each), key: '', band: null })),
    facts,
  )
  return row?.theirs?.amount ?? null
}

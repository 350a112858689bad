import type { TariffContent, UtilityBill } from '@linewarden/contract'
import type { CarbonBasis, PowerFactorStandard, SupplyMember, SupplyTariff } from '@linewarden/rules/energy'
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { Json } from '../core/columns.ts'

/** The tables of `energy` as Kysely sees them. */
export interface EnergyTables {
  energy_quarter: QuarterTable
  energy_line: EnergyLineTable
  energy_profile: ProfileTable
  supply: SupplyTable
  supply_power_factor: PowerFactorTable
  tariff: TariffTable
  tariff_version: TariffVersionTable
  price_import: PriceImportTable
  carbon_choice: { project_id: number; region: string; basis: CarbonBasis; version: Generated<number> }
  carbon_factor: CarbonFactorTable
  energy_budget: BudgetTable
  energy_budget_notice: { budget_id: number; starts: Date; notice: string; noticed_at: Date; notified_at: Date | null }
  statement: StatementTable
  statement_bill: StatementBillTable
  statement_check: StatementCheckTable
  virtual_meter: VirtualMeterTable
}

interface QuarterTable {
  line_id: number
  /** Of UTC. */
  day: Date
  wh: (number | null)[]
  how: Buffer
}

interface EnergyLineTable {
  line_id: number
  since: Date
  made_to: Date
  step_wh: number | null
}

interface ProfileTable {
  kind: string
  id: number
  /** Of the project's zone. */
  day: Date
  project_id: number
  gateway_id: number | null
  wh: (number | null)[]
  missing: number[] | null
  spread: number[] | null
  estimated: number[] | null
  entered: number[] | null
  lines: number
  fed: boolean
  used: number
  spread_used: number
  estimated_used: number
  entered_used: number
  lacking: number
  unknown: number
}

interface SupplyTable {
  supply_id: GeneratedAlways<number>
  project_id: number
  name: string
  account_no: string
  members: Json<readonly SupplyMember[]>
  capacity_va: number | null
  declared_w: number | null
  pf_standard: PowerFactorStandard | null
  billing_day: number
  energy_step_wh: number
  /** Local days since 1970, both included. */
  from_day: number
  to_day: number | null
  version: Generated<number>
  tariffs: ColumnType<readonly SupplyTariff[], string | undefined, string>
}

interface PowerFactorTable {
  supply_id: number
  /** The first of the month in which the period begins, a local day since 1970. */
  month: number
  project_id: number
  cos: number | null
  active_wh: ColumnType<string | null, number | null, number | null>
  reactive_varh: ColumnType<string | null, number | null, number | null>
  source: string
  typed_at: Date
  typed_name: string
  version: Generated<number>
}

interface TariffTable {
  tariff_id: GeneratedAlways<number>
  project_id: number
  name: string
  currency: string
}

/** What a version says beside its dates and its source. */
export type StoredTariff = Omit<TariffContent, 'From' | 'To' | 'Source'>

interface TariffVersionTable {
  version_id: GeneratedAlways<number>
  tariff_id: number
  project_id: number
  number: number
  from_day: number
  to_day: number | null
  source: string
  content: Json<StoredTariff>
  version: Generated<number>
  published_at: Date | null
  published_name: string | null
  canonical: string | null
  sha256: string | null
}

interface BudgetTable {
  budget_id: GeneratedAlways<number>
  project_id: number
  name: string
  /** Null: of the project. */
  supply_id: number | null
  period: 'month' | 'year'
  kind: 'energy' | 'money'
  /** Whole Wh, or whole minor units. */
  amount: ColumnType<string, number, number>
  thresholds: number[]
  version: Generated<number>
}

interface CarbonFactorTable {
  project_id: number
  year: number
  region: string
  basis: CarbonBasis
  kg_per_kwh: string
  source: string
  typed_at: Date
  typed_name: string
  version: Generated<number>
}

interface PriceImportTable {
  import_id: GeneratedAlways<number>
  tariff_id: number
  project_id: number
  number: number
  source: string
  starts: Date
  ends: Date
  minutes: number
  quarters: number
  unknown: number
  changed: number
  sha256: string
  imported_at: Date
  imported_name: string
}

/** What lists show of a statement. */
export interface StatementHead {
  readonly supply: string
  readonly accountNo: string
  readonly billedWh: number
  readonly bands: readonly { readonly key: string; readonly wh: number }[]
  readonly maxW: number | null
  readonly cosHundredths: number | null
  readonly total: string
  readonly currency: string
  readonly knownHundredths: number | null
  readonly isEstimated: boolean
  readonly replaces: string | null
  /** The local days that are billed, the last not included: of a part of a period fewer than it has. */
  readonly billed: { readonly first: number; readonly end: number }
  /** What its lines had reported of these by then, by line. */
  readonly reported: readonly { readonly lineId: number; readonly sign: number; readonly wh: number }[]
}

interface StatementTable {
  statement_id: GeneratedAlways<number>
  project_id: number
  supply_id: number
  number: string
  month: string
  /** Local days since 1970; `end_day` is not included. */
  first_day: number
  end_day: number
  state: Generated<'issued' | 'replaced' | 'void'>
  engine: number
  canonical: string
  sha256: string
  head: Json<StatementHead>
  issued_at: Date
  issued_name: string
  replaces: number | null
  ended_at: Date | null
  ended_name: string | null
  ended_reason: string | null
}

interface StatementBillTable {
  statement_id: number
  project_id: number
  bill: Json<UtilityBill>
  entered_at: Date
  entered_name: string
  version: number
}

interface VirtualMeterTable {
  meter_id: GeneratedAlways<number>
  project_id: number
  name: string
  /** Of each one is null: a line, or another virtual meter. */
  terms: Json<readonly { readonly lineId: number | null; readonly meterId: number | null; readonly factor: number }[]>
  floors_at_zero: boolean
  /** Local days since 1970, both included. */
  from_day: number
  to_day: number | null
  version: Generated<number>
}

interface StatementCheckTable {
  statement_id: number
  at: Date
  is_equal: boolean
}

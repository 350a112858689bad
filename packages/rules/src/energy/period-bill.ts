import type { CivilDay } from '../automation/civil-time.ts'
import type { Bill, BillFacts, BillLine, MonthShare } from './bill.ts'
import { billOf, powerFactorLine } from './bill.ts'
import type { CivilPeriod } from './compared.ts'
import type { DemandFacts } from './demand.ts'
import type { Amount } from './money.ts'
import { largestRemainder } from './money.ts'
import { monthStart, nextMonthStart } from './periods.ts'
import type { PowerFactorStandard } from './power-factor.ts'
import type { TariffComponent, TariffVersion } from './tariff.ts'

/** The billing period that begins in the month of a date: the month itself, or from a day of it to before that day of the next one. */
export function billingPeriod(day: CivilDay, billingDay: number): CivilPeriod {
  const later = Math.max(0, billingDay - 1)
  return { first: monthStart(day) + later, end: nextMonthStart(day) + later }
}

/** The first of the month in which the billing period of a date begins. */
export const billingMonth = (day: CivilDay, billingDay: number): CivilDay =>
  monthStart(day < billingPeriod(day, billingDay).first ? monthStart(day) - 1 : day)

/** Energy of a period by band as a bill has it: rounded to its step, so that the bands add up to the rounded whole. */
export function billedWh(parts: readonly (readonly number[])[], stepWh: number): readonly (readonly number[])[] {
  const rounded = largestRemainder(
    parts.flat().map((wh) => BigInt(Math.round(wh))),
    BigInt(stepWh),
  )
  let at = 0
  return parts.map((part) => part.map(() => Number(rounded[at++] ?? 0n) * stepWh))
}

/** What one version prices of a period. */
export interface BillPart {
  readonly version: TariffVersion
  readonly whByBand: readonly number[]
  /** What its series makes of the energy, not rounded. */
  readonly seriesAmount: Amount
  /** Dates that it prices. */
  readonly days: number
}

/** Why a row of a bill is not known. `others`: one of what it is of. */
export type BillGap = 'demand' | 'declared' | 'capacity' | 'powerFactor' | 'others'

/** A row, and why it is not known where it is not. */
export interface PeriodBillLine extends BillLine {
  readonly gap: BillGap | null
  /** Of what is charged by the month; null: it is not, or all of it is charged. */
  readonly share: MonthShare | null
}

export interface PeriodBill {
  /** The rows of each part. */
  readonly parts: readonly (readonly PeriodBillLine[])[]
  /** The sum of the rows that are known, in the minor unit. */
  readonly knownMinor: bigint
  /** None of them is not known, or only known to be at least so much. */
  readonly isWhole: boolean
}

type PeriodFacts = Omit<DemandFacts, 'usedWh'> &
  Pick<BillFacts, 'cosHundredths' | 'minorDigits'> & {
    /** No larger demand can lie in what was left out. */
    readonly isMaxCertain: boolean
    /** Of the supply, which alone decides; null: nothing is adjusted, whatever the version says. */
    readonly powerFactorStandard: PowerFactorStandard | null
  }

/** The dates of a billing period that are billed: all of it, or less where the supply begins or ends in it. */
interface BilledDays {
  readonly days: number
  readonly isWhole: boolean
}

/**
 * How much of a month a version bears (ADR 171): of a whole period its days of those that the period has, so that the parts add up to one month; of
 * the month in which a supply begins or ends a thirtieth a day, and no more than a month (供电营业规则).
 */
export const monthShare = (days: number, billed: BilledDays): MonthShare => ({
  ...{ days, of: billed.isWhole ? billed.days : Math.max(30, billed.days) },
})

/**
 * The bill of a period. The demand of the month is one, whatever its versions; each of them bears its days of what is charged by the month, and the
 * power factor adjusts what each comes to.
 */
export function periodBill(parts: readonly BillPart[], billed: BilledDays, facts: PeriodFacts): PeriodBill {
  const usedWh = parts.reduce((sum, { whByBand }) => whByBand.reduce((own, wh) => own + wh, sum), 0)
  const rows = parts.map(({ version, whByBand, seriesAmount, days }) => {
    const own = { ...version, powerFactorStandard: facts.powerFactorStandard }
    const ofPart: BillFacts = { ...facts, whByBand, seriesAmount, usedWh, share: monthShare(days, billed) }
    return linesOf(own, billOf(own, ofPart), ofPart)
  })
  const all = rows.flat()
  return {
    parts: rows,
    knownMinor: all.reduce((sum, { minor }) => sum + (minor ?? 0n), 0n),
    isWhole: all.every(({ minor }) => minor !== null) && (facts.isMaxCertain || !parts.some(({ version }) => isByMax(version))),
  }
}

/** Whether a version charges by the largest demand. */
const isByMax = ({ components, demandRule }: TariffVersion): boolean =>
  components.some(({ basis }) => basis === 'kwDemand') && needsMax(demandRule)
const needsMax = (rule: TariffVersion['demandRule']): boolean => rule?.base !== 'declared' || rule.over !== null

const isByMonth = ({ basis }: TariffComponent): boolean => basis === 'kwDemand' || basis === 'kvaCapacity' || basis === 'month'

function linesOf(version: TariffVersion, { lines }: Bill, facts: BillFacts): readonly PeriodBillLine[] {
  const { days, of } = facts.share
  const monthly = new Set(version.components.filter(isByMonth).map(({ key }) => key))
  return lines.map((line) => ({
    ...{ ...line, gap: line.minor === null ? gapOf(version, line.key, facts) : null },
    share: days < of && monthly.has(line.key) ? facts.share : null,
  }))
}

function gapOf({ components, demandRule }: TariffVersion, key: string, facts: BillFacts): BillGap {
  if (key === powerFactorLine) return facts.cosHundredths === null ? 'powerFactor' : 'others'
  const basis = components.find((each) => each.key === key)?.basis
  if (basis === 'kvaCapacity') return 'capacity'
  if (basis !== 'kwDemand') return 'others'
  if (demandRule?.base === 'declared' && facts.declaredW === null) return 'declared'
  return needsMax(demandRule) && facts.maxW === null ? 'demand' : 'capacity'
}

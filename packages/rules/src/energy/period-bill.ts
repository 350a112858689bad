import type { CivilDay } from '../automation/civil-time.ts'
import type { Bill, BillFacts, BillLine } from './bill.ts'
import { billOf, powerFactorLine } from './bill.ts'
import type { CivilPeriod } from './compared.ts'
import type { DemandFacts } from './demand.ts'
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
}

/** Why a row of a bill is not known. `period`: it is charged by the month, and a version prices only a part of it. `others`: one of what it is of. */
export type BillGap = 'demand' | 'declared' | 'capacity' | 'powerFactor' | 'period' | 'others'

/** A row, and why it is not known where it is not. */
export interface PeriodBillLine extends BillLine {
  readonly gap: BillGap | null
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

/**
 * The bill of a period. Where one version does not price all of it, what is charged by the month is not known: nobody has said how it is divided.
 */
export function periodBill(parts: readonly BillPart[], isWholePeriod: boolean, facts: PeriodFacts): PeriodBill {
  const isOne = isWholePeriod && parts.length === 1
  const rows = parts.map(({ version, whByBand }) => {
    const own = { ...version, powerFactorStandard: facts.powerFactorStandard }
    const usedWh = whByBand.reduce((sum, wh) => sum + wh, 0)
    const ofPart: BillFacts = { ...facts, whByBand, usedWh }
    return isOne ? linesOf(own, billOf(own, ofPart), ofPart) : energyLines(own, ofPart)
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

/** Of what is charged for energy alone; the rest has its row and is not known. */
function energyLines(version: TariffVersion, facts: BillFacts): readonly PeriodBillLine[] {
  const energy = { ...version, components: version.components.filter((each) => !isByMonth(each)), powerFactorStandard: null }
  const lines = linesOf(energy, billOf(energy, facts), facts)
  const unknown = (key: string): PeriodBillLine => ({ key, band: null, minor: null, gap: 'period' })
  const ofComponents = version.components.flatMap((component) =>
    isByMonth(component) ? [unknown(component.key)] : lines.filter(({ key }) => key === component.key),
  )
  return version.powerFactorStandard === null ? ofComponents : [...ofComponents, unknown(powerFactorLine)]
}

const linesOf = (version: TariffVersion, { lines }: Bill, facts: BillFacts): readonly PeriodBillLine[] =>
  lines.map((line) => ({ ...line, gap: line.minor === null ? gapOf(version, line.key, facts) : null }))

function gapOf({ components, demandRule }: TariffVersion, key: string, facts: BillFacts): BillGap {
  if (key === powerFactorLine) return facts.cosHundredths === null ? 'powerFactor' : 'others'
  const basis = components.find((each) => each.key === key)?.basis
  if (basis === 'kvaCapacity') return 'capacity'
  if (basis !== 'kwDemand') return 'others'
  if (demandRule?.base === 'declared' && facts.declaredW === null) return 'declared'
  return needsMax(demandRule) && facts.maxW === null ? 'demand' : 'capacity'
}

/** What engine 1 takes and answers: never edited, see `engine-1.ts`. */

/** A published version as it was sealed: what its SHA-256 is of. */
export interface SealedVersion {
  readonly Bands: readonly string[]
  readonly Seasons: readonly {
    readonly From: string
    readonly To: string
    /** The band of each of the 96 quarters of the clock, a digit each, by type of date. */
    readonly Days: Readonly<Record<string, string>>
  }[]
  readonly Components: readonly {
    readonly Key: string
    readonly Basis: 'kwhByBand' | 'kwh' | 'kwDemand' | 'kvaCapacity' | 'month' | 'percentOf'
    readonly Prices: readonly string[]
    readonly Of: readonly string[]
    readonly InPowerFactorBase: boolean
    readonly GovernmentFund: boolean
  }[]
  readonly DemandRule: {
    readonly Base: 'actual' | 'declared'
    readonly Over: { readonly AbovePercent: number; readonly Factor: number } | null
    readonly FloorPercent: number | null
    readonly Discount: { readonly FromKwhPerKva: number; readonly PricePercent: number } | null
  } | null
  readonly PowerFactorStandard: number | null
}

/** A line of the supply with its quarters; energy in whole Wh. */
export interface Engine1Member {
  readonly lineId: number
  readonly sign: number
  /** Registers where the period begins and ends, before the multiplier; null: not known. */
  readonly multiplier: number
  readonly opening: number | null
  readonly closing: number | null
  /** Null: missing. */
  readonly wh: readonly (number | null)[]
  /** How each is known, a digit: 0 measured, 1 spread, 2 estimated, 3 entered, 4 missing. And of those beside the period. */
  readonly how: string
  readonly howBefore: string
  readonly howAfter: string
}

/** What a statement is made of, as far as it is reckoned with; what else is frozen with it is only printed. */
export interface Engine1Inputs {
  readonly minorDigits: number
  /** What is missing is filled by the means of its time and type of date: somebody issues it so, by name and reason. */
  readonly estimate: boolean
  readonly stepWh: number
  readonly capacityVa: number | null
  readonly declaredW: number | null
  readonly powerFactorStandard: number | null
  readonly cosHundredths: number | null
  /** All dates of the billing period are billed. */
  readonly isWholePeriod: boolean
  /** Where the first date begins, Unix ms. */
  readonly start: number
  /** `clock`: which of the 96 quarters the clock shows in each, where it is not each once; `version`: the place of the one that prices it. */
  readonly days: readonly {
    readonly date: string
    readonly type: string
    readonly clock: readonly number[] | null
    readonly version: number | null
  }[]
  readonly versions: readonly { readonly sealed: SealedVersion }[]
  readonly members: readonly Engine1Member[]
}

/** A row, rounded once. Decimal texts; null: not known. */
export interface Engine1Row {
  readonly key: string
  readonly band: string | null
  readonly unit: 'kWh' | 'kW' | 'kVA' | 'month' | 'money'
  readonly quantity: string | null
  /** Per unit; of `money` in per cent. */
  readonly price: string | null
  /** Of the price: less than 100 by a discount. */
  readonly pricePercent: string | null
  readonly amount: string | null
  readonly gap: 'demand' | 'declared' | 'capacity' | 'powerFactor' | 'period' | 'others' | null
  readonly inPowerFactorBase: boolean
  readonly estimated: boolean
}

export interface Engine1Result {
  readonly quarters: number
  /** Of what is known of all lines, not rounded. */
  readonly wh: number
  /** As billed. */
  readonly billedWh: number
  readonly lackingQuarters: number
  readonly unpricedQuarters: number
  readonly max: { readonly w: number | null; readonly at: number | null; readonly leftOut: number }
  readonly members: readonly {
    readonly lineId: number
    readonly wh: number
    readonly bands: readonly { readonly band: string; readonly wh: number }[]
    /** (closing - opening) x multiplier is its energy, to the digit; null: a register is not known. */
    readonly agrees: boolean | null
    readonly known: number
    readonly measured: number
    readonly spread: number
    /** Spread over more than one band or price, or over an end of the period: not known. */
    readonly across: number
    readonly estimated: number
    readonly entered: number
    readonly missing: number
    readonly filled: number
    /** Of its energy, by size, what was estimated or is spread across: of no certain price. */
    readonly uncertainWh: number
  }[]
  readonly parts: readonly {
    readonly version: number
    readonly from: string
    readonly to: string
    readonly bands: readonly { readonly band: string; readonly wh: number; readonly estimated: boolean }[]
    readonly rows: readonly Engine1Row[]
  }[]
  readonly total: string | null
}

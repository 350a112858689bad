import type { Supply } from '@linewarden/contract'
import { energySteps, maxSupplyVa, powerFactorStandards } from '@linewarden/rules/energy'
import { momentIn, momentText } from '../../ui/moment-text.ts'

/** A supply as it is written in the form. */
export interface SupplyValues {
  readonly Name: string
  readonly AccountNo: string
  readonly Members: readonly { readonly LineID: number; readonly Sign: 1 | -1 }[]
  /** kVA and kW, as typed; empty: not known. */
  readonly CapacityVa: string
  readonly DeclaredW: string
  readonly PowerFactorStandard: string
  readonly BillingDay: string
  readonly EnergyStepWh: string
  readonly From: string
  readonly To: string
  readonly Tariffs: readonly { readonly TariffID: string; readonly From: string }[]
}

/** `31.5` of 31,500: a thousandth is not rounded away. */
export const kiloText = (whole: number): string => String(whole / 1_000)

/** What is typed in thousands, whole and up to three places; null: nothing is typed. NaN: it is no such figure. */
export function kiloIn(text: string): number | null {
  const typed = text.trim().replaceAll(',', '')
  if (typed === '') return null
  if (!/^\d{1,7}(\.\d{1,3})?$/.test(typed)) return Number.NaN
  const value = Math.round(Number(typed) * 1_000)
  return value >= 1 && value <= maxSupplyVa ? value : Number.NaN
}

const dayIn = (text: string): string | null => {
  const at = momentIn('day', text)
  return at === null ? null : momentText('day', at)
}

export const isDay = (text: string): boolean => dayIn(text) !== null

export const supplyStart = (supply: Supply | null, today: string): SupplyValues => ({
  ...{ Name: supply?.Name ?? '', AccountNo: supply?.AccountNo ?? '' },
  Members: supply?.Members.map(({ LineID, Sign }) => ({ LineID, Sign })) ?? [],
  CapacityVa: supply?.CapacityVa == null ? '' : kiloText(supply.CapacityVa),
  DeclaredW: supply?.DeclaredW == null ? '' : kiloText(supply.DeclaredW),
  PowerFactorStandard: String(supply?.PowerFactorStandard ?? ''),
  ...{ BillingDay: String(supply?.BillingDay ?? 0), EnergyStepWh: String(supply?.EnergyStepWh ?? energySteps[0]) },
  ...{ From: supply?.From ?? today, To: supply?.To ?? '' },
  Tariffs: supply?.Tariffs.map(({ TariffID, From }) => ({ TariffID: String(TariffID), From: From ?? '' })) ?? [],
})

/** As the server takes it; asked only once nothing is wrong with it. */
export const supplyOf = (values: SupplyValues) => ({
  ...{ Name: values.Name.trim(), AccountNo: values.AccountNo.trim(), Members: [...values.Members] },
  ...{ CapacityVa: kiloIn(values.CapacityVa), DeclaredW: kiloIn(values.DeclaredW) },
  PowerFactorStandard: powerFactorStandards.find((each) => String(each) === values.PowerFactorStandard) ?? null,
  BillingDay: Number(values.BillingDay),
  EnergyStepWh: energySteps.find((each) => String(each) === values.EnergyStepWh) ?? energySteps[0],
  ...{ From: dayIn(values.From) ?? values.From, To: values.To.trim() === '' ? null : (dayIn(values.To) ?? values.To) },
  // The first has no date of its own, whichever was the first before.
  Tariffs: values.Tariffs.map(({ TariffID, From }, index) => ({
    TariffID: Number(TariffID),
    From: index === 0 ? null : (dayIn(From) ?? From),
  })),
})

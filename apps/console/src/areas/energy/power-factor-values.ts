import type { PowerFactor } from '@linewarden/contract'
import { maxTypedEnergy } from '@linewarden/rules/energy'

/** A power factor as it is written in the form: itself, both energies in kWh and kvarh, or that it is not known after all. */
export interface PowerFactorValues {
  readonly By: 'cos' | 'energies' | 'none'
  readonly Cos: string
  readonly Active: string
  readonly Reactive: string
  readonly Source: string
}

/** `0.93` of 93. */
export const cosText = (hundredths: number): string => (hundredths / 100).toFixed(2)

/** Hundredths of what is typed, 0.01 to 1; null: it is no power factor. */
export function cosIn(text: string): number | null {
  const match = /^(0|1)?[.。](\d{1,2})$|^1$/.exec(text.trim())
  if (!match) return null
  const hundredths = text.trim() === '1' ? 100 : Number(match[1] ?? 0) * 100 + Number((match[2] ?? '').padEnd(2, '0'))
  return hundredths >= 1 && hundredths <= 100 ? hundredths : null
}

/** Thousandths of what is typed, with at most three places; null: it is no such figure. */
export function energyIn(text: string, least: 0 | 1): number | null {
  const typed = text.trim().replaceAll(',', '')
  if (!/^\d{1,9}(\.\d{1,3})?$/.test(typed)) return null
  const value = Math.round(Number(typed) * 1_000)
  return value >= least && value <= maxTypedEnergy ? value : null
}

const kilo = (whole: number | null): string => (whole === null ? '' : String(whole / 1_000))

export const powerFactorStart = (typed: PowerFactor | null): PowerFactorValues => ({
  By: typed && typed.CosHundredths === null ? 'energies' : 'cos',
  Cos: typed?.CosHundredths == null ? '' : cosText(typed.CosHundredths),
  ...{ Active: kilo(typed?.ActiveWh ?? null), Reactive: kilo(typed?.ReactiveVarh ?? null), Source: typed?.Source ?? '' },
})

/** As the server takes it, null: it is not known after all; asked only once nothing is wrong with it. */
export function typedOf({ By, Cos, Active, Reactive, Source }: PowerFactorValues) {
  if (By === 'none') return null
  const isCos = By === 'cos'
  return {
    CosHundredths: isCos ? cosIn(Cos) : null,
    ActiveWh: isCos ? null : energyIn(Active, 1),
    ReactiveVarh: isCos ? null : energyIn(Reactive, 0),
    Source: Source.trim(),
  }
}

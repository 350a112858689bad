/** Power factors that a bill is adjusted by, in hundredths: 考核标准 of (83)水电财字215号. */
export const powerFactorStandards = [90, 85, 80] as const
export type PowerFactorStandard = (typeof powerFactorStandards)[number]

/**
 * The power factor of a month by its registers in whole hundredths, half up: by integers, because as floats 0.91 is not 0.91. Null: nothing was used,
 * or a register is not known.
 */
export function cosHundredths(activeWh: number | null, reactiveVarh: number | null): number | null {
  if (activeWh === null || reactiveVarh === null || activeWh <= 0) return null
  const [active, reactive] = [BigInt(Math.round(activeWh)), BigInt(Math.round(reactiveVarh))]
  const apparentSquare = active * active + reactive * reactive
  const scaledSquare = 40_000n * active * active
  let found = 0
  // cos >= (n - 0.5) / 100, squared and without fractions.
  while (found < 100 && BigInt(2 * found + 1) ** 2n * apparentSquare <= scaledSquare) found += 1
  return found
}

/** Energy of a billing period that can be typed at most, Wh and varh. */
export const maxTypedEnergy = 1_000_000_000_000

/** What a bill says of the power factor of a period, as somebody typed it: itself, or active and reactive energy. */
export interface TypedPowerFactor {
  readonly cosHundredths: number | null
  readonly activeWh: number | null
  readonly reactiveVarh: number | null
}

/** Whether it is typed in one way, and in that one as a whole. */
export const isTypedOnce = ({ cosHundredths: cos, activeWh, reactiveVarh }: TypedPowerFactor): boolean =>
  cos === null ? activeWh !== null && reactiveVarh !== null : activeWh === null && reactiveVarh === null

/** The power factor that was typed, in hundredths. */
export const typedCos = (typed: TypedPowerFactor): number | null =>
  typed.cosHundredths ?? cosHundredths(typed.activeWh, typed.reactiveVarh)

/** Where the steps of the penalty change, in hundredths, and the rewards above the standard in hundredths of a per cent. */
const steps: Readonly<
  Record<PowerFactorStandard, { readonly half: number; readonly one: number; readonly rewards: readonly number[] }>
> = {
  90: { half: 70, one: 65, rewards: [-15, -30, -45, -60, -75] },
  85: { half: 65, one: 60, rewards: [-10, -20, -30, -40, -50, -65, -80, -95, -110] },
  80: { half: 60, one: 55, rewards: [-10, -20, -30, -40, -50, -60, -70, -80, -90, -100, -115, -130] },
}

/**
 * The adjustment by power factor in hundredths of a per cent, -75 is -0.75 %: 功率因数调整电费办法, (83)水电财字215号, tables 1 to 3. Below the standard
 * 0.5 % for each hundredth, then 1 %, then 2 %; above it a reward that ends.
 */
export function powerFactorAdjustment(standard: PowerFactorStandard, hundredths: number): number {
  const { half, one, rewards } = steps[standard]
  if (hundredths === standard) return 0
  if (hundredths > standard) return rewards[Math.min(hundredths - standard, rewards.length) - 1] ?? 0
  const [byHalves, byOnes] = [Math.max(half, hundredths), Math.max(one, hundredths)]
  return 50 * (standard - byHalves) + 100 * (byHalves - byOnes) + 200 * (byOnes - hundredths)
}

import type { EnergyBar, EnergyPicture } from '@linewarden/contract'
import { largestRemainder } from '@linewarden/rules/energy'

/** How finely kWh are shown: the smallest step, Wh. The larger the whole, the coarser. */
function stepWh(total: number): number {
  if (total >= 100_000_000) return 1_000
  return total >= 100_000 ? 100 : 10
}

const places: Readonly<Record<number, number>> = { 1000: 0, 100: 1, 10: 2 }

/** A number with its thousands apart, in both languages alike. */
export const grouped = (value: number, digits: number): string =>
  value
    .toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits, signDisplay: 'negative' })
    .replace('-', '−')

/** kWh as a text; null: not known. */
const kwhText = (wh: number | null, step: number): string =>
  wh === null ? '–' : grouped((Math.round(wh / step) * step) / 1_000, places[step] ?? 0)

/**
 * The whole and its bars in kWh, rounded so that whoever adds the bars up gets the whole.
 *
 * @param largest by which it is seen how finely they are shown.
 */
export function shownKwh(bars: readonly Pick<EnergyBar, 'Wh'>[], total: number | null, largest: number | null = total) {
  const step = stepWh(Math.abs(largest ?? 0))
  const known = bars.flatMap(({ Wh }, index) => (Wh === null ? [] : [{ Wh, index }]))
  const rounded = largestRemainder(
    known.map(({ Wh }) => BigInt(Math.round(Wh))),
    BigInt(step),
  )
  const texts = bars.map(() => '–')
  for (const [place, { index }] of known.entries()) texts[index] = kwhText(Number(rounded[place] ?? 0n) * step, step)
  return { total: kwhText(total, step), bars: texts, of: (wh: number | null) => kwhText(wh, step) }
}

/** Which part of what is over is known of all lines, 0 to 1; null: nothing is over yet. */
export function knownShare({ LengthS, LackingS, OpenS }: Pick<EnergyBar, 'LengthS' | 'LackingS' | 'OpenS'>): number | null {
  const over = LengthS - OpenS
  return over > 0 ? (over - LackingS) / over : null
}

/** Never 100 % where something is lacking, and never 0 % where something is there. */
export function percentText(share: number): string {
  const tenths = share >= 1 ? 1_000 : Math.min(999, Math.max(share > 0 ? 1 : 0, Math.round(share * 1_000)))
  return `${(tenths / 10).toFixed(1)} %`
}

export function changeText(change: number): string {
  const tenths = Math.round(change * 1_000)
  return `${tenths > 0 ? '+' : tenths < 0 ? '−' : ''}${Math.abs(tenths / 10).toFixed(1)} %`
}

/** The top of the axis over the bars with what stands above them, Wh, and its steps. */
export function axisOf(
  bars: readonly EnergyPicture['Bars'][number][],
  above: (bar: EnergyPicture['Bars'][number]) => number = () => 0,
): { readonly top: number; readonly step: number } {
  const most = Math.max(0, ...bars.flatMap((bar) => [(bar.Wh ?? 0) + above(bar), bar.Compared?.Wh ?? 0]))
  return most === 0 ? { top: 1_000, step: 250 } : scaleOf(most)
}

/** The top of an axis over values up to `most`, and its steps. */
export function scaleOf(most: number): { readonly top: number; readonly step: number } {
  const rough = most / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 2.5, 5, 10].find((each) => each * power >= rough) ?? 10) * power
  return { top: Math.ceil(most / step) * step, step }
}

/** Carbon dioxide in kg, or in t from a thousand of them on; null: not known. */
export function carbonText(grams: number | null): { readonly text: string; readonly unit: string } {
  if (grams === null) return { text: '–', unit: 'kg CO₂' }
  const isTonnes = Math.abs(grams) >= 1_000_000
  return { text: grouped(grams / (isTonnes ? 1_000_000 : 1_000), isTonnes ? 2 : 1), unit: isTonnes ? 't CO₂' : 'kg CO₂' }
}

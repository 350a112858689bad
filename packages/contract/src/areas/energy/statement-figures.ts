import type { Statement } from './statement.ts'
import { knownBands } from './tariff-rules.ts'

/** A decimal text with its thousands apart; null: not known. */
export function moneyText(text: string | null): string {
  if (text === null) return '–'
  const [whole = '', places] = text.replace('-', '').split('.')
  const apart = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return `${text.startsWith('-') ? '−' : ''}${apart}${places === undefined ? '' : `.${places}`}`
}

/** As much of a decimal text as says something: `15853.000` is 15,853. */
export const quantityText = (text: string | null): string =>
  moneyText(text === null ? null : text.includes('.') ? text.replace(/\.?0+$/, '') : text)

/** kWh of whole Wh, as exact as they are. */
export const kwhText = (wh: number | null): string => thousandths(wh, wh !== null && wh % 1_000 === 0 ? 0 : 3)

/** kWh beside others: none of a bill's are finer. */
export const wholeKwh = (wh: number | null): string => thousandths(wh, 0)

export const kiloText = (value: number | null): string => thousandths(value, value !== null && value % 1_000 === 0 ? 0 : 1)

function thousandths(value: number | null, places: number): string {
  if (value === null) return '–'
  const text = (value / 1_000).toFixed(places)
  return moneyText(Number(text) === 0 ? text.replace('-', '') : text)
}

export const cosText = (hundredths: number | null): string => (hundredths === null ? '–' : (hundredths / 100).toFixed(2))

/** Never 99.0 of what is less: cut and not rounded. */
export const shareText = (hundredths: number | null): string =>
  hundredths === null ? '–' : (Math.floor(hundredths / 10) / 10).toFixed(1)

/** What a kWh comes to, in whole units of the currency; null: not known. */
export const meanPrice = ({ Total, BilledWh }: Pick<Statement, 'Total' | 'BilledWh'>): string | null =>
  // Thousandths of a kWh and minor units: shown, and reckoned with by nobody.
  Total === null || BilledWh <= 0 ? null : ((Number(Total) * 1_000) / BilledWh).toFixed(4)

/** As a bill has its bands; those with other names stand after them. */
export function inBillOrder<T>(things: readonly T[], keyOfThing: (thing: T) => string): readonly T[] {
  const order = knownBands as readonly string[]
  const placeOf = (thing: T) => (order.includes(keyOfThing(thing)) ? order.indexOf(keyOfThing(thing)) : order.length)
  return things.toSorted((one, other) => placeOf(one) - placeOf(other))
}

/** Registers as they are printed: of each meter that was entered, else of the line. `serial` is empty where none is entered. */
export function registersOf({ Meters, Opening, Closing, Multiplier, Wh }: Statement['Members'][number]) {
  if (Meters.length === 0) {
    const rise = Opening === null || Closing === null ? null : Closing - Opening
    return [
      { serial: '', opening: kwhText(Opening), closing: kwhText(Closing), rise: kwhText(rise), multiplier: Multiplier, wh: Wh },
    ]
  }
  return Meters.map((meter) => {
    const places = meter.Closing?.split('.')[1]?.length ?? 3
    const rise = meter.Opening === null || meter.Closing === null ? null : Number(meter.Closing) - Number(meter.Opening)
    return {
      ...{ serial: meter.Serial, opening: meter.Opening ?? '–', closing: meter.Closing ?? '–' },
      ...{ rise: rise?.toFixed(places) ?? '–', multiplier: meter.Multiplier },
      wh: Meters.length === 1 ? Wh : meter.Wh,
    }
  })
}

/** A hash as a person compares it. */
export const hashInGroups = (hash: string): string => hash.replace(/(.{8})(?!$)/g, '$1 ')

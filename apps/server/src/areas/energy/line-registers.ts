import type { Meter, RegisterAt } from '@linewarden/rules/energy'
import { meterTexts, registerKwhAt } from '@linewarden/rules/energy'

/** A meter in a stretch of time. */
export interface MeterRegisters {
  readonly serial: string
  readonly multiplier: number
  /** Unix ms; null: before the stretch begins, or still in use at its end. */
  readonly from: number | null
  readonly to: number | null
  /** What it showed at the beginning and the end of its time in the stretch, kWh, as many places as make its energy to the Wh; null: not known. */
  readonly opening: string | null
  readonly closing: string | null
  /** (closing - opening) x multiplier, whole Wh. */
  readonly wh: number | null
}

interface Ends {
  readonly from: number
  readonly to: number
  readonly opening: RegisterAt | undefined
  readonly closing: RegisterAt | undefined
  /** How often the line reports. */
  readonly periodMs: number
}

/** What the registers of a line showed, whole Wh once they are multiplied; all meters together are one that goes on. */
interface LineRegisters {
  readonly multiplier: number
  readonly opening: number | null
  readonly closing: number | null
  /** Each of them; left out: none is entered. */
  readonly meters?: readonly MeterRegisters[]
}

/** Registers at both ends of a stretch. */
export function registersOf(meters: readonly Meter[], { from, to, opening, closing, periodMs }: Ends): LineRegisters {
  const kwhAt = (read: RegisterAt | undefined, at: number) => (read ? registerKwhAt(read, at, periodMs) : null)
  if (meters.length === 0) return { multiplier: 1, opening: wholeWh(kwhAt(opening, from)), closing: wholeWh(kwhAt(closing, to)) }
  const own = meters.filter((meter) => meter.from < to && (meter.to === null || meter.to > from))
  const printed = own.map((meter): MeterRegisters & { readonly openingWh: number | null } => {
    const [begins, ends] = [meter.from > from ? meter.from : null, meter.to !== null && meter.to < to ? meter.to : null]
    const shown = [
      begins === null ? kwhAt(within(opening, meter), from) : meter.startRegisterKwh,
      ends === null ? kwhAt(within(closing, meter), to) : meter.endRegisterKwh,
    ].map((kwh) => (kwh === null ? null : Math.round(kwh * meter.multiplier * 1_000)))
    const [openingWh = null, closingWh = null] = shown
    const texts = meterTexts(meter.multiplier, shown)
    return {
      ...{ serial: meter.serial, multiplier: meter.multiplier, from: begins, to: ends, openingWh },
      ...{ opening: texts[0] ?? null, closing: texts[1] ?? null },
      wh: openingWh === null || closingWh === null ? null : closingWh - openingWh,
    }
  })
  const rises = printed.map(({ wh }) => wh)
  const first = printed[0]?.openingWh ?? null
  const isKnown = first !== null && rises.every((wh) => wh !== null)
  return {
    ...{ multiplier: 1, opening: first },
    closing: isKnown ? rises.reduce<number>((sum, wh) => sum + (wh ?? 0), first) : null,
    meters: printed.map(({ openingWh: _, ...meter }) => meter),
  }
}

/** What the register in use at an instant showed then, kWh before its multiplier; null: not known. */
export function shownAt(meters: readonly Meter[], read: RegisterAt, at: number, periodMs: number): number | null {
  const meter = meters.find(({ from, to }) => from <= at && (to === null || at < to))
  return registerKwhAt(meter ? within(read, meter) : read, at, periodMs)
}

/** Of the readings beside an instant those of this meter, or what was read off where its time begins and ends. */
export function within(read: RegisterAt | undefined, { from, to, startRegisterKwh, endRegisterKwh }: Meter): RegisterAt {
  const { before = null, after = null } = read ?? {}
  const typed = (at: number | null, kwh: number | null) =>
    at !== null && Number.isFinite(at) && kwh !== null ? { at, kwh } : null
  return {
    before: before && before.at >= from ? before : typed(from, startRegisterKwh),
    after: after && (to === null || after.at < to) ? after : typed(to, endRegisterKwh),
  }
}

const wholeWh = (kwh: number | null): number | null => (kwh === null ? null : Math.round(kwh * 1_000))

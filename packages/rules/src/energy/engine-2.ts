import { decimal, half, largestRemainder, sumOf } from './engine-1-numbers.ts'
import type { Engine1Member } from './engine-1-types.ts'
import { rowsOf } from './engine-2-rows.ts'
import type { Engine2Inputs, Engine2Result, Engine2Version } from './engine-2-types.ts'

/**
 * Engine 2 of statements: engine 1, with prices of single quarters (ADR 170), and each version with its days of what is charged by the month
 * (ADR 171). It and the files that it imports are never edited once a statement was issued by it, and import nothing else.
 */
export function engine2(inputs: Engine2Inputs): Engine2Result {
  const slots = slotsOf(inputs)
  const members = inputs.members.map((member) => lineOf(member, slots, inputs.estimate))
  const supply = supplyOf(
    members,
    inputs.members.map(({ sign }) => sign),
    inputs,
    slots.length,
  )
  const parts = partsOf(inputs, slots, supply)
  const rounded = largestRemainder(
    parts.flatMap(({ wh }) => wh),
    BigInt(inputs.stepWh),
  )
  const max = maxOf(supply, inputs.start)
  const of = inputs.isWholePeriod ? inputs.days.length : Math.max(30, inputs.days.length)
  const used = rounded.reduce((sum, each) => sum + each * BigInt(inputs.stepWh), 0n)
  let at = 0
  const priced = parts.map(({ version, from, to, days, wh, series, estimated }) => {
    const own = wh.map(() => (rounded[at++] ?? 0n) * BigInt(inputs.stepWh))
    const { sealed } = inputs.versions[version] as { readonly sealed: Engine2Version }
    const share = { days, of }
    const rows = rowsOf(sealed, { inputs, wh: own, used, series, estimated, maxW: max.w, share })
    const bands = sealed.Bands.map((band, index) => ({
      band,
      wh: Number(own[index] ?? 0n),
      estimated: estimated[index] === true,
    }))
    return { version, from, to, bands, rows, sum: sumOf(rows.map(({ minor }) => minor)) }
  })
  const total = priced.length === 0 ? null : sumOf(priced.map(({ sum }) => sum))
  return {
    ...{ quarters: slots.length, wh: Number(supply.reduce((sum, { wh }) => sum + (wh ?? 0n), 0n)) },
    billedWh: priced.reduce((sum, { bands }) => bands.reduce((own, { wh }) => own + wh, sum), 0),
    lackingQuarters: supply.filter(({ wh }) => wh === null).length,
    unpricedQuarters: supply.filter(({ wh }, index) => wh !== null && slots[index]?.band === null).length,
    max: { w: max.w === null ? null : Number(max.w), at: max.at, leftOut: max.leftOut },
    members: members.map((line, index) => memberOf(line, inputs.members[index] as Engine1Member, slots)),
    parts: priced.map(({ version, from, to, bands, rows }) => ({
      ...{ version, from, to, bands },
      rows: rows.map(({ minor, ...row }) => ({ ...row, amount: minor === null ? null : decimal(minor, inputs.minorDigits) })),
    })),
    total: total === null ? null : decimal(total, inputs.minorDigits),
  }
}

/** A quarter of the period: what prices it, and which mean fills it. */
interface Slot {
  readonly day: number
  readonly version: number | null
  readonly band: number | null
  readonly bandKey: string | null
  /** Of its series, per kWh in 10^-8. */
  readonly price: bigint | null
  readonly clock: number
  readonly type: string
}

function slotsOf({ days, versions }: Engine2Inputs): readonly Slot[] {
  return days.flatMap(({ date, type, clock, version, prices }, day) => {
    const sealed = version === null ? undefined : versions[version]?.sealed
    const strip = sealed?.Seasons.find(({ From, To }) => isIn(date.slice(5), From, To))?.Days[type] ?? ''
    const isBySeries = sealed?.Components.some(({ Basis }) => Basis === 'kwhBySeries') === true
    return (clock ?? Array.from({ length: 96 }, (_, quarter) => quarter)).map((quarter, place) => {
      const digit = strip[quarter] ?? '.'
      const text = isBySeries ? (prices?.[place] ?? null) : null
      // Without its own price a quarter has none at all.
      const isBand = /\d/.test(digit) && Number(digit) < (sealed?.Bands.length ?? 0) && (!isBySeries || text !== null)
      const band = isBand ? Number(digit) : null
      const bandKey = band === null ? null : (sealed?.Bands[band] ?? null)
      return { day, version, band, bandKey, price: text === null ? null : BigInt(text), clock: quarter, type }
    })
  })
}

/** A season that ends before it begins goes over the new year. */
const isIn = (date: string, from: string, to: string): boolean =>
  from <= to ? from <= date && date <= to : date >= from || date <= to

/** A quarter of one line: `5` was missing and is filled, `6` was spread over more than one price or an end of the period. */
type Mark = 0 | 1 | 2 | 3 | 4 | 5 | 6
interface Cell {
  readonly wh: bigint | null
  readonly mark: Mark
}

const markOf = (how: string): Mark => (how === '7' ? 1 : (Number(how) as Mark))

function lineOf({ wh, how, howBefore, howAfter }: Engine1Member, slots: readonly Slot[], estimate: boolean): readonly Cell[] {
  const marks = slots.map((_, index): Mark => (wh[index] == null ? 4 : markOf(how[index] ?? '4')))
  // `7`: spread, and its register is known where it begins, so that what lies before it and what follows are two stretches.
  const isKnownAt = (index: number) => how[index] === '7'
  for (let from = 0; from < marks.length; from++) {
    if (marks[from] !== 1) continue
    let to = from + 1
    while (marks[to] === 1 && !isKnownAt(to)) to += 1
    const priceOf = (index: number) => `${slots[index]?.version} ${slots[index]?.band} ${slots[index]?.price}`
    const isCut = (from === 0 && !isKnownAt(0) && markOf(howBefore) === 1) || (to === marks.length && howAfter === '1')
    if (isCut || slots.slice(from, to).some((_, index) => priceOf(from + index) !== priceOf(from))) marks.fill(6, from, to)
    from = to - 1
  }
  const fill = estimate ? fillOf(wh, slots) : () => null
  return slots.map((slot, index) => {
    const [own, mark] = [wh[index] ?? null, marks[index] ?? 4]
    if (own !== null && mark !== 4) return { wh: BigInt(own), mark }
    const filled = fill(slot)
    return filled === null ? { wh: null, mark: 4 } : { wh: filled, mark: 5 }
  })
}

/** The mean of the line's known quarters at the same time of the same type of date, else of any date, else of all; null: nothing is known. */
function fillOf(wh: readonly (number | null)[], slots: readonly Slot[]): (slot: Slot) => bigint | null {
  const sums = new Map<string, { sum: bigint; count: bigint }>()
  const keysOf = ({ clock, type }: Slot) => [`${type} ${clock}`, `${clock}`, '']
  for (const [index, slot] of slots.entries()) {
    const own = wh[index] ?? null
    if (own === null) continue
    for (const key of keysOf(slot)) {
      const known = sums.get(key) ?? { sum: 0n, count: 0n }
      sums.set(key, { sum: known.sum + BigInt(own), count: known.count + 1n })
    }
  }
  return (slot) => {
    const found = keysOf(slot).find((key) => sums.has(key))
    const { sum, count } = sums.get(found ?? '') ?? { sum: 0n, count: 0n }
    return count === 0n ? null : half(sum, count)
  }
}

/** Known no better than the least known of its lines; null where one of them is not known. */
interface SupplyCell {
  readonly wh: bigint | null
  readonly makesDemand: boolean
  readonly isEstimated: boolean
}

function supplyOf(
  members: readonly (readonly Cell[])[],
  signs: readonly number[],
  { estimate }: Engine2Inputs,
  count: number,
): readonly SupplyCell[] {
  return Array.from({ length: count }, (_, index) => {
    let wh: bigint | null = 0n
    let [makesDemand, isEstimated] = [true, false]
    for (const [place, cells] of members.entries()) {
      const { wh: own, mark } = cells[index] ?? { wh: null, mark: 4 as const }
      wh = wh === null || own === null ? null : wh + BigInt(signs[place] ?? 0) * own
      // What was spread, entered or filled is of no certain quarter.
      makesDemand &&= mark === 0 || mark === 2
      // Of what is spread over bands the sum is known: it is an estimate where so much of it is that somebody issues it so.
      isEstimated ||= mark === 2 || mark === 5 || (mark === 6 && estimate)
    }
    return { wh, makesDemand: makesDemand && wh !== null, isEstimated }
  })
}

function maxOf(supply: readonly SupplyCell[], start: number) {
  let w: bigint | null = null
  let at: number | null = null
  let leftOut = 0
  for (const [index, { wh, makesDemand }] of supply.entries()) {
    if (wh === null || !makesDemand) leftOut += 1
    else if (w === null || 4n * wh > w) [w, at] = [4n * wh, start + index * 900_000]
  }
  return { w, at, leftOut }
}

/** Dates one after the other that one version prices, with their energy by band. */
interface Part {
  readonly version: number
  readonly from: string
  to: string
  days: number
  readonly wh: bigint[]
  readonly series: { amount: bigint; wh: bigint }
  readonly estimated: boolean[]
}

function partsOf({ days, versions }: Engine2Inputs, slots: readonly Slot[], supply: readonly SupplyCell[]): readonly Part[] {
  const parts: Part[] = []
  const partOf: (Part | null)[] = []
  for (const [day, { date, version }] of days.entries()) {
    const last = day > 0 && days[day - 1]?.version === version ? parts.at(-1) : undefined
    if (version === null) partOf.push(null)
    else if (last) {
      last.days += 1
      last.to = date
      partOf.push(last)
    } else {
      const count = versions[version]?.sealed.Bands.length ?? 0
      const bands = Array.from({ length: count }, () => 0n)
      const part = {
        version,
        from: date,
        to: date,
        days: 1,
        estimated: bands.map(() => false),
        wh: bands,
        series: { amount: 0n, wh: 0n },
      }
      parts.push(part)
      partOf.push(part)
    }
  }
  for (const [index, { day, band, price }] of slots.entries()) {
    const [part, cell] = [partOf[day], supply[index]]
    if (!part || band === null || !cell || cell.wh === null) continue
    part.wh[band] = (part.wh[band] ?? 0n) + cell.wh
    part.estimated[band] ||= cell.isEstimated
    if (price === null) continue
    part.series.amount += cell.wh * price
    part.series.wh += cell.wh
  }
  return parts
}

function memberOf(cells: readonly Cell[], member: Engine1Member, slots: readonly Slot[]) {
  const counts = [0, 0, 0, 0, 0, 0, 0]
  const bands = new Map<string, bigint>()
  let wh = 0n
  let reported = 0n
  let uncertain = 0n
  for (const [index, cell] of cells.entries()) {
    counts[cell.mark] = (counts[cell.mark] ?? 0) + 1
    if (cell.wh === null) continue
    wh += cell.wh
    if (cell.mark !== 5) reported += cell.wh
    if (cell.mark === 2 || cell.mark === 6) uncertain += cell.wh < 0n ? -cell.wh : cell.wh
    const key = slots[index]?.bandKey ?? null
    if (key !== null) bands.set(key, (bands.get(key) ?? 0n) + cell.wh)
  }
  const { opening, closing, multiplier } = member
  const [measured = 0, spread = 0, estimated = 0, entered = 0, missing = 0, filled = 0, across = 0] = counts
  return {
    ...{ lineId: member.lineId, wh: Number(wh), bands: [...bands].map(([band, own]) => ({ band, wh: Number(own) })) },
    agrees: opening === null || closing === null ? null : BigInt(closing - opening) * BigInt(multiplier) === reported,
    ...{ known: measured + spread + entered, measured, spread, across, estimated, entered, missing, filled },
    uncertainWh: Number(uncertain),
  }
}

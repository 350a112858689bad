import type { CivilZone } from '@linewarden/rules/automation'
import { dayOfSlot, How, nextMonthStart, quarterMs, startOfDay } from '@linewarden/rules/energy'
import type { LineQuarters, ProfileDay, ProfileQuarters } from '../../store/energy/read.ts'
import type { StoredMonth } from '../../store/energy/read-months.ts'
import type { Amount, Sum } from './amount.ts'
import { add, addQuarter, emptySum, isOpenAt } from './amount.ts'

/** Energy of any stretch between quarters, Unix ms. */
export type AmountBetween = (from: number, to: number) => Amount

export function lineAmounts(parts: readonly LineQuarters[], now: number): AmountBetween {
  return (from, to) => {
    const sum = emptySum()
    let part: LineQuarters | undefined
    for (let at = from; at < to; at += quarterMs) {
      if (!part || !contains(part, at)) part = parts.find((each) => contains(each, at))
      const index = part ? (at - part.from) / quarterMs : 0
      const own = part?.wh[index] ?? null
      addQuarter(sum, own, 0, isOpenAt(at, now))
      const mark = part?.how[index]
      if (own === null || mark === How.measured) continue
      if (mark === How.spread) sum.spread += own
      else if (mark === How.estimated) sum.estimated += own
      else if (mark === How.entered) sum.entered += own
    }
    return sum
  }
}

const contains = ({ from, wh }: LineQuarters, at: number): boolean => at >= from && at < from + wh.length * quarterMs

/** Whole months by their sums, and what lies beside them by `rest`. */
export function withMonths(zone: CivilZone, months: ReadonlyMap<number, StoredMonth>, rest: AmountBetween): AmountBetween {
  if (months.size === 0) return rest
  return (from, to) => {
    const sum = emptySum()
    for (let at = from; at < to; ) {
      const day = dayOfSlot(zone, at)
      const ends = startOfDay(zone, nextMonthStart(day))
      const month = at === startOfDay(zone, day) && ends <= to ? months.get(day) : undefined
      add(sum, month ? wholeMonth(month, (ends - at) / quarterMs) : rest(at, Math.min(ends, to)))
      at = ends
    }
    return sum
  }
}

const wholeMonth = ({ used, spread, estimated, entered, known, complete }: StoredMonth, quarters: number): Amount => ({
  ...{ used, spread, estimated, entered, quarters, known, unknown: quarters - known, lacking: quarters - complete, open: 0 },
})

/** Whole days by their sums, parts of days by their quarters: those days must have been read with them. */
export function profileAmounts(zone: CivilZone, rows: readonly ProfileDay[], now: number): AmountBetween {
  const byDay = new Map(rows.map((row) => [row.day, row]))
  return (from, to) => {
    const sum = emptySum()
    for (let at = from; at < to; ) {
      const day = dayOfSlot(zone, at)
      const [begins, ends] = [startOfDay(zone, day), startOfDay(zone, day + 1)]
      const row = byDay.get(day)
      if (row && !row.quarters && at === begins && ends <= to) add(sum, wholeDay(row, (ends - begins) / quarterMs))
      else
        for (let slot = at; slot < Math.min(ends, to); slot += quarterMs)
          addSlot(sum, row?.quarters ?? null, (slot - begins) / quarterMs, isOpenAt(slot, now))
      at = ends
    }
    return sum
  }
}

const wholeDay = (row: ProfileDay, quarters: number): Amount => ({
  ...{ used: row.used, spread: row.spread, estimated: row.estimated, entered: row.entered, quarters },
  ...{ known: quarters - row.unknown, unknown: row.unknown, lacking: row.lacking, open: 0 },
})

function addSlot(sum: Sum, quarters: ProfileQuarters | null, index: number, isOpen: boolean): void {
  addQuarter(sum, quarters?.wh[index] ?? null, quarters?.missing?.[index] ?? 0, isOpen)
  sum.spread += quarters?.spread?.[index] ?? 0
  sum.estimated += quarters?.estimated?.[index] ?? 0
  sum.entered += quarters?.entered?.[index] ?? 0
}

/** Whose energy a sum of these days is. */
export const boundaryOf = (rows: readonly Pick<ProfileDay, 'fed' | 'lines'>[]): 'line' | 'feed' | 'sum' => {
  if (rows.some(({ fed }) => fed)) return 'feed'
  return rows.some(({ lines }) => lines > 1) ? 'sum' : 'line'
}

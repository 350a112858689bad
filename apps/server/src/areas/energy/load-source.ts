import type { Load, LoadPeriod } from '@linewarden/rules/energy'
import { How, howOfParts, quarterMs, slotsOfDay } from '@linewarden/rules/energy'
import type { LineQuarters, ProfileDay } from '../../store/energy/read.ts'
import { isOpenAt } from './amount.ts'

/** The load of one line. */
export function lineLoad({ from, wh, how }: LineQuarters, now: number): Load {
  const slots = wh.map((_, index) => from + index * quarterMs)
  return { slots, wh, how: how.map((mark, index) => (wh[index] === null ? unknownAt(slots[index] ?? 0, now) : mark)) }
}

/** The load of a project or a gateway: a quarter of which one line is not known is not known as a load, it is too low. */
export function profileLoad({ zone, first, end }: LoadPeriod, rows: readonly ProfileDay[], now: number): Load {
  const byDay = new Map(rows.map((row) => [row.day, row.quarters]))
  const [slots, wh, how]: [number[], (number | null)[], number[]] = [[], [], []]
  for (let day = first; day < end; day++) {
    const quarters = byDay.get(day)
    for (const [index, slot] of slotsOfDay(zone, day).entries()) {
      const each = quarters?.wh[index] ?? null
      const part = (name: 'missing' | 'spread' | 'estimated' | 'entered') => quarters?.[name]?.[index] ?? 0
      const mark = howOfParts({
        ...{ missing: each === null ? 1 : part('missing'), spread: part('spread') },
        ...{ estimated: part('estimated'), entered: part('entered') },
      })
      const isKnown = mark !== How.missing
      slots.push(slot)
      wh.push(isKnown ? each : null)
      how.push(isKnown ? mark : unknownAt(slot, now))
    }
  }
  return { slots, wh, how: Uint8Array.from(how) }
}

const unknownAt = (slot: number, now: number): number => (isOpenAt(slot, now) ? How.open : How.missing)

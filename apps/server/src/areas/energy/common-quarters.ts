import { dayMs } from '@linewarden/equipment'
import { How, quarterMs, quartersOfClock } from '@linewarden/rules/energy'
import type { Database } from '../../store/core/database.ts'
import type { Stretch } from '../../store/energy/quarter-cells.ts'
import { readKnownRows, readRows } from '../../store/energy/read-sums.ts'

/** Rows that are looked through for one answer at most, and those of them that are read quarter by quarter. */
const maxRows = 60_000
const maxRead = 20_000

/** What is not compared of a family, because one of it is not known then. */
export interface LeftOut {
  readonly quarters: number
  /** Of each member: what it measured meanwhile, Wh. */
  readonly wh: readonly number[]
  /** Of that of the first member: what was spread, estimated or entered, Wh. */
  readonly notMeasured: number
}

/** Each member of a family by the stretches on which it counts; the first one counts whenever another does. */
export type Family = readonly (readonly Stretch[])[]

/** Of each family the quarters of which one of its members is not known; null: they are too many to look at. */
export async function leftOutOf(db: Database, families: readonly Family[]): Promise<readonly (LeftOut | null)[]> {
  const chosen = within(
    families.map((family) => family.flat().reduce((rows, stretch) => rows + dayCount(stretch), 0)),
    maxRows,
  )
  const incomplete = await incompleteDays(
    db,
    families.map((family, index) => (chosen.has(index) ? family : [])),
  )
  const readable = within(
    incomplete.map((days, index) => (chosen.has(index) ? days.size * (families[index]?.length ?? 0) : Number.POSITIVE_INFINITY)),
    maxRead,
  )
  const wanted = new Map<string, { lineId: number; day: number }>()
  for (const index of readable)
    for (const [first] of families[index] ?? [])
      for (const day of incomplete[index] ?? []) if (first) wanted.set(keyOf(first.lineId, day), { lineId: first.lineId, day })
  const rows = new Map((await readRows(db, [...wanted.values()])).map((row) => [keyOf(row.lineId, row.day), row]))
  return families.map((family, index) => (readable.has(index) ? leftOutOn(family, incomplete[index] ?? new Set(), rows) : null))
}

const keyOf = (lineId: number, day: number): string => `${lineId} ${day}`

/** The places of the smallest, as many as fit. */
function within(sizes: readonly number[], most: number): ReadonlySet<number> {
  const places = new Set<number>()
  let sum = 0
  for (const { size, place } of sizes.map((size, place) => ({ size, place })).sort((one, other) => one.size - other.size)) {
    sum += size
    if (sum > most) break
    places.add(place)
  }
  return places
}

const dayCount = ({ from, to }: Stretch): number => Math.floor((to - 1) / dayMs) - Math.floor(from / dayMs) + 1

/** Days of UTC since 1970 that a stretch touches. */
function daysOf(stretch: Stretch): readonly number[] {
  const first = Math.floor(stretch.from / dayMs)
  return Array.from({ length: dayCount(stretch) }, (_, index) => first + index)
}

/** Days of each family of which a member is not known through all of the day. */
async function incompleteDays(db: Database, families: readonly Family[]): Promise<readonly Set<number>[]> {
  const stretches = families.flatMap((family, index) => family.flat().map((stretch) => ({ index, stretch })))
  const known = new Map<string, number>()
  for (const { number, day, known: count } of await readKnownRows(
    db,
    stretches.map(({ stretch }) => stretch),
  ))
    known.set(keyOf(number, day), count)
  const found = families.map(() => new Set<number>())
  for (const [place, { index, stretch }] of stretches.entries())
    for (const day of daysOf(stretch)) if ((known.get(keyOf(place + 1, day)) ?? 0) < quartersOfClock) found[index]?.add(day)
  return found
}

interface Row {
  readonly wh: readonly (number | null)[]
  readonly how: Uint8Array
}

function leftOutOn(family: Family, days: ReadonlySet<number>, rows: ReadonlyMap<string, Row>): LeftOut {
  const wh = family.map(() => 0)
  const parent = family[0]?.[0]?.lineId ?? 0
  let [quarters, notMeasured] = [0, 0]
  for (const day of days) {
    const how = rows.get(keyOf(parent, day))?.how
    for (let place = 0; place < quartersOfClock; place++) {
      const at = day * dayMs + place * quarterMs
      const values = family.map((stretches): number | null | undefined => {
        const stretch = stretches.find(({ from, to }) => from <= at && at < to)
        return stretch && (rows.get(keyOf(stretch.lineId, day))?.wh[place] ?? null)
      })
      if (!values.includes(null)) continue
      quarters += 1
      for (const [member, value] of values.entries()) wh[member] = (wh[member] ?? 0) + (value ?? 0)
      if (how?.[place] !== How.measured) notMeasured += values[0] ?? 0
    }
  }
  return { quarters, wh, notMeasured }
}

import type { exportHistory, Request } from '@linewarden/contract'
import { Quality } from '@linewarden/rules/monitor'
import type { ReadLines } from '../../store/core/row-security.ts'
import type { SampleRow } from '../../store/history/rows.ts'
import { samplesOf } from '../../store/history/samples-of.ts'
import type { TableRow } from '../../tables/table.ts'
import type { Words } from './export-words.ts'
import type { Subject } from './series.ts'
import { isCounter, readSeries } from './series.ts'

type Wanted = Request<typeof exportHistory>['body']

const rowsPerPage = 500

/** Every stored reading of the lines, oldest first; lines that reported at the same moment share a row. */
export async function* rawRows(
  read: ReadLines,
  subjects: readonly Subject[],
  { From, To }: Wanted,
  texts: Words,
): AsyncGenerator<readonly TableRow[]> {
  const lines = [...new Set(subjects.map(({ line }) => line))].map((line) => {
    const own = subjects.flatMap((subject, column) => (subject.line === line ? [{ slot: subject.point.slot, column }] : []))
    const slots = own.map(({ slot }) => slot)
    return { own, samples: samplesOf(read, line.id, { from: From, to: To }, slots), next: null as SampleRow | null }
  })
  const advance = async (each: (typeof lines)[number]) => {
    const { value, done } = await each.samples.next()
    each.next = done ? null : value
  }
  try {
    for (const each of lines) await advance(each)
    let page: TableRow[] = []
    for (;;) {
      const at = Math.min(...lines.map(({ next }) => next?.at ?? Number.POSITIVE_INFINITY))
      if (at === Number.POSITIVE_INFINITY) break
      const values: (number | null)[] = subjects.map(() => null)
      let quality = 0
      for (const each of lines) {
        if (each.next?.at !== at) continue
        for (const [i, { column }] of each.own.entries()) values[column] = trimmed(each.next.values[i] ?? null, subjects[column])
        quality |= each.next.quality
        await advance(each)
      }
      page.push({ at, values, note: noteOf(quality, texts) })
      if (page.length < rowsPerPage) continue
      yield page
      page = []
    }
    if (page.length > 0) yield page
  } finally {
    for (const { samples } of lines) await samples.return(undefined)
  }
}

/** The buckets of the picture, oldest first. */
export async function* shownRows(
  read: ReadLines,
  subjects: readonly Subject[],
  { From, To, Width }: Wanted,
  texts: Words,
  now: number,
): AsyncGenerator<readonly TableRow[]> {
  const series = await readSeries(read, subjects, { from: From, to: To, width: Width, now })
  const width = subjects.map((subject) => (isCounter(subject) ? 1 : 3))
  const columns = width.reduce((sum, each) => sum + each, 0)
  const rows = new Map<number, { values: (number | null)[]; quality: number }>()
  let first = 0
  for (const [i, each] of series.entries()) {
    for (const [k, at] of each.At.entries()) {
      const value = each.Value[k] ?? null
      if (value === null) continue
      const row = rows.get(at) ?? { values: Array<number | null>(columns).fill(null), quality: 0 }
      rows.set(at, row)
      row.values[first] = value
      if (width[i] === 3) {
        // A sample is its own least and most.
        row.values[first + 1] = each.Min[k] ?? value
        row.values[first + 2] = each.Max[k] ?? value
      }
      row.quality |= (isWithin(each.Late, at) ? Quality.historical : 0) | (isWithin(each.ClockOff, at) ? Quality.clock : 0)
    }
    first += width[i] ?? 0
  }
  const sorted = [...rows].sort(([a], [b]) => a - b)
  for (let i = 0; i < sorted.length; i += rowsPerPage) {
    yield sorted.slice(i, i + rowsPerPage).map(([at, { values, quality }]) => ({ at, values, note: noteOf(quality, texts) }))
  }
}

const isWithin = (stretches: readonly (readonly [number, number])[], at: number) =>
  stretches.some(([from, to]) => at >= from && at <= to)

const noteOf = (quality: number, texts: Words): string =>
  [quality & Quality.historical ? texts.late : '', quality & Quality.clock ? texts.clock : '']
    .filter((each) => each !== '')
    .join(' ')

/** Stored in single precision: 12.3 would else be written 12.300000190734863. */
function trimmed(value: number | null, subject: Subject | undefined): number | null {
  if (value === null || subject === undefined) return value
  return Number(value.toFixed(subject.point.precision + 2))
}

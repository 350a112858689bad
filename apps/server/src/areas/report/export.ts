import type { DeviceDataRow, exportDeviceData, Reply, Request } from '@linewarden/contract'
import { about, Refusal } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import { hourMs, minuteMs } from '@linewarden/equipment'
import { maxDeviceDataFileRows } from '@linewarden/rules/report'
import type { Actor } from '../../access/actor.ts'
import { by } from '../../audit/audited.ts'
import { inLanguage, issueLogged, tableFile } from '../../http/table-file.ts'
import type { ReadLines } from '../../store/core/row-security.ts'
import { linesSeenBy } from '../../store/core/row-security.ts'
import { countReadings } from '../../store/report/readings.ts'
import { withinTime } from '../../store/report/within-time.ts'
import type { Table, TableRow } from '../../tables/table.ts'
import type { ReportDeps } from './deps.ts'
import { inTime } from './deps.ts'
import type { DeviceTable } from './device-table.ts'
import { isCounter, tableOf, wrong } from './device-table.ts'
import { fileName, heads, markWords } from './export-words.ts'
import { readingRows } from './reading-rows.ts'
import { rowsIn, slotRows, slotTableOf } from './slot-rows.ts'

type Wanted = Request<typeof exportDeviceData>['body']
type Language = Wanted['Language']

/** So long a stretch of a file may take in the database, and the count before it. */
const maxStretchMs = 30_000
/** Rows in memory at once. */
const rowsAtOnce = 2_000

/** A table of device data as a file: made while it is sent, in the log before anybody gets it. */
export function createDeviceDataExport(deps: ReportDeps, most = maxDeviceDataFileRows) {
  const { plant, clock } = deps
  return {
    async exportDeviceData(actor: Actor, wanted: Wanted): Promise<Reply<typeof exportDeviceData>> {
      const table = tableOf(plant, actor, wanted)
      const { Format, Sheets = 'one' } = wanted
      if (Format === 'csv' && Sheets === 'line')
        throw wrong('Sheets', { zh: 'CSV 只有一张表，请改用 xlsx', en: 'needs the format xlsx: a CSV file is one sheet' })
      const now = clock()
      const { file, rows } = await deviceDataFile(deps, actor, table, wanted, now, most)
      return issueLogged(deps, actor, file, {
        ...by(actor, now, 'deviceData.export', table.project.ownerId),
        ...{ subject: about('project', table.project.id), target: table.project.name },
        after: {
          ...{ rows, format: Format, sheets: Sheets, step: table.step, lines: table.lines.length, points: wanted.Points },
          ...{ from: new Date(wanted.From).toISOString(), to: new Date(wanted.To).toISOString() },
        },
      })
    },
  }
}

/** The file of a table, and how many rows it has. Throws Refusal where those are more than `most`. */
export async function deviceDataFile(
  { database }: Pick<ReportDeps, 'database'>,
  actor: Actor,
  table: DeviceTable,
  { Format, Language, Sheets = 'one' }: Pick<Wanted, 'Format' | 'Language' | 'Sheets'>,
  now: number,
  most = maxDeviceDataFileRows,
) {
  const lineIds = table.lines.map(({ id }) => id)
  const read = withinTime(linesSeenBy(database, actor.scope, lineIds), maxStretchMs)
  const rows = await inTime(() => countRows(read, table, now, most + 1))
  if (rows > most) throw new Refusal('report too large', { most, rows: table.step === 'raw' ? `${most}+` : rows })
  const stamp = (at: number) => table.zone.text(at).slice(0, 16).replace(/[-: ]/g, '')
  const name = [inLanguage(fileName, Language), table.project.name, stamp(table.period.from), stamp(table.period.to)].join('-')
  const file = tableFile(name, Format, sheetOf(table, Language), async function* (onProgress) {
    let made = 0
    for (const part of Sheets === 'line' ? byLine(table) : [{ part: table, sheet: undefined }]) {
      for await (const page of pagesOf(read, part.part, now)) {
        made += page.length
        yield page.map((row) => rowOf(table, row, Language, part.sheet))
        onProgress({ rows: made, share: Math.min(1, made / Math.max(1, rows)) })
      }
    }
  })
  return { file, rows }
}

const countRows = async (read: ReadLines, table: DeviceTable, now: number, most: number): Promise<number> =>
  table.step === 'raw'
    ? countReadings(
        read,
        table.lines.map(({ id }) => id),
        table.period,
        most,
      )
    : rowsIn(slotTableOf(table, table.step, now))

/** The same table for each of its lines alone, with the name of its sheet. */
const byLine = (table: DeviceTable) =>
  table.lines.map((line, i) => ({ part: { ...table, lines: [line] }, sheet: sheetName(i + 1, line.name || line.device.name) }))

/** What Excel takes: at most 31 signs, none of these, and no name twice, in whatever case. */
function sheetName(nth: number, name: string): string {
  const clean = name.replace(/[[\]:*?/\\\p{Cc}]/gu, ' ').trim()
  return [...`${nth} ${clean}`].slice(0, 31).join('').slice(0, 31).replace(/'+$/, '').trim()
}

async function* pagesOf(read: ReadLines, table: DeviceTable, now: number): AsyncGenerator<DeviceDataRow[]> {
  const { step, lines } = table
  if (step === 'raw') {
    let after = null
    for (let isMore = true; isMore; ) {
      const rows: DeviceDataRow[] = await readingRows(read, table, { after, before: null, most: rowsAtOnce })
      if (rows.length > 0) yield rows
      const last = rows.at(-1)
      after = last ? { at: last.At, place: lines.findIndex(({ id }) => id === last.LineID) } : null
      isMore = rows.length === rowsAtOnce
    }
    return
  }
  const slots = slotTableOf(table, step, now)
  const total = rowsIn(slots)
  // Whole slots, so that none is read twice.
  const stride = Math.max(1, Math.floor(rowsAtOnce / lines.length)) * lines.length
  for (let first = 0; first < total; first += stride) yield await slotRows(read, slots, first, Math.min(total, first + stride))
}

function sheetOf({ points, step, project, zone }: DeviceTable, language: Language): Table {
  const word = (text: Text) => inLanguage(text, language)
  const columns = points.flatMap((point) => {
    const unit = point.unit === '' ? '' : ` (${point.unit})`
    const label = word(point.label)
    if (step === 'raw') return [`${label}${unit}`]
    if (isCounter(point)) return [`${label} ${word(heads.used)}${unit}`]
    return [heads.mean, heads.min, heads.max].map((each) => `${label} ${word(each)}${unit}`)
  })
  return {
    columns: [
      `${word(heads.time)} (${project.timeZone})`,
      ...[heads.offset, heads.gateway, heads.device, heads.line].map(word),
      ...columns,
      ...(step === 'raw' ? [] : [word(heads.complete)]),
      word(heads.quality),
    ],
    zone,
  }
}

function rowOf({ lines, points, zone, step }: DeviceTable, row: DeviceDataRow, language: Language, sheet?: string): TableRow {
  const line = lines.find(({ id }) => id === row.LineID)
  const figures = points.flatMap((point, i) => {
    const { Value = null, Min = null, Max = null } = row.Figures[i] ?? {}
    return step === 'raw' || isCounter(point) ? [Value] : [Value, Min, Max]
  })
  const isMissing = row.Figures.every((figure) => figure === null || figure.Value === null)
  const marks = [...(isMissing ? (['missing'] as const) : []), ...row.Marks]
  return {
    at: row.At,
    values: [
      offsetText(zone.local(row.At) - row.At),
      ...[line?.device.gateway.name ?? '', line?.device.name ?? '', line?.name ?? ''],
      ...figures,
      ...(step === 'raw' ? [] : [row.Complete]),
    ],
    note: marks.map((mark) => inLanguage(markWords[mark], language)).join(language === 'EN' ? ', ' : '、'),
    ...(sheet !== undefined && { sheet }),
  }
}

/** The offset of a clock as it is written: an hour that is shown twice is told apart by it. It begins with a word, as a sign would be taken for a formula. */
function offsetText(ms: number): string {
  const minutes = Math.abs(ms) / minuteMs
  const two = (value: number) => String(value).padStart(2, '0')
  return `UTC${ms < 0 ? '-' : '+'}${two(Math.floor(minutes / (hourMs / minuteMs)))}:${two(minutes % 60)}`
}

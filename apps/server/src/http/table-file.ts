import type { ZoneClock } from '@linewarden/contract'
import { zoneClock } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import type { Actor } from '../access/actor.ts'
import type { Plant, PlantProject } from '../plant/plant.ts'
import type { AuditEntry } from '../store/audit/append.ts'
import { appendAudit } from '../store/audit/append.ts'
import type { Database } from '../store/core/database.ts'
import { csvBytes } from '../tables/csv.ts'
import type { Table, TableRow } from '../tables/table.ts'
import { xlsxBytes } from '../tables/xlsx.ts'
import type { DownloadFile, Downloads } from './downloads.ts'

type Language = 'CN' | 'EN'
type Pages = AsyncGenerator<readonly TableRow[]>
type OnProgress = Parameters<DownloadFile['bytes']>[0]

/** How a list is asked for as a file. */
export interface AskedFile {
  readonly Format: 'csv' | 'xlsx'
  readonly Language: Language
}

const types = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const

/** A table as a file, its rows made page by page while it is sent. */
export const tableFile = (
  name: string,
  format: AskedFile['Format'],
  table: Table,
  pages: (onProgress: OnProgress) => Pages,
): DownloadFile => ({
  fileName: `${name}.${format}`,
  type: types[format],
  bytes: (onProgress) => (format === 'csv' ? csvBytes : xlsxBytes)(table, pages(onProgress)),
})

export const inLanguage = ({ zh, en }: Text, language: Language): string => (language === 'EN' ? en : zh)

/** By whose clock a file of several projects is: of the one that was named, else of the first that somebody sees. */
export const zoneOfFile = (actor: Actor, { projects }: Pick<Plant, 'projects'>, project: PlantProject | null): string =>
  (project ?? [...projects.values()].find(({ id }) => actor.seesPart(id)))?.timeZone ?? 'UTC'

interface ListFile {
  readonly called: Text
  /** Of the time at which each row begins, of its cells, of its note. */
  readonly columns: readonly Text[]
  readonly timeZone: string
  /** Unix ms. */
  readonly now: number
  readonly pages: (zone: ZoneClock, onProgress: OnProgress) => Pages
}

/** A list as a file: called with the minute at which it was asked for, the time zone in its first head. */
export function listFile({ Format, Language }: AskedFile, { called, columns, timeZone, now, pages }: ListFile): DownloadFile {
  const zone = zoneClock(timeZone)
  const [at = '', ...others] = columns.map((each) => inLanguage(each, Language))
  const stamp = zone.text(now).slice(0, 16).replace(/[-: ]/g, '')
  const table = { columns: [`${at} (${timeZone})`, ...others], zone }
  return tableFile(`${inLanguage(called, Language)}-${stamp}`, Format, table, (onProgress) => pages(zone, onProgress))
}

/** An instant as cells have it, to the second; what has not happened stays empty. */
export const timeCell = (zone: ZoneClock, at: number | null): string | null => (at === null ? null : zone.text(at).slice(0, 19))

const rowsPerPage = 200

/** The rows of all of these, a page of them at a time. */
export async function* pagesOf<T>(
  all: readonly T[],
  rowsOf: (some: readonly T[]) => Promise<readonly TableRow[]> | readonly TableRow[],
  onProgress: OnProgress,
): Pages {
  for (let from = 0, rows = 0; from < all.length; from += rowsPerPage) {
    const found = await rowsOf(all.slice(from, from + rowsPerPage))
    yield found
    rows += found.length
    onProgress({ rows, share: Math.min(1, (from + rowsPerPage) / all.length) })
  }
}

/** The filter of a file as the log has it: what was searched for may be the name of somebody. */
export function filterInLog<T extends { readonly Text?: string }>({ Text: _, ...filter }: T): Omit<T, 'Text'> {
  return filter
}

/** Has a file prepared, and writes who took it out: nobody gets the ticket of a file that does not stand in the log. */
export async function issueLogged(
  { downloads, database }: { readonly downloads: Downloads; readonly database: Pick<Database, 'general'> },
  actor: Actor,
  file: DownloadFile,
  entry: AuditEntry,
): Promise<ReturnType<Downloads['issue']>> {
  const issued = downloads.issue(actor, file)
  try {
    await appendAudit(database.general, entry)
  } catch (error) {
    downloads.cancel(actor, issued.Ticket)
    throw error
  }
  return issued
}

import type { exportHistory, Request } from '@linewarden/contract'
import { zoneClock } from '@linewarden/contract'
import type { DownloadFile } from '../../http/downloads.ts'
import { tableFile } from '../../http/table-file.ts'
import type { ReadLines } from '../../store/core/row-security.ts'
import type { Table, TableRow } from '../../tables/table.ts'
import { rawRows, shownRows } from './export-rows.ts'
import type { Words } from './export-words.ts'
import { words } from './export-words.ts'
import type { Subject } from './series.ts'

type Wanted = Request<typeof exportHistory>['body']

/** History as a file: one row per time, one column per point, times by the clock of the first line's project. */
export function exportOf(read: ReadLines, subjects: readonly Subject[], wanted: Wanted, now: number): DownloadFile {
  const texts = words[wanted.Language]
  const timeZone = subjects[0]?.line.device.gateway.project.timeZone ?? 'UTC'
  const zone = zoneClock(timeZone)
  const columns = subjects.flatMap((subject) => headsOf(subject, wanted, texts))
  const table: Table = {
    columns: [`${texts.time} (${timeZone})`, ...columns, texts.quality],
    zone,
  }
  const stamp = (at: number) => zone.text(at).slice(0, 16).replace(/[-: ]/g, '')
  const name = `${texts.file}-${stamp(wanted.From)}-${stamp(wanted.To)}`
  return tableFile(name, wanted.Format, table, (onProgress) => {
    const rows = wanted.Content === 'raw' ? rawRows(read, subjects, wanted, texts) : shownRows(read, subjects, wanted, texts, now)
    return counted(rows, wanted, onProgress)
  })
}

/** Column heads of a point: line, point, unit; three of them when it is a band. */
function headsOf({ line, point }: Subject, { Content, Language }: Wanted, texts: Words): string[] {
  const unit = point.unit === '' ? '' : ` (${point.unit})`
  const name = `${line.device.gateway.name} ${line.name} ${Language === 'EN' ? point.label.en : point.label.zh}`
  if (Content === 'raw') return [`${name}${unit}`]
  if (point.quantity === 'energy') return [`${name} ${texts.used}${unit}`]
  return [texts.mean, texts.min, texts.max].map((each) => `${name} ${each}${unit}`)
}

async function* counted(
  pages: AsyncGenerator<readonly TableRow[]>,
  { From, To }: Wanted,
  onProgress: (progress: { rows: number; share: number }) => void,
): AsyncGenerator<readonly TableRow[]> {
  let rows = 0
  for await (const page of pages) {
    yield page
    rows += page.length
    onProgress({ rows, share: Math.min(1, Math.max(0, ((page.at(-1)?.at ?? From) - From) / (To - From))) })
  }
}

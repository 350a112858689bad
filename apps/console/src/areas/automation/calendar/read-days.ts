import type { importCalendar, Request } from '@linewarden/contract'
import type { Sheet } from '../../site/import/limits.ts'

type Rows = NonNullable<Request<typeof importCalendar>['body']['Rows']>

/** What a head may be called, in either language. */
const heads = {
  From: ['日期', '开始日期', 'date', 'first date', 'from'],
  To: ['结束日期', 'last date', 'to', 'until'],
  Class: ['类别', '类型', 'class'],
  Name: ['名称', '节日', 'name'],
} as const
export const columns = ['From', 'To', 'Class', 'Name'] as const

/** What the contract takes of each; what is longer is no date and no class, and the server names it. */
const longest = { From: 24, To: 24, Class: 24, Name: 64 } as const

/** Rows of days of a spreadsheet; null: its head has no date or no class. */
export function rowsOfDays({ head, rows }: Sheet): Rows | null {
  const placeOf = (column: (typeof columns)[number]) =>
    head.findIndex((cell) => (heads[column] as readonly string[]).includes(cell.trim().toLowerCase()))
  const places = { From: placeOf('From'), To: placeOf('To'), Class: placeOf('Class'), Name: placeOf('Name') }
  if (places.From < 0 || places.Class < 0) return null
  return rows.map(({ at, cells }) => {
    const cell = (column: (typeof columns)[number]) => (cells[places[column]] ?? '').slice(0, longest[column])
    return { Row: at, From: cell('From'), To: cell('To'), Class: cell('Class'), Name: cell('Name') }
  })
}

/** What an iCalendar file may weigh; years of holidays are far below. */
export const maxIcsBytes = 100_000

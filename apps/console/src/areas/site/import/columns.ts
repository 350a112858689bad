import type { addGateways, Reply, Request } from '@linewarden/contract'
import { maxCell } from '@linewarden/contract'
import type { TFunction } from 'i18next'
import type { Sheet } from './limits.ts'
import { importing } from './texts.ts'

export type ImportRow = Request<typeof addGateways>['body']['Rows'][number]
export type Problem = Reply<typeof addGateways>['Problems'][number]
export type Column = (typeof columns)[number]

/** The template's columns, in its order. */
export const columns = ['Number', 'Name', 'IMEI', 'Platform', 'DeviceType', 'Remark'] as const

/** What a column is called; a name that is none stays as it is. */
export function headOf(t: TFunction<'importing'>, name: string): string {
  const column = columns.find((each) => each === name)
  return column ? t(`heads.${column}`) : name
}

/** A row of the file with the number that the spreadsheet shows for it. */
export interface Placed {
  readonly at: number
  readonly row: Required<ImportRow>
  /** Cells that hold a formula: what it would say nobody can read from it. */
  readonly formulas: readonly Column[]
}

/** The rows of a file, and what is wrong with them. */
export interface Checked {
  readonly rows: readonly Placed[]
  /** By the row's place in `rows`. */
  readonly problems: ReadonlyMap<number, readonly Problem[]>
}

/** A row as the server takes it; of a cell that is too long so much that it sees that. */
export const toSend = ({ row }: Placed): ImportRow => ({
  Number: cut(row.Number),
  Name: cut(row.Name),
  IMEI: cut(row.IMEI),
  Platform: cut(row.Platform),
  DeviceType: cut(row.DeviceType),
  Remark: cut(row.Remark),
})
const cut = (text: string): string => text.slice(0, maxCell + 1)

/** What is wrong with the rows, by their place: what the server says of each cell, and which are formulas. */
export function problemsOf(rows: readonly Placed[], serverProblems: readonly Problem[]): ReadonlyMap<number, readonly Problem[]> {
  const Text = { zh: importing.zh.formula, en: importing.en.formula }
  const found = rows.map(({ formulas }, index) => [
    ...formulas.map((Column) => ({ Row: index + 1, Column, Text })),
    ...serverProblems.filter(({ Row, Column }) => Row === index + 1 && !formulas.some((each) => each === Column)),
  ])
  return new Map(found.flatMap((problems, index) => (problems.length > 0 ? [[index, problems] as const] : [])))
}

/** The file's rows by the template's columns; the head may be in either language, in any order. Null: a column is missing. */
export function readColumns({ head, rows }: Sheet): readonly Placed[] | null {
  const places = new Map(columns.map((column) => [column, head.findIndex((text) => isHead(text, column))]))
  if ([...places].some(([column, place]) => place < 0 && column !== 'Remark')) return null
  return rows.map(({ at, cells, formulas }) => {
    const cell = (column: Column) => cells[places.get(column) ?? -1] ?? ''
    return {
      at,
      formulas: columns.filter((column) => formulas.includes(places.get(column) ?? -1)),
      row: {
        Number: cell('Number'),
        Name: cell('Name'),
        IMEI: cell('IMEI'),
        Platform: cell('Platform'),
        DeviceType: cell('DeviceType'),
        Remark: cell('Remark'),
      },
    }
  })
}

const isHead = (text: string, column: Column): boolean => {
  const plain = text.replace(/\*$/, '').trim().toLowerCase()
  return [column, importing.zh.heads[column], importing.en.heads[column]].some((head) => head.toLowerCase() === plain)
}

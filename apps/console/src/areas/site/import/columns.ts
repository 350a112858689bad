import type { addGateways, Reply, Request } from '@linewarden/contract'
import { importing } from '../../../texts/importing.ts'
import type { Sheet } from './limits.ts'

export type ImportRow = Request<typeof addGateways>['body']['Rows'][number]
export type Problem = Reply<typeof addGateways>['Problems'][number]
export type Column = (typeof columns)[number]

/** The template's columns, in its order. */
export const columns = ['Number', 'Name', 'IMEI', 'Platform', 'DeviceType', 'Remark'] as const

/** A row of the file with the number that the spreadsheet shows for it. */
export interface Placed {
  readonly at: number
  readonly row: Required<ImportRow>
}

/** The file's rows by the template's columns; the head may be in either language, in any order. Null: a column is missing. */
export function readColumns({ head, rows }: Sheet): readonly Placed[] | null {
  const places = new Map(columns.map((column) => [column, head.findIndex((text) => isHead(text, column))]))
  if ([...places].some(([column, place]) => place < 0 && column !== 'Remark')) return null
  return rows.map(({ at, cells }) => {
    const cell = (column: Column) => (cells[places.get(column) ?? -1] ?? '').slice(0, 200)
    return {
      at,
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

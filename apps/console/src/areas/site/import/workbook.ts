import { saveFile } from '../../../ui/csv.ts'
import type { Cells, NamedSheet, Sheet, SheetProblem } from './limits.ts'
import { maxBytes, maxMs } from './limits.ts'

export type Asked =
  | { readonly kind: 'read'; readonly file: ArrayBuffer; readonly maxRows: number; readonly cells: Cells }
  | { readonly kind: 'readAll'; readonly file: ArrayBuffer; readonly maxRows: number }
  | { readonly kind: 'write'; readonly name: string; readonly lines: readonly (readonly string[])[] }
export type Answer =
  | { readonly kind: 'sheet'; readonly sheet: Sheet | SheetProblem }
  | { readonly kind: 'sheets'; readonly sheets: readonly NamedSheet[] | SheetProblem }
  | { readonly kind: 'file'; readonly file: ArrayBuffer }

const workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Reads a workbook in a worker of its own, which is ended when it takes too long. */
export async function readWorkbook(file: File, maxRows: number, cells: Cells = 'shown'): Promise<Sheet | SheetProblem> {
  if (file.size > maxBytes) return 'tooBig'
  if (!/\.xlsx?$/i.test(file.name)) return 'notASheet'
  const answer = await ask({ kind: 'read', file: await file.arrayBuffer(), maxRows, cells })
  return answer?.kind === 'sheet' ? answer.sheet : 'tooSlow'
}

/** Reads all sheets of a workbook, numbers with all their places, in a worker of its own. */
export async function readSheets(file: File, maxRows: number): Promise<readonly NamedSheet[] | SheetProblem> {
  if (file.size > maxBytes) return 'tooBig'
  if (!/\.xlsx?$/i.test(file.name)) return 'notASheet'
  const answer = await ask({ kind: 'readAll', file: await file.arrayBuffer(), maxRows })
  if (answer?.kind === 'sheets') return answer.sheets
  return answer === null ? 'tooSlow' : 'unreadable'
}

/** Hands a workbook to the person; false when it could not be made. */
export async function saveWorkbook(fileName: string, sheet: string, lines: readonly (readonly string[])[]): Promise<boolean> {
  const answer = await ask({ kind: 'write', name: sheet, lines })
  if (answer?.kind !== 'file') return false
  saveFile(fileName, new Blob([answer.file], { type: workbookType }))
  return true
}

/** Null: no answer within the time. */
async function ask(asked: Asked): Promise<Answer | null> {
  const worker = new Worker(new URL('./workbook.worker.ts', import.meta.url), { type: 'module' })
  try {
    return await new Promise((resolve) => {
      const timer = setTimeout(() => resolve(null), maxMs)
      worker.onmessage = ({ data }: MessageEvent<Answer>) => {
        clearTimeout(timer)
        resolve(data)
      }
      worker.onerror = () => resolve({ kind: 'sheet', sheet: 'unreadable' })
      worker.postMessage(asked)
    })
  } finally {
    worker.terminate()
  }
}

import { readAllSheets, readSheet, writeSheet } from './read-sheet.ts'
import type { Answer, Asked } from './workbook.ts'

/** Spreadsheets are read and written beside the page: a bad file stops this worker, never the console. */
self.onmessage = async ({ data }: MessageEvent<Asked>) => {
  const answer = (message: Answer) => self.postMessage(message)
  try {
    if (data.kind === 'read') answer({ kind: 'sheet', sheet: await readSheet(data.file, data.maxRows, data.cells) })
    else if (data.kind === 'readAll') answer({ kind: 'sheets', sheets: await readAllSheets(data.file, data.maxRows) })
    else answer({ kind: 'file', file: writeSheet(data.name, data.lines) })
  } catch {
    answer({ kind: 'sheet', sheet: 'unreadable' })
  }
}

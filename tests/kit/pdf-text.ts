import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What another program reads of a PDF; null: `pdftotext` is not installed here. */
export function pdfText(bytes: Uint8Array): string | null {
  const program = 'pdftotext'
  const folder = mkdtempSync(join(tmpdir(), 'linewarden-pdf-'))
  const file = join(folder, 'read.pdf')
  try {
    writeFileSync(file, bytes)
    const { error, stdout } = spawnSync(program, ['-layout', file, '-'], { encoding: 'utf8' })
    return error ? null : stdout
  } finally {
    rmSync(folder, { recursive: true })
  }
}

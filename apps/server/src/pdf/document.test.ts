import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { PdfContent } from './document.ts'
import { pdfBytes } from './document.ts'
import { inFont } from './font.ts'

const content: PdfContent = {
  ...{ title: '用电报告 · 深镕囍一厂', language: 'CN', made: '2026-12-01 08:00 (Asia/Shanghai)', at: Date.UTC(2026, 11, 1) },
  facts: [
    { label: '用电量', value: '12345.6 kWh' },
    { label: '上期', value: '≈ 11000.0 kWh (+12.2 %)' },
  ],
  bars: {
    label: '用电量',
    unit: 'kWh',
    values: Array.from({ length: 30 }, (_, day) => ({ label: String(day + 1), value: day === 3 ? null : day, compared: 12 })),
  },
  table: {
    columns: ['时间', '用电量 kWh', '上期 kWh'],
    rows: Array.from({ length: 900 }, (_, row) => [`行 ${row}`, `${row}.5`, '–']),
  },
}

const run = (program: string, ...given: string[]) => spawnSync(program, given, { encoding: 'utf8' })
const has = (program: string) => run(program, '--version').error === undefined

test('what the font has no sign of is a box, and a control character is a space', () => {
  expect(inFont('深镕囍\u0007喆 A·€\u{1F525}')).toBe('深镕囍 喆 A·€□')
})

test('a report of twenty pages is small, and made of one font that it brings along', async () => {
  const bytes = await pdfBytes(content)
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
  expect(bytes.length).toBeLessThan(400_000)
  const text = bytes.toString('latin1')
  expect(text.match(/\/Type \/Page\b/g)?.length).toBeGreaterThanOrEqual(20)
  expect(new Set(text.match(/\/FontName \/\S+/g)).size).toBe(1)
  expect(text).toMatch(/\/FontFile[23] /)
})

test('the same content makes the same figures, whenever it is made', async () => {
  expect((await pdfBytes(content)).length).toBe((await pdfBytes(content)).length)
})

test.skipIf(!has('pdftotext') || !has('qpdf'))('other programs find no fault in it, and every figure', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'linewarden-pdf-'))
  const file = join(folder, 'report.pdf')
  writeFileSync(file, await pdfBytes(content))
  expect(run('qpdf', '--check', file)).toMatchObject({ status: 0 })
  const { stdout } = run('pdftotext', '-layout', file, '-')
  rmSync(folder, { recursive: true })
  for (const figure of ['用电报告 · 深镕囍一厂', '12345.6 kWh', '(+12.2 %)', '行 899', '899.5']) expect(stdout).toContain(figure)
})

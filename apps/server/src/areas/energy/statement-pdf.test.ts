import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inFont } from '../../pdf/font.ts'
import { statementPdf } from './statement-pdf.ts'
import { allStatementWords } from './statement-words.ts'
import { testStatement } from './test-statement.ts'

const print = { language: 'CN', at: 0, addressOf: () => 'https://console.example.com/system/report/powerReport' } as const
const run = (program: string, ...given: string[]) => spawnSync(program, given, { encoding: 'utf8' })
const has = (program: string) => run(program, '--version').error === undefined
const pagesIn = (bytes: Buffer) => bytes.toString('latin1').match(/\/Type \/Page\b/g)?.length

/** What another program reads of it. */
function textOf(bytes: Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), 'linewarden-statement-'))
  const file = join(folder, 'statement.pdf')
  try {
    writeFileSync(file, bytes)
    expect(run('qpdf', '--check', file)).toMatchObject({ status: 0 })
    return run('pdftotext', '-layout', file, '-').stdout
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('the font has every sign of what a statement says', () => {
  for (const word of allStatementWords) expect(inFont(word)).toBe(word)
  expect(inFont('尖峰平谷深谷零壹贰叁肆伍陆柒捌玖拾佰仟万亿元角分整负 −≈–·×φ（）〔〕“”；')).not.toContain('□')
})

test('a statement is one page of A4, and small', async () => {
  const bytes = await statementPdf([testStatement()], print)
  expect(pagesIn(bytes)).toBe(1)
  expect(bytes.length).toBeLessThan(100_000)
})

test('several stand in one document, each from a page of its own on', async () => {
  expect(pagesIn(await statementPdf([testStatement(), testStatement()], print))).toBe(2)
})

test('a statement of forty lines goes on over pages, each with its foot', async () => {
  const [line] = testStatement().Members
  const Members = Array.from({ length: 40 }, (_, place) => ({ ...(line ?? never()), LineID: place, Name: `QF${place + 100}` }))
  const bytes = await statementPdf([testStatement({ Members })], print)
  expect(pagesIn(bytes)).toBeGreaterThan(4)
  if (!has('pdftotext') || !has('qpdf')) return
  const text = textOf(bytes)
  expect(text.match(/QF1\d\d/g)).toHaveLength(80)
  expect(text.match(/HD-202610-01 · 本单签发后不再变动/g)).toHaveLength(pagesIn(bytes) ?? 0)
})

test.skipIf(!has('pdftotext') || !has('qpdf'))('other programs find no fault in it, and every figure of it', async () => {
  const text = textOf(await statementPdf([testStatement()], print))
  for (const figure of [
    ...['HD-202610-01', '2,976 刻', '华东精密制造有限公司', '3205 0186 4471 2203', '1,800 kVA', '申报需量 450 kW'],
    ...['17,908.020', '18,142.520', '234.500', '93,800', '9,448', '表号 230418-0072', '16623.66', '77.00', '23,100', '64,500'],
    ...['158,300', '10-22 10:30', '431', '0.93', '考核 0.90', '0.9808', '代理购电 · 尖', '15,853', '1.2000', '19,023.60'],
    ...['40.8000 × 90 %', '−0.45 %', '−680.89', '奖励', '155,266.51', '壹拾伍万伍仟贰佰陆拾陆元伍角壹分', '已知 99.7%'],
    ...['engine 2', '9d428f5b d580be4e 6c8f03ae efae4d64 6ce1c860 d29a2fa8 f9b607a5 c6be25e8', '1/1'],
  ])
    expect(text).toContain(figure)
})

test.skipIf(!has('pdftotext') || !has('qpdf'))('in English, one that was corrected says by which, and why', async () => {
  const statement = testStatement({
    ...{ State: 'replaced', Successor: { StatementID: 8, Number: 'HD-202610-02' }, Issuer: null },
    Ended: { At: Date.UTC(2026, 10, 9), Name: null, Reason: 'Meter 0072 was read again' },
    Estimates: { Reason: 'Meter failed', Issuer: null },
  })
  const text = textOf(await statementPdf([statement], { ...print, language: 'EN', addressOf: () => null }))
  for (const words of [
    ...['Electricity statement', 'replaced by HD-202610-02', 'Meter 0072 was read again', 'Energy purchase', 'CNY'],
    ...['Issued with estimates: Meter failed (–)', 'The code holds number and SHA-256'],
  ])
    expect(text).toContain(words)
  expect(text).not.toMatch(/人民币|合计|电费/)
})

function never(): never {
  throw new Error('the statement has no line')
}

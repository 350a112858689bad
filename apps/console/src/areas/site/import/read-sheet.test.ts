import { deflateRawSync } from 'node:zlib'
import { utils, write } from '@e965/xlsx'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { problemsOf, readColumns, toSend } from './columns.ts'
import { readSheet, writeSheet } from './read-sheet.ts'
import { unpacksWithin } from './unpacked.ts'

const head = ['网关编号', '网关名称', 'IMEI', '对接平台', '设备类型', '备注']
const row = ['GW-1', '一层', '490154203237518', 'json', '4G', '']

describe('a spreadsheet of gateways', () => {
  test('written by us is read back as it was, with the numbers that the spreadsheet shows', async () => {
    const sheet = await readSheet(writeSheet('网关', [head, row]), 200)
    expect(sheet).toEqual({ head, rows: [{ at: 2, cells: expect.arrayContaining(['GW-1', '490154203237518']), formulas: [] }] })
  })

  test('as old xls is read too', async () => {
    const book = utils.book_new()
    utils.book_append_sheet(book, utils.aoa_to_sheet([head, row]), 'x')
    const sheet = await readSheet(write(book, { type: 'array', bookType: 'biff8' }), 200)
    expect(sheet).toMatchObject({ head: expect.arrayContaining(['IMEI']), rows: [{ at: 2 }] })
  })

  test('an IMEI typed as a number keeps its digits', async () => {
    const book = utils.book_new()
    utils.book_append_sheet(book, utils.aoa_to_sheet([head, ['GW-1', '一层', 490154203237518, 'json', '4G']]), 'x')
    expect(await readSheet(write(book, { type: 'array' }), 200)).toMatchObject({
      rows: [{ cells: ['GW-1', '一层', '490154203237518', 'json', '4G'] }],
    })
  })

  test('a formula is its text and nothing is calculated', async () => {
    const sheet = utils.aoa_to_sheet([head, row])
    sheet.B2 = { t: 's', f: 'CONCATENATE("a","b")', v: 'ab' }
    const book = utils.book_new()
    utils.book_append_sheet(book, sheet, 'x')
    expect(await readSheet(write(book, { type: 'array' }), 200)).toMatchObject({
      rows: [{ cells: expect.arrayContaining(['=CONCATENATE("a","b")']), formulas: [1] }],
    })
  })

  test.each(['xlsx', 'biff8'] as const)(
    'a row far below the others is read too, or found to be one too many (%s)',
    async (bookType) => {
      const sheet = utils.aoa_to_sheet([head, row])
      utils.sheet_add_aoa(sheet, [row], { origin: { r: 2_499, c: 0 } })
      const book = utils.book_new()
      utils.book_append_sheet(book, sheet, 'x')
      const file = write(book, { type: 'array', bookType })
      expect(await readSheet(file, 2)).toMatchObject({ rows: [{ at: 2 }, { at: 2_500 }] })
      expect(await readSheet(file, 1)).toBe('tooManyRows')
    },
  )

  test.each(['xlsx', 'biff8'] as const)(
    'merged cells say it once, in the first of them, and make no rows (%s)',
    async (bookType) => {
      const sheet = utils.aoa_to_sheet([head, row, ['GW-2', '', '490154203237526', 'json', '4G', ''], row])
      // One name for two gateways, which the dry run then misses in the second; and a merge of everything below.
      sheet['!merges'] = [
        { s: { r: 1, c: 1 }, e: { r: 2, c: 1 } },
        { s: { r: 5, c: 0 }, e: bookType === 'xlsx' ? { r: 1_048_575, c: 16_383 } : { r: 65_535, c: 255 } },
        ...Array.from({ length: bookType === 'xlsx' ? 20_000 : 1_000 }, (_, r) => ({
          s: { r: 10 + r, c: 0 },
          e: { r: 10 + r, c: 200 },
        })),
      ]
      const book = utils.book_new()
      utils.book_append_sheet(book, sheet, 'x')
      const read = await readSheet(write(book, { type: 'array', bookType }), 200)
      expect(read).toMatchObject({ head: expect.arrayContaining(['IMEI']), rows: [{ at: 2 }, { at: 3 }, { at: 4 }] })
      if (typeof read === 'string') throw new Error(read)
      expect(read.rows.map(({ cells }) => cells[1])).toEqual(['一层', '', '一层'])
    },
  )

  test('a note in the last column of every row is not read: no more than the head has columns, however many rows there are', async () => {
    // Written by hand: the library's writer walks through every column of every row.
    const withNote = (rows: number) => {
      const parts = unzipSync(new Uint8Array(writeSheet('x', [head])))
      const cell = (at: string, text: string) => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`
      const lines = Array.from({ length: rows }, (_, index) => {
        const at = index + 2
        return `<row r="${at}">${cell(`A${at}`, 'GW-1')}${cell(`B${at}`, '一层')}${cell(`XFD${at}`, 'x')}</row>`
      })
      const name = 'xl/worksheets/sheet1.xml'
      const sheet = strFromU8(parts[name] ?? new Uint8Array()).replace('</sheetData>', `${lines.join('')}</sheetData>`)
      return zipSync({ ...parts, [name]: strToU8(sheet.replace(/<dimension[^>]*>/, '')) }).buffer
    }
    const read = await readSheet(withNote(2), 200)
    expect(read).toMatchObject({ rows: [{ at: 2 }, { at: 3 }] })
    if (typeof read === 'string') throw new Error(read)
    expect(read.rows.map(({ cells }) => cells)).toEqual(Array(2).fill(['GW-1', '一层', '', '', '', '']))
    expect(await readSheet(withNote(20_000), 200)).toBe('tooManyRows')
  })

  test('empty rows count for nothing, and the others keep their numbers', async () => {
    const sheet = await readSheet(writeSheet('x', [head, row, [], ['', ''], row]), 2)
    expect(sheet).toMatchObject({ rows: [{ at: 2 }, { at: 5 }] })
  })

  test('too many rows are refused', async () => {
    expect(await readSheet(writeSheet('x', [head, row, row, row]), 2)).toBe('tooManyRows')
  })

  test('what is no spreadsheet is refused, whatever it is called', async () => {
    expect(await readSheet(new TextEncoder().encode('a,b,c').buffer, 200)).toBe('notASheet')
  })
})

test('a head in either language and any order is understood; a missing column is not', () => {
  const english = ['IMEI', 'gateway name', 'Gateway number *', 'Device type', 'Docking platform']
  const rows = [{ at: 2, cells: ['490154203237518', 'Hall', 'GW-1', '4G', 'json'], formulas: [] }]
  expect(readColumns({ head: english, rows })).toEqual([
    {
      at: 2,
      row: { Number: 'GW-1', Name: 'Hall', IMEI: '490154203237518', Platform: 'json', DeviceType: '4G', Remark: '' },
      formulas: [],
    },
  ])
  expect(readColumns({ head: english.slice(1), rows })).toBeNull()
})

describe('what is wrong with a row', () => {
  const read = (cells: readonly string[], formulas: readonly number[] = []) =>
    readColumns({ head, rows: [{ at: 2, cells, formulas }] }) ?? []

  test('is a formula in any cell, even one that the server would take for text; what it says of the other cells stays', () => {
    const rows = read(['GW-1', '=A1', '1', 'json', '4G', '=A2'], [1, 5])
    const Text = { zh: '', en: '' }
    const said = [
      { Row: 1, Column: 'IMEI', Text },
      { Row: 1, Column: 'Remark', Text },
    ]
    const problems = problemsOf(rows, said).get(0) ?? []
    expect(problems.map(({ Column, Text }) => [Column, Text.en !== ''])).toEqual([
      ['Name', true],
      ['Remark', true],
      ['IMEI', false],
    ])
    expect(problemsOf(read(row), []).size).toBe(0)
  })

  test('is found by the server when a cell is too long: one character too many is sent, and the whole of it is kept', () => {
    const [placed] = read([...row.slice(0, 5), '注'.repeat(500)])
    if (!placed) throw new Error('no row')
    expect([placed.row.Remark.length, toSend(placed).Remark?.length]).toEqual([500, 201])
  })
})

/** A zip of one part that says it is small. */
function zipOf(content: Uint8Array): Uint8Array<ArrayBuffer> {
  const packed = deflateRawSync(content)
  const name = new TextEncoder().encode('a.xml')
  const local = new DataView(new ArrayBuffer(30))
  local.setUint32(0, 0x04034b50, true)
  local.setUint16(8, 8, true)
  local.setUint16(26, name.length, true)
  const entry = new DataView(new ArrayBuffer(46))
  entry.setUint32(0, 0x02014b50, true)
  entry.setUint16(10, 8, true)
  entry.setUint32(20, packed.length, true)
  entry.setUint32(24, 10, true)
  entry.setUint16(28, name.length, true)
  const end = new DataView(new ArrayBuffer(22))
  end.setUint32(0, 0x06054b50, true)
  end.setUint16(10, 1, true)
  end.setUint32(16, 30 + name.length + packed.length, true)
  const parts = [local, name, packed, entry, name, end].map((part) =>
    part instanceof DataView ? new Uint8Array(part.buffer) : new Uint8Array(part),
  )
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

test('a zip bomb is found by unpacking, not by what it says of itself', async () => {
  const bomb = zipOf(new Uint8Array(8 * 1024 * 1024))
  expect(bomb.length).toBeLessThan(20_000)
  expect(await unpacksWithin(bomb, 1024 * 1024)).toBe(false)
  expect(await unpacksWithin(bomb, 9 * 1024 * 1024)).toBe(true)
  expect(await unpacksWithin(bomb.subarray(0, -30), 9 * 1024 * 1024)).toBe(false)
})

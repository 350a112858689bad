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

  test('read exactly, a price has all the places that its format hides, and the first column is times of the clock', async () => {
    const sheet = utils.aoa_to_sheet([
      ['时间', '价格'],
      [45_746.25, 0.08502],
      ['2025-03-30 07:00', -0.5],
    ])
    sheet.A2 = { t: 'n', v: 45_746.25, z: 'm/d/yy h:mm' }
    sheet.B2 = { t: 'n', v: 0.08502, z: '0.00' }
    const book = utils.book_new()
    utils.book_append_sheet(book, sheet, 'x')
    const file = write(book, { type: 'array' })
    expect(await readSheet(file, 200, 'exact')).toMatchObject({
      rows: [{ cells: ['2025-03-30 06:00', '0.08502'] }, { cells: ['2025-03-30 07:00', '-0.5'] }],
    })
    expect(await readSheet(file, 200)).toMatchObject({ rows: [{ cells: [expect.anything(), '0.09'] }, {}] })
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
  const english = ['IMEI', 'gateway name', 'Gateway number *', 'Device type', 'Protocol']
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
    const reported = [
      { Row: 1, Column: 'IMEI', Text },
      { Row: 1, Column: 'Remark', Text },
    ]
    const problems = problemsOf(rows, reported).get(0) ?? []
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

/** A zip of one part; `says` puts something else than the truth into its directory, its head or its end. */
function zipOf(
  content: Uint8Array,
  forge: (directory: DataView, head: DataView, end: DataView) => void = () => {},
  extra = new Uint8Array(),
) {
  const packed = deflateRawSync(content)
  const name = new TextEncoder().encode('a.xml')
  const head = new DataView(new ArrayBuffer(30))
  head.setUint32(0, 0x04034b50, true)
  head.setUint16(8, 8, true)
  head.setUint32(18, packed.length, true)
  head.setUint32(22, content.length, true)
  head.setUint16(26, name.length, true)
  const directory = new DataView(new ArrayBuffer(46))
  directory.setUint32(0, 0x02014b50, true)
  directory.setUint16(10, 8, true)
  directory.setUint32(20, packed.length, true)
  directory.setUint32(24, content.length, true)
  directory.setUint16(28, name.length, true)
  directory.setUint16(30, extra.length, true)
  const end = new DataView(new ArrayBuffer(22))
  end.setUint32(0, 0x06054b50, true)
  end.setUint16(8, 1, true)
  end.setUint16(10, 1, true)
  end.setUint32(16, 30 + name.length + packed.length, true)
  forge(directory, head, end)
  return new Uint8Array(
    Buffer.concat(
      [head, name, packed, directory, name, extra, end].map((part) =>
        part instanceof DataView ? new Uint8Array(part.buffer) : part,
      ),
    ),
  )
}

const inBoth =
  (place: number, value: number): Parameters<typeof zipOf>[1] =>
  (directory, head) => {
    directory.setUint32(place, value, true)
    head.setUint32(place - 2, value, true)
  }

describe('a zip bomb', () => {
  const big = new Uint8Array(60 * 1024 * 1024)
  const small = new Uint8Array(1_000)

  test('is found by unpacking, and small files pass', async () => {
    const bomb = zipOf(big)
    expect(bomb.length).toBeLessThan(70_000)
    expect(await readSheet(bomb.buffer, 200)).toBe('tooBig')
    expect(await unpacksWithin(bomb, 61 * 1024 * 1024)).toBe('fits')
    expect(await unpacksWithin(zipOf(small), 1_000)).toBe('fits')
    expect(await unpacksWithin(zipOf(small), 999)).toBe('tooBig')
  })

  test.each<[string, Parameters<typeof zipOf>[1]]>([
    ['small in both places', inBoth(24, 10)],
    ['stored in the directory, packed in its head', (directory) => directory.setUint16(10, 0, true)],
    ['encrypted in its head', (_, head) => head.setUint16(6, 1, true)],
    ['of another packed size in its head', (_, head) => head.setUint32(18, 10, true)],
    ['of another size in its head', (_, head) => head.setUint32(22, 10, true)],
    ['of a longer name in its head', (_, head) => head.setUint16(26, 6, true)],
    ['packed in an unknown way', inBoth(10, 12)],
    ['one of two in the end, one of one on this disk', (_d, _h, end) => end.setUint16(10, 2, true)],
    ['followed by more than the end says', (_d, _h, end) => end.setUint16(20, 1, true)],
    ['a directory that lies elsewhere', (_d, _h, end) => end.setUint32(16, 3, true)],
  ])('that says it is %s is unreadable, for its reader might believe the other', async (_, forge) => {
    expect(await readSheet(zipOf(small, forge).buffer, 200)).toBe('unreadable')
  })

  test('sizes of its own in an extra field, and an end behind the end, make it unreadable', async () => {
    const whole = zipOf(small)
    const nowhere = zipOf(small, (_, head) => head.setUint32(0, 0, true))
    expect(await unpacksWithin(nowhere, 1_000)).toBe('unreadable')
    const harmless = new Uint8Array([0x55, 0x54, 1, 0, 0])
    expect(await unpacksWithin(zipOf(small, undefined, harmless), 1_000)).toBe('fits')
    const sizes = new Uint8Array([...harmless, 1, 0, 8, 0, ...new Uint8Array(8)])
    expect(await unpacksWithin(zipOf(small, undefined, sizes), 1_000)).toBe('unreadable')
    const twice = new Uint8Array([...whole, 0x50, 0x4b, 5, 6])
    twice.set([4], whole.length - 2)
    expect(await readSheet(twice.buffer, 200)).toBe('unreadable')
    expect(await readSheet(whole.slice(0, -30).buffer, 200)).toBe('unreadable')
  })
})

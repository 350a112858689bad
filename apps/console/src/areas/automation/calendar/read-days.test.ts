import { expect, test } from 'vitest'
import { rowsOfDays } from './read-days.ts'

const row = (...cells: string[]) => ({ at: 2, cells, formulas: [] })

test.each([
  ['日期', '结束日期', '类别', '名称'],
  ['Date', 'Last date', 'Class', 'Name'],
])('columns are found by their heads, in whatever order: %s', (from, to, dayClass, name) => {
  expect(rowsOfDays({ head: [name, dayClass, to, ` ${from} `], rows: [row('元旦', '休', '', '2027-01-01')] })).toEqual([
    { Row: 2, From: '2027-01-01', To: '', Class: '休', Name: '元旦' },
  ])
})

test('a table of days alone is one: a name and a last date may be missing, a date and a class may not', () => {
  expect(rowsOfDays({ head: ['日期', '类别'], rows: [row('46388', '班')] })).toEqual([
    { Row: 2, From: '46388', To: '', Class: '班', Name: '' },
  ])
  expect(rowsOfDays({ head: ['日期', '名称'], rows: [] })).toBeNull()
  expect(rowsOfDays({ head: ['类别'], rows: [] })).toBeNull()
})

test('what is longer than a field takes is cut, and named by the server', () => {
  expect(rowsOfDays({ head: ['日期', '类别'], rows: [row('9'.repeat(99), '班')] })?.[0]?.From).toHaveLength(24)
})

import { expect, test } from 'vitest'
import { csvOf } from './csv.ts'

test('quotes what would break the row, leaves numbers alone, and empties what is missing', () => {
  expect(
    csvOf(
      ['名称', 'A'],
      [
        ['a,"b"\nc', -1.5],
        ['', null],
      ],
    ),
  ).toBe('\uFEFF"名称","A"\r\n"a,""b""\nc",-1.5\r\n"",\r\n')
})

test.each(['=1+1', '+1', '-1', '@x', '\tx', '\rx', '\nx', '＝1', '＋1', '－1', '＠x'])('%j is text, not a formula', (value) => {
  expect(csvOf([], [[value]])).toContain(`'${value[0]}`)
})

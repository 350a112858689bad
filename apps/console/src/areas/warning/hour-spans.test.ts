import { expect, test } from 'vitest'
import { hourSpans } from './hour-spans.ts'

test.each<[string, readonly number[], readonly string[]]>([
  ['none', [], []],
  ['one hour', [9], ['09:00–10:00']],
  ['hours that follow each other', [8, 9, 10], ['08:00–11:00']],
  ['hours apart', [8, 18, 19], ['08:00–09:00', '18:00–20:00']],
  ['the last of the day', [0, 23], ['00:00–01:00', '23:00–24:00']],
])('%s', (_, hours, spans) => expect(hourSpans(hours)).toEqual(spans))

import { expect, test } from 'vitest'
import { warningFilter } from './filters.ts'

const listOf = (address: string) => ({ filter: (name: string) => new URLSearchParams(address).get(name) ?? '' })

test('an address says key, level, acknowledged and shelved, and what is none of them is left out', () => {
  const asked = warningFilter(
    listOf('key=leakage.step&level=warning&ack=no&shelf=yes&over=yes'),
    { kind: 'house', id: 7 },
    ' pump ',
  )
  expect(asked).toEqual({
    HouseID: 7,
    Open: false,
    Keys: ['leakage.step'],
    Levels: ['warning'],
    Acknowledged: false,
    Shelved: true,
    Text: 'pump',
  })
  expect(warningFilter(listOf("key='; drop&level=worst&ack=perhaps&over=1"), { kind: 'all' }, '  ')).toEqual({})
})

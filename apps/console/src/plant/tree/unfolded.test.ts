import type { Group } from '@linewarden/contract'
import { expect, test } from 'vitest'
import { inTestBrowser } from '../../dev/test-browser.ts'
import { readSelection } from '../equipment.ts'

inTestBrowser()

/** Two projects in the first group and the rest in the second. */
function plant(projects: number): Group[] {
  const houses = Array.from({ length: projects }, (_, index) => ({ HouseID: index + 1 }))
  return [
    { CityID: 1, Houses: houses.slice(0, 2) },
    { CityID: 2, Houses: houses.slice(2) },
  ] as unknown as Group[]
}

test.each([
  ['', []],
  ['group:2', []],
  ['house:3', ['c2']],
  ['gateway:3:7', ['c2', 'h3']],
  ['device:1:T1', ['c1', 'h1']],
  ['line:2:70', ['c1', 'h2']],
  ['line:9:70', []],
])('what must be unfolded so that %j is in sight', async (text, keys) => {
  const { wayTo } = await import('./unfolded.ts')
  expect(wayTo(plant(4), readSelection(text))).toEqual(keys)
})

test('few projects are unfolded from the start; of many only the way to the selection', async () => {
  const { firstUnfolded } = await import('./unfolded.ts')
  const first = (projects: number, text: string) => [...firstUnfolded(plant(projects), readSelection(text))].sort()
  expect(first(3, '')).toEqual(['c1', 'c2', 'h1', 'h2', 'h3'])
  expect(first(4, '')).toEqual(['c1', 'c2'])
  expect(first(4, 'house:4')).toEqual(['c1', 'c2'])
  expect(first(4, 'line:4:70')).toEqual(['c1', 'c2', 'h4'])
})

import { expect, test } from 'vitest'
import { stubBrowser } from '../dev/test-browser.ts'
import { builtPages } from './pages.ts'

test('the first draw knows the pages of every area, and no others', async () => {
  stubBrowser()
  const { areas } = await import('./areas.ts')
  expect(Object.keys(builtPages).toSorted()).toEqual(areas.flatMap(({ pages }) => Object.keys(pages)).toSorted())
  expect(new Set(areas.map(({ name }) => name)).size).toBe(areas.length)
})

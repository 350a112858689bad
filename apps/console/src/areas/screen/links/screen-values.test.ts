import type { ScreenLink } from '@linewarden/contract'
import { expect, test } from 'vitest'
import { inTestBrowser } from '../../../dev/test-browser.ts'

inTestBrowser()

const link: ScreenLink = {
  ...{ ScreenID: 4, Name: '大厅', Scope: { CityID: null, HouseIDs: [7, 9] }, DwellS: 30, Language: 'EN', Theme: 'light' },
  ...{ NamesOfPeople: true, MostSeats: 2, HardUntil: 99, MadeBy: '', MadeAt: 0, RevokedAt: null, Seats: 0, LastBeat: null },
  ...{ Version: 1, Pages: [] },
}

test.each<[string, readonly string[], string]>([
  ['the overview alone', [], 'overview'],
  ['the overview and the diagram of each project', ['/bigScreen', '/bigScreen/home/7', '/bigScreen/home/9'], 'plants'],
  ['others', ['/bigScreen/home/9'], 'kept'],
])('a link of %s is sent as it was read', async (_, Pages, pages) => {
  const { screenOf, screenStart } = await import('./screen-values.ts')
  const values = screenStart({ ...link, Pages: [...Pages] })
  expect(values.pages).toBe(pages)
  const { Name, Scope, DwellS, Language, Theme, NamesOfPeople, MostSeats, HardUntil } = link
  const before = { ...link, Pages: [...Pages] }
  expect(screenOf(values, [], before)).toEqual({
    ...{ Name, Scope, DwellS, Language, Theme, NamesOfPeople, MostSeats, HardUntil, Pages: [...Pages] },
  })
})

test('a link of a group has the diagrams of the projects that are in it now, twenty pages at most', async () => {
  const { screenOf, screenStart } = await import('./screen-values.ts')
  const Houses = Array.from({ length: 30 }, (_, at) => ({ HouseID: at + 1 })) as never
  const values = { ...screenStart(null), of: 'group', CityID: '3', pages: 'plants' } as const
  const { Scope, Pages } = screenOf(values, [{ CityID: 3, Name: '', IsDefault: false, Houses }], null)
  expect(Scope).toEqual({ CityID: 3, HouseIDs: [] })
  expect([Pages.length, Pages[0], Pages[1]]).toEqual([20, '/bigScreen', '/bigScreen/home/1'])
})

test.each<[string, boolean]>([
  ['10', true],
  ['300', true],
  ['9', false],
  ['301', false],
  ['', false],
  ['1e2', false],
  ['20.5', false],
])('a page stays %s seconds: %s', async (text, isGood) => {
  const { isWithin } = await import('./screen-values.ts')
  expect(isWithin(text, 10, 300)).toBe(isGood)
})

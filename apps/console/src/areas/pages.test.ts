import type { Page } from '@linewarden/contract'
import * as contract from '@linewarden/contract'
import { expect, test } from 'vitest'
import type { Person } from '../app/session/permitted-pages.ts'
import { mayOpen } from '../app/session/permitted-pages.ts'
import { stubBrowser } from '../dev/test-browser.ts'
import { builtPages } from './pages.ts'

const { ordinaryPages, pages, platformPages, reportPages } = contract

/** The wall stands in no menu and is held by no role: whoever is signed in opens its frame, and each of its calls asks for a right. Its links stand below the projects. */
const isOfWall = (route: string): boolean =>
  route === '/bigScreen' || route.startsWith('/bigScreen/') || route === '/system/project/screens'
const routes = Object.keys(builtPages).filter((route) => !isOfWall(route))
const routesOf = (list: readonly Page[]) => new Set(list.map(({ route }) => route))

/** The keys under which a role can hold a page: the reports come together, those of the platform with no role. */
function rightsTo(route: string): readonly string[] {
  if (routesOf(reportPages).has(route)) return ['system.report']
  return pages.flatMap(({ subs }) => subs.filter((sub) => sub.route === route).map(({ key }) => key))
}

/** Somebody whose role holds one page and nothing else. */
const holderOf = (section: Page, sub: Page): Person => ({
  Roles: { IsAdministrators: false, Privileges: [{ Name: section.name.zh, Subs: [{ Name: sub.name.zh }] }], LevelBtn: [] },
  ExtraRoute: null,
})

test('each page stands in the console in the area that has it in the contract, at the same route', async () => {
  stubBrowser()
  const { areas } = await import('./areas.ts')
  const manifests = contract as unknown as Readonly<Record<string, { readonly pages?: Readonly<Record<string, Page>> }>>
  for (const area of areas) {
    const declared = routesOf(Object.values(manifests[`${area.name}Area`]?.pages ?? {}))
    expect(Object.keys(area.pages).filter((route) => !declared.has(route) && !isOfWall(route))).toEqual([])
  }
})

test('no role holds a page of the wall, and none of its calls is without a right', () => {
  const walls = Object.keys(builtPages).filter(isOfWall)
  expect(walls.length).toBeGreaterThan(0)
  expect(walls.map(rightsTo)).toEqual(walls.map(() => []))
  const rights = contract.allCalls.filter(({ area }) => area === 'screen').map(({ permission }) => permission)
  // Two by which a wall opens without a person, and what it then asks as a wall.
  expect([...new Set(rights)].toSorted()).toEqual(['devmon.realtime', 'public', 'screen', 'system.project'])
  expect(rights.filter((each) => each === 'public')).toHaveLength(2)
})

test('no route stands twice in the contract', () => {
  const all = [...ordinaryPages, ...platformPages].map(({ route }) => route)
  expect(new Set(all).size).toBe(all.length)
})

test.each(routes)('%s is opened by its own right in the contract, and by no other', (route) => {
  const opening = pages.flatMap((section) =>
    section.subs.filter((sub) => mayOpen(route, holderOf(section, sub))).map(({ key }) => key),
  )
  expect(opening).toEqual(rightsTo(route))
  const isOfPlatform = routesOf(platformPages).has(route)
  expect(opening).toHaveLength(isOfPlatform ? 0 : 1)
  const administrator = { Roles: { IsAdministrators: true, Privileges: [], LevelBtn: [] }, ExtraRoute: null }
  expect(mayOpen(route, administrator)).toBe(!isOfPlatform)
  expect(mayOpen(route, { ...administrator, Platform: true })).toBe(true)
})

import type { Page } from '@linewarden/contract'
import { ordinaryPages, platformPages } from '@linewarden/contract'
import { paths } from '../../paths.ts'
import type { PermittedSection, Person } from '../session/permitted-pages.ts'
import { isBelow, mayOpen, permittedSections } from '../session/permitted-pages.ts'

export interface MenuItem {
  readonly page: Page
  /** Where a click leads: the first page that is there. */
  readonly redirect: string
  /** Not built yet: a click says so. */
  readonly underDevelopment: boolean
  readonly subs: readonly MenuItem[]
}

/** The routes of the pages that are there. */
export type BuiltRoutes = ReadonlySet<string>

/** The menu a person gets: the sections they may open, each page marked that is not there yet. */
export const menuOf = (person: Person, built: BuiltRoutes): readonly MenuItem[] =>
  permittedSections(person).map((section) => itemOf(section, built))

/** Whether an address belongs to a section: its pages do not all share its path. */
export const isIn = ({ page, subs }: MenuItem, pathname: string): boolean =>
  isBelow(page.route, pathname) || subs.some((sub) => isBelow(sub.page.route, pathname))

/** Where a person begins: with the live page, else with the first of their own that is there; null: no page was granted. */
export function startOf(person: Person, built: BuiltRoutes): string | null {
  if (mayOpen(paths.realtime, person)) return paths.realtime
  const sections = menuOf(person, built)
  return (sections.find(({ underDevelopment }) => !underDevelopment) ?? sections[0])?.redirect ?? null
}

/** Every route behind the frame, whoever may open it. */
export const everyRoute: readonly string[] = [
  ...ordinaryPages.map(({ route }) => route),
  ...platformPages.map(({ route }) => route),
]

function itemOf({ page, subs: allowed }: PermittedSection, built: BuiltRoutes): MenuItem {
  const subs = allowed.map(
    (sub): MenuItem => ({
      page: sub,
      redirect: sub.route,
      underDevelopment: !built.has(sub.route),
      subs: [],
    }),
  )
  const first = subs.find(({ underDevelopment }) => !underDevelopment) ?? subs[0]
  return {
    page,
    redirect: first?.redirect ?? page.route,
    underDevelopment: subs.every(({ underDevelopment }) => underDevelopment),
    subs,
  }
}

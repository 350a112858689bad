import type { Page, UserInfo } from '@linewarden/contract'
import { ordinaryPages, pages, platformPages, reportPages } from '@linewarden/contract'
import { paths } from '../../paths.ts'
import { builtPages } from './built-pages.ts'

export interface MenuItem {
  readonly page: Page
  /** Where a click leads: the first page that is there. */
  readonly redirect: string
  /** Not built yet: a click says so. */
  readonly underDevelopment: boolean
  readonly subs: readonly MenuItem[]
}

type Person = Pick<UserInfo, 'Roles' | 'ExtraRoute'> & { readonly Platform?: boolean }

/**
 * The menu a person gets: every page for an administrator, else those whose label their role holds, with the children that its Subs
 * name; the report section is kept whole. A section of which nothing may be opened is none. Configured accounts find one more page at position 4.
 */
export function menuOf({ Roles, ExtraRoute, Platform }: Person): readonly MenuItem[] {
  const sections = (pages as readonly Page[]).flatMap((page) => {
    const granted = Roles.Privileges.find((each) => each.Name === page.name.zh)
    if (!Roles.IsAdministrators && !granted) return []
    const allowed = (page.subs ?? []).filter(
      (sub) => Roles.IsAdministrators || granted?.Subs.some((each) => each.Name === sub.name.zh),
    )
    const subs = page.key === 'system' && Platform ? [...allowed, ...platformPages] : allowed
    return subs.length === 0 ? [] : [sectionOf(page, subs)]
  })
  const extra = ordinaryPages.find(({ route }) => route === ExtraRoute)
  return extra ? sections.toSpliced(3, 0, sectionOf(extra, [extra])) : sections
}

/** Whether an address belongs to a section: its pages do not all share its path. */
export const isIn = ({ page, subs }: MenuItem, pathname: string): boolean =>
  isBelow(page.route, pathname) || subs.some((sub) => isBelow(sub.page.route, pathname))

/** Whether a person may open this address, as the menu has it; administrators may open all. */
export function mayOpen(pathname: string, person: Person): boolean {
  if (platformPages.some(({ route }) => isBelow(route, pathname))) return person.Platform === true
  return (
    person.Roles.IsAdministrators || menuOf(person).some(({ subs }) => subs.some(({ page }) => isBelow(page.route, pathname)))
  )
}

/** Where a person begins: with the live page, else with the first of their own that is there; null: no page was granted. */
export function startOf(person: Person): string | null {
  if (mayOpen(paths.realtime, person)) return paths.realtime
  const sections = menuOf(person)
  return (sections.find(({ underDevelopment }) => !underDevelopment) ?? sections[0])?.redirect ?? null
}

/** Every route behind the frame, whoever may open it. */
export const everyRoute: readonly string[] = [
  ...ordinaryPages.map(({ route }) => route),
  ...platformPages.map(({ route }) => route),
]

const isBelow = (route: string, pathname: string): boolean => pathname === route || pathname.startsWith(`${route}/`)

function sectionOf(page: Page, allowed: readonly Page[]): MenuItem {
  // Whoever may open the reports gets each of them.
  const subs = allowed.flatMap((sub) => (sub.key === 'system.report' ? reportPages.map(leaf) : [leaf(sub)]))
  const first = subs.find(({ underDevelopment }) => !underDevelopment) ?? subs[0]
  return {
    page,
    redirect: first?.redirect ?? page.route,
    underDevelopment: subs.every(({ underDevelopment }) => underDevelopment),
    subs,
  }
}

function leaf(page: Page): MenuItem {
  return { page, redirect: page.route, underDevelopment: !Object.hasOwn(builtPages, page.route), subs: [] }
}

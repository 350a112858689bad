import type { Page, UserInfo } from '@linewarden/contract'
import { ordinaryPages, pages, platformPages, reportPages } from '@linewarden/contract'

export type Person = Pick<UserInfo, 'Roles' | 'ExtraRoute'> & { readonly Platform?: boolean }

/** A section of the menu with those of its pages that a person may open. */
export interface PermittedSection {
  readonly page: Page
  readonly subs: readonly Page[]
}

/**
 * What a person may open: every page for an administrator, else those whose label their role holds, with the children that its Subs
 * name; the report section is kept whole. A section of which nothing may be opened is none. Configured accounts find one more page at position 4.
 */
export function permittedSections({ Roles, ExtraRoute, Platform }: Person): readonly PermittedSection[] {
  const sections = (pages as readonly Page[]).flatMap((page): PermittedSection[] => {
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

/** Whether a person may open this address, as the menu has it; administrators may open all. */
export function mayOpen(pathname: string, person: Person): boolean {
  if (platformPages.some(({ route }) => isBelow(route, pathname))) return person.Platform === true
  return (
    person.Roles.IsAdministrators ||
    permittedSections(person).some(({ subs }) => subs.some(({ route }) => isBelow(route, pathname)))
  )
}

export const isBelow = (route: string, pathname: string): boolean => pathname === route || pathname.startsWith(`${route}/`)

/** Whoever may open the reports gets each of them. */
const sectionOf = (page: Page, allowed: readonly Page[]): PermittedSection => ({
  page,
  subs: allowed.flatMap((sub): readonly Page[] => (sub.key === 'system.report' ? reportPages : [sub])),
})

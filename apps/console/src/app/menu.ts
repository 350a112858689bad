import type { Page, UserInfo } from '@linewarden/contract'
import { pages } from '@linewarden/contract'
import { paths } from '../paths.ts'

export interface MenuItem {
  readonly page: Page
  /** Not built yet: a click says so. */
  readonly underDevelopment: boolean
  readonly subs: readonly MenuItem[]
}

const built: ReadonlySet<string> = new Set([paths.realtime])

/** The menu a person gets: every page for an administrator, else those whose label their role holds; reports are kept whole. */
export function menuOf({ Roles }: Pick<UserInfo, 'Roles'>): readonly MenuItem[] {
  return (pages as readonly Page[]).flatMap((page) => {
    const granted = Roles.Privileges.find((each) => each.Name === page.name.zh)
    if (!Roles.IsAdministrators && !granted) return []
    const allowed = (page.subs ?? []).filter(
      (sub) => Roles.IsAdministrators || granted?.Subs.some((each) => each.Name === sub.name.zh),
    )
    const subs = allowed.map((sub): MenuItem => ({ page: sub, underDevelopment: !built.has(sub.route), subs: [] }))
    return [{ page, underDevelopment: subs.every((sub) => sub.underDevelopment), subs }]
  })
}

import type { Family } from '@linewarden/equipment'
import { useSearchParams } from 'react-router'

const drawerTabs = ['live', 'commands', 'tags', 'trips', 'events'] as const
export type DrawerTab = (typeof drawerTabs)[number]

/** The tabs of a line's drawer: nothing that its family has nothing of. */
export const tabsOf = (family: Family): readonly DrawerTab[] =>
  drawerTabs.filter((tab) => {
    if (tab === 'commands') return family.actions.length > 0
    if (tab === 'tags') return isTagged(family)
    return tab !== 'trips' || isOperable(family)
  })

export const isOperable = (family: Family | null): boolean => family?.actions.some(({ key }) => key === 'trip') === true

/** Whether a tag on it can block anything. */
export const isTagged = ({ actions, settings }: Family): boolean => actions.length > 0 || settings.length > 0

/** Which of them is open, held by the address; the first one where it says none of them. */
export function useDrawerTab(tabs: readonly DrawerTab[]): [DrawerTab, (to: DrawerTab) => void] {
  const [query, setQuery] = useSearchParams()
  const asked = query.get('tab')
  const choose = (to: DrawerTab) =>
    setQuery(
      (before) => {
        if (to === 'live') before.delete('tab')
        else before.set('tab', to)
        return before
      },
      { replace: true },
    )
  return [tabs.find((tab) => tab === asked) ?? 'live', choose]
}

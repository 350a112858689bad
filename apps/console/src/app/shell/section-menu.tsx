import type { ReactNode } from 'react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { localised } from '../../ui/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import { toast } from '../notify/toasts.tsx'
import type { MenuItem } from './menu.ts'
import { isIn } from './menu.ts'
import { iconOf } from './menu-icons.ts'
import { withSelection } from './tree-pages.ts'
import { useMenu } from './use-menu.ts'

/**
 * The pages of the section the person is in. A narrow page has no room for the top menu: there the sections stand above, and each shows its
 * pages before one of them is chosen.
 */
export function SectionMenu({
  counts,
  onChoose,
}: {
  /** By routes of pages. */
  counts: Readonly<Record<string, ReactNode>>
  onChoose: () => void
}) {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const [asked, setAsked] = useState<string | null>(null)
  const pagesId = useId()
  const menu = useMenu()
  const section = menu.find(({ page }) => page.key === asked) ?? menu.find((item) => isIn(item, pathname))
  const choose = ({ underDevelopment, redirect }: MenuItem) => {
    if (underDevelopment) {
      toast('info', t('wip'))
      return
    }
    navigate(withSelection(redirect))
    onChoose()
  }
  return (
    <>
      <nav className="sections" aria-label={t('menu')}>
        {menu.map(({ page, underDevelopment }) => (
          <button
            type="button"
            key={page.key}
            aria-expanded={page === section?.page}
            aria-controls={pagesId}
            onClick={() => (underDevelopment ? toast('info', t('wip')) : setAsked(page.key))}
          >
            <Icon name={iconOf(page)} />
            {localised(page.name)}
          </button>
        ))}
      </nav>
      {section && (
        <nav className="section" id={pagesId} aria-label={t('section')}>
          {section.subs.map((item) => (
            <button
              type="button"
              key={item.page.key}
              aria-current={pathname.startsWith(item.page.route) ? 'page' : undefined}
              onClick={() => choose(item)}
            >
              <Icon name={iconOf(item.page)} />
              {localised(item.page.name)}
              {counts[item.page.route]}
            </button>
          ))}
        </nav>
      )}
    </>
  )
}

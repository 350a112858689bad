import { setLanguage } from '@linewarden/contract'
import type { ReactNode, RefObject } from 'react'
import { useContext } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { paths } from '../../paths.ts'
import { span } from '../../ui/format.ts'
import { changeLanguage, language, localised } from '../../ui/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import { useNow } from '../../ui/use-now.ts'
import { api, briefly } from '../net/api.ts'
import { useConnectivity } from '../net/connectivity.ts'
import { silentFor, useLiveLink } from '../net/live-link.ts'
import { toast } from '../notify/toasts.tsx'
import { useSession } from '../session/session.ts'
import { BrandLogo } from './brand-logo.tsx'
import { brandName, useBranding } from './branding.ts'
import type { MenuItem } from './menu.ts'
import { isIn } from './menu.ts'
import { iconOf } from './menu-icons.ts'
import { toggleTheme } from './theme.ts'
import { withSelection } from './tree-pages.ts'
import { BuiltPages, useMenu } from './use-menu.ts'

/** Logo, top menu, and what concerns the person rather than the plant. */
export function Header({
  sideId,
  sideOpen,
  sideButton,
  onSide,
  tools,
  own,
}: {
  /** The side of the page, which a narrow one opens from here. */
  sideId: string
  sideOpen: boolean
  sideButton: RefObject<HTMLButtonElement | null>
  onSide: () => void
  /** What the areas put beside language and theme. */
  tools: ReactNode
  /** What concerns the person who is signed in. */
  own: ReactNode
}) {
  const { t } = useTranslation()
  const user = useSession((state) => state.user)
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const company = brandName(useBranding())
  const built = useContext(BuiltPages)
  const menu = useMenu()
  if (!user) return null
  const go = (item: MenuItem) => (item.underDevelopment ? toast('info', t('wip')) : navigate(withSelection(item.redirect)))
  const openBigScreen = () => (built.has(paths.bigScreen) ? navigate(paths.bigScreen) : toast('info', t('wip')))
  const switchLanguage = async () => {
    const to = language() === 'CN' ? 'EN' : 'CN'
    await api.call(setLanguage, { body: { Language: to } }, briefly).catch(() => {})
    changeLanguage(to)
  }
  return (
    <header className="top">
      {menu.length > 0 && (
        <button
          type="button"
          className="btn quiet burger"
          aria-label={t('menuButton')}
          aria-expanded={sideOpen}
          aria-controls={sideId}
          ref={sideButton}
          onClick={onSide}
        >
          <Icon name={sideOpen ? 'close' : 'menu'} />
        </button>
      )}
      <span className="brand">
        <BrandLogo />
        {company !== '' && <bdi className="company">{company}</bdi>}
      </span>
      <nav className="menu" aria-label={t('menu')}>
        {menu.map((item) => (
          <button
            type="button"
            key={item.page.key}
            aria-current={isIn(item, pathname) ? 'page' : undefined}
            onClick={() => go(item)}
          >
            <Icon name={iconOf(item.page)} />
            {localised(item.page.name)}
          </button>
        ))}
      </nav>
      <div className="tools">
        <LinkState />
        <button type="button" className="btn quiet lang" aria-label={`中/EN ${t('language')}`} onClick={switchLanguage}>
          <span className={language() === 'CN' ? 'now' : undefined}>中</span>/
          <span className={language() === 'EN' ? 'now' : undefined}>EN</span>
        </button>
        <button type="button" className="btn quiet" aria-label={t('theme')} title={t('theme')} onClick={toggleTheme}>
          <Icon name="theme" />
        </button>
        {tools}
        <button
          type="button"
          className="btn quiet wall"
          aria-label={t('bigScreen')}
          title={t('bigScreen')}
          onClick={openBigScreen}
        >
          <Icon name="screen" />
          <span className="word">{t('bigScreen')}</span>
        </button>
        <span className="rule" />
        {own}
      </div>
    </header>
  )
}

function LinkState() {
  const { t } = useTranslation()
  const link = useLiveLink((state) => state.link)
  const isAway = useConnectivity(({ awaySince }) => awaySince !== null)
  // The poll refreshes only where it is answered.
  const words = { open: t('linkOpen'), connecting: t('linkConnecting'), closed: isAway ? t('linkAway') : t('linkClosed') }
  return (
    <span className="link-state" title={words[link]}>
      <span className={`link ${link}`} role="status">
        <i />
        <span>{words[link]}</span>
      </span>
      {link === 'open' && <LinkAge />}
    </span>
  )
}

/** How long ago the server was heard. It changes every second: nobody is to have it read out. */
function LinkAge() {
  const { t } = useTranslation()
  useNow()
  return (
    <span className="age" aria-hidden="true" title={t('linkAge')}>
      {span(silentFor())}
    </span>
  )
}

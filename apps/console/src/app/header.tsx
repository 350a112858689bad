import { logout, setLanguage } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { changeLanguage, language, said } from '../texts/i18n.ts'
import type { IconName } from '../ui/icon.tsx'
import { Icon } from '../ui/icon.tsx'
import { Logo } from '../ui/logo.tsx'
import { api } from './api.ts'
import { useLiveLink } from './live-link.ts'
import type { MenuItem } from './menu.ts'
import { isIn, menuOf } from './menu.ts'
import { clearPopUps, usePopUps } from './pop-ups.tsx'
import { end, useSession } from './session.ts'
import { toggleTheme } from './theme.ts'
import { toast } from './toasts.tsx'

const icons: Readonly<Record<string, IconName>> = {
  devmon: 'monitor',
  timer: 'clock',
  hazard: 'shield',
  energy: 'energy',
  system: 'gear',
}

/** Logo, top menu, and what concerns the person rather than the plant. */
export function Header({ onMenu }: { onMenu: () => void }) {
  const { t } = useTranslation()
  const user = useSession((state) => state.user)
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const open = usePopUps((state) => state.open.length)
  if (!user) return null
  const go = (item: MenuItem) => (item.underDevelopment ? toast('info', t('wip')) : navigate(item.redirect))
  const other = language() === 'CN' ? 'EN' : '中文'
  const switchLanguage = async () => {
    const to = language() === 'CN' ? 'EN' : 'CN'
    await api.call(setLanguage, { body: { Language: to } }).catch(() => {})
    changeLanguage(to)
  }
  return (
    <header className="top">
      <button type="button" className="btn quiet burger" aria-label={t('openMenu')} onClick={onMenu}>
        <Icon name="menu" />
      </button>
      <span className="brand">
        <Logo />
      </span>
      <nav className="menu" aria-label={t('menu')}>
        {menuOf(user).map((item) => (
          <button
            type="button"
            key={item.page.key}
            aria-current={isIn(item, pathname) ? 'page' : undefined}
            onClick={() => go(item)}
          >
            <Icon name={icons[item.page.key] ?? 'monitor'} />
            {said(item.page.name)}
          </button>
        ))}
      </nav>
      <div className="tools">
        <LinkState />
        <button type="button" className="btn quiet" aria-label={`${other} ${t('language')}`} onClick={switchLanguage}>
          {other}
        </button>
        <button type="button" className="btn quiet" aria-label={t('theme')} title={t('theme')} onClick={toggleTheme}>
          <Icon name="theme" />
        </button>
        <button
          type="button"
          className="btn quiet"
          onClick={clearPopUps}
          disabled={open === 0}
          aria-label={t('clearPopups')}
          title={t('clearPopups')}
        >
          <Icon name="pops" />
          {open > 0 && <span className="count">{open}</span>}
        </button>
        <UserMenu name={user.NickName || user.UserName} userId={user.UserID} />
      </div>
    </header>
  )
}

function LinkState() {
  const { t } = useTranslation()
  const link = useLiveLink((state) => state.link)
  const words = { open: t('linkOpen'), connecting: t('linkConnecting'), closed: t('linkClosed') }
  return (
    <span className={`link ${link}`} role="status">
      <i />
      {words[link]}
    </span>
  )
}

function UserMenu({ name, userId }: { name: string; userId: string }) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const signOut = async () => {
    await api.call(logout, { body: { UserID: userId } }).catch(() => {})
    end()
  }
  return (
    <div
      className="user"
      role="group"
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') setOpen(false)
      }}
    >
      <button type="button" className="btn quiet" aria-haspopup="menu" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span className="avatar" aria-hidden="true">
          {name.slice(0, 1).toUpperCase()}
        </span>
        {name}
        <Icon name="down" />
      </button>
      {open && (
        <div className="drop" role="menu">
          <button type="button" role="menuitem" onClick={signOut}>
            {t('signOut')}
          </button>
        </div>
      )}
    </div>
  )
}

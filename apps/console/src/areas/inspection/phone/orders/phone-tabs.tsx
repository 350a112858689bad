import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { mayOpen } from '../../../../app/session/permitted-pages.ts'
import { useSession } from '../../../../app/session/session.ts'
import { paths } from '../../../../paths.ts'

/** Rounds and orders: what somebody carries on this phone. Without the server it is not known what they may open; theirs is what is kept. */
export function PhoneTabs() {
  const { t } = useTranslation('phoneOrders')
  const { pathname } = useLocation()
  const user = useSession((session) => session.user)
  const tabs = [
    { to: paths.phoneRounds, of: paths.rounds, name: t('rounds') },
    { to: paths.phoneOrders, of: paths.workOrders, name: t('orders') },
  ].filter(({ of }) => !user || mayOpen(of, user))
  if (tabs.length < 2) return null
  return (
    <nav className="phone-tabs" aria-label={t('tabs')}>
      {tabs.map(({ to, name }) => (
        <Link key={to} to={to} className="btn" aria-current={pathname === to ? 'page' : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  )
}

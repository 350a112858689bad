import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { said } from '../texts/i18n.ts'
import type { IconName } from '../ui/icon.tsx'
import { Icon } from '../ui/icon.tsx'
import { isIn, menuOf } from './menu.ts'
import { useSession } from './session.ts'
import { toast } from './toasts.tsx'
import { withSelection } from './tree-pages.ts'

const icons: Readonly<Record<string, IconName>> = {
  'hazard.patrol': 'check',
  'hazard.alarmList': 'warning',
  'hazard.analysis': 'chart',
  'hazard.devTest': 'shield',
  'hazard.workorder': 'edit',
  'timer.list': 'clock',
  'timer.log': 'clock',
  'report.deviceData': 'columns',
  'report.powerReport': 'energy',
  'energy.energy': 'energy',
  'system.geteway': 'gateway',
  'system.users': 'user',
  'system.roles': 'lock',
  'devmon.realtime': 'monitor',
  'devmon.hisdata': 'chart',
  'devmon.faultalarm': 'warning',
  'devmon.params': 'sliders',
}

/** The pages of the section the person is in. */
export function SectionMenu() {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const user = useSession((state) => state.user)
  const section = user && menuOf(user).find((item) => isIn(item, pathname))
  if (!section) return null
  return (
    <nav className="section" aria-label={t('section')}>
      {section.subs.map(({ page, redirect, underDevelopment }) => (
        <button
          type="button"
          key={page.key}
          aria-current={pathname.startsWith(page.route) ? 'page' : undefined}
          onClick={() => (underDevelopment ? toast('info', t('wip')) : navigate(withSelection(redirect)))}
        >
          <Icon name={icons[page.key] ?? 'page'} />
          {said(page.name)}
        </button>
      ))}
    </nav>
  )
}

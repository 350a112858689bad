import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Outlet, useLocation, useSearchParams } from 'react-router'
import { EquipmentTree } from '../areas/monitor/equipment-tree.tsx'
import { useEventPoll } from '../areas/monitor/queries.ts'
import { rememberSelection } from '../areas/monitor/selection.ts'
import { hasTree } from '../paths.ts'
import { areas } from '../texts/areas.ts'
import { addTexts } from '../texts/i18n.ts'
import { brandTitle, useBranding } from './branding.ts'
import { DownloadStrip } from './download-strip.tsx'
import { Header } from './header.tsx'
import { useLive } from './live-link.ts'
import { OfflineBanner } from './offline-banner.tsx'
import { PopUps } from './pop-ups.tsx'
import { Progress } from './progress.tsx'
import { Prove } from './prove.tsx'
import { SectionMenu } from './section-menu.tsx'
import { hasCompany } from './session.ts'
import './shell.css'

addTexts(areas)

/** The frame of every page: top bar, section menu and equipment tree at the side, the page, pop-ups over it. */
export function Shell() {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const [query] = useSearchParams()
  const selected = query.get('at') ?? ''
  const [sideOpen, setSideOpen] = useState(false)
  const title = brandTitle(useBranding())
  useLive()
  useEventPoll()
  useEffect(() => {
    document.title = title ?? (hasCompany() ? t('name') : t('plainName'))
    scrollTo(0, 0)
    if (pathname) setSideOpen(false)
  }, [pathname, title, t])
  useEffect(() => {
    if (hasTree(pathname)) rememberSelection(selected)
  }, [pathname, selected])
  return (
    <div className={sideOpen ? 'shell side-open' : 'shell'}>
      <Header onMenu={() => setSideOpen(!sideOpen)} />
      <OfflineBanner />
      <aside className="side">
        <SectionMenu />
        {hasTree(pathname) && <EquipmentTree onChoose={() => setSideOpen(false)} />}
      </aside>
      <Outlet />
      <DownloadStrip />
      <PopUps />
      <Progress />
      <Prove />
    </div>
  )
}

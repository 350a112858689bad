import { Suspense, useEffect, useId } from 'react'
import { Outlet, useLocation, useSearchParams } from 'react-router'
import { PopUps } from '../../areas/alarm/pop-ups.tsx'
import { useUnacknowledgedList } from '../../areas/alarm/unacknowledged.ts'
import { areas } from '../../areas/texts.ts'
import { hasTree } from '../../paths.ts'
import { useEventPoll } from '../../plant/queries.ts'
import { rememberSelection } from '../../plant/selection.ts'
import { EquipmentTree } from '../../plant/tree/equipment-tree.tsx'
import { addTexts } from '../../ui/i18n.ts'
import { lazyPart } from '../net/lazy-part.tsx'
import { useLive, useLiveLink } from '../net/live-link.ts'
import { DownloadStrip } from '../notify/download-strip.tsx'
import { OfflineBanner } from '../notify/offline-banner.tsx'
import { Progress } from '../notify/progress.tsx'
import { Prove } from '../session/prove.tsx'
import { useSession } from '../session/session.ts'
import { brandTitle, useBranding } from './branding.ts'
import { Header } from './header.tsx'
import { SectionMenu } from './section-menu.tsx'
import { useSide } from './use-side.ts'
import '../../ui/page.css'
import './shell.css'

addTexts(areas)

/** The frame of every page: top bar, section menu and equipment tree at the side, the page, pop-ups over it. */
export function Shell() {
  const { pathname } = useLocation()
  const [query] = useSearchParams()
  const selected = query.get('at') ?? ''
  const side = useSide(pathname)
  const sideId = useId()
  const title = brandTitle(useBranding())
  const { user } = useSession()
  useLive()
  useEventPoll()
  useUnacknowledgedList(useLiveLink(({ link }) => link !== 'open'))
  useEffect(() => {
    document.title = title
    if (pathname) scrollTo(0, 0)
  }, [pathname, title])
  useEffect(() => {
    if (hasTree(pathname)) rememberSelection(selected)
  }, [pathname, selected])
  return (
    <div className={side.open ? 'shell side-open' : 'shell'}>
      <Header sideId={sideId} sideOpen={side.open} sideButton={side.button} onSide={side.toggle} />
      <div className="notices">
        <OfflineBanner />
        {user && user.Exposures.length > 0 && (
          <Suspense>
            <ExposureLine exposures={user.Exposures} userId={user.UserID} />
          </Suspense>
        )}
      </div>
      <aside className="side" id={sideId} ref={side.side}>
        {/* Each time it is opened it begins with the section the person is in. */}
        <SectionMenu key={String(side.open)} onChoose={side.close} />
        {hasTree(pathname) && <EquipmentTree onChoose={side.close} />}
      </aside>
      <Outlet />
      <DownloadStrip />
      <PopUps />
      <Progress />
      <Prove />
    </div>
  )
}

const ExposureLine = lazyPart(async () => (await import('../notify/exposure-line.tsx')).ExposureLine)

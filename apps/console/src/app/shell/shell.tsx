import type { ReactNode } from 'react'
import { Suspense, useEffect, useId } from 'react'
import { Outlet, useLocation, useSearchParams } from 'react-router'
import { hasTree } from '../../paths.ts'
import { rememberSelection } from '../../plant/selection.ts'
import { EquipmentTree } from '../../plant/tree/equipment-tree.tsx'
import { lazyPart } from '../net/lazy-part.tsx'
import type { LiveListener } from '../net/live-link.ts'
import { useLive } from '../net/live-link.ts'
import { DownloadStrip } from '../notify/download-strip.tsx'
import { OfflineBanner } from '../notify/offline-banner.tsx'
import { Progress } from '../notify/progress.tsx'
import { useSession } from '../session/session.ts'
import { brandTitle, useBranding } from './branding.ts'
import { Header } from './header.tsx'
import { SectionMenu } from './section-menu.tsx'
import { useSide } from './use-side.ts'
import '../../ui/page.css'
import './shell.css'
import './shell-narrow.css'

/** What the areas put into the frame; none of it changes while the frame is there. */
export interface ShellParts {
  readonly live: readonly LiveListener[]
  /** In the top bar, beside language and theme. */
  readonly tools: ReactNode
  /** At the end of the top bar: what concerns the person who is signed in. */
  readonly own: ReactNode
  /** Beside the names of pages, by their routes: how much waits there. */
  readonly counts: Readonly<Record<string, ReactNode>>
  /** In lines above every page: what is wrong with the installation itself. */
  readonly notices: ReactNode
  /** Over every page. */
  readonly over: ReactNode
}

/** The frame of every page: top bar, section menu and equipment tree at the side, the page, and what the areas put over it. */
export function Shell({ live, tools, own, counts, notices, over }: ShellParts) {
  const { pathname } = useLocation()
  const [query] = useSearchParams()
  const selected = query.get('at') ?? ''
  const side = useSide(pathname)
  const sideId = useId()
  const title = brandTitle(useBranding())
  const { user } = useSession()
  useLive(live)
  useEffect(() => {
    document.title = title
    if (pathname) scrollTo(0, 0)
  }, [pathname, title])
  useEffect(() => {
    if (hasTree(pathname)) rememberSelection(selected)
  }, [pathname, selected])
  return (
    <div className={side.open ? 'shell side-open' : 'shell'}>
      <Header sideId={sideId} sideOpen={side.open} sideButton={side.button} onSide={side.toggle} tools={tools} own={own} />
      <div className="notices">
        <OfflineBanner />
        {user && user.Exposures.length > 0 && (
          <Suspense>
            <ExposureLine exposures={user.Exposures} userId={user.UserID} />
          </Suspense>
        )}
        <Suspense>{notices}</Suspense>
      </div>
      <aside className="side" id={sideId} ref={side.side}>
        {/* Each time it is opened it begins with the section the person is in. */}
        <SectionMenu key={String(side.open)} counts={counts} onChoose={side.close} />
        {hasTree(pathname) && <EquipmentTree onChoose={side.close} />}
      </aside>
      <Outlet />
      <DownloadStrip />
      <Progress />
      {over}
    </div>
  )
}

const ExposureLine = lazyPart(async () => (await import('../notify/exposure-line.tsx')).ExposureLine)

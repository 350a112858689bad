import { getTopology } from '@linewarden/contract'
import { useEffect } from 'react'
import { Outlet } from 'react-router'
import { frame } from '../../app/frame-texts.ts'
import { keyOf } from '../../app/net/keys.ts'
import type { LiveListener } from '../../app/net/live-link.ts'
import { useLive } from '../../app/net/live-link.ts'
import { refreshSoon } from '../../app/net/refresh-soon.ts'
import { brandTitle, useBranding } from '../../app/shell/branding.ts'
import { plantLive } from '../../plant/live.ts'
import { addTexts } from '../../ui/i18n.ts'
import { useKeptPicture } from './keep-picture.ts'
import { LinkPages } from './link-pages.ts'
import { useWallLink } from './links/show-link.ts'
import { screen } from './texts.ts'
import { useRemote } from './use-remote.ts'
import { wallEventsLive } from './wall-events.ts'
import { WallPage } from './wall-panel.tsx'
import './wall.css'

addTexts({ app: frame, screen })

const topologyLive: LiveListener = {
  onLive: ({ t }) => {
    if (t === 'tree') refreshSoon(keyOf(getTopology), 300)
  },
}

const listeners = [plantLive, topologyLive, wallEventsLive]

/** What stands around a wall: the live link and nothing else. No menu, no tree, nothing that could pop up. */
export function WallRoot() {
  const title = brandTitle(useBranding())
  useLive(listeners)
  useRemote()
  useKeptPicture()
  const link = useWallLink((state) => state.link)
  useEffect(() => {
    document.title = title
  }, [title])
  return (
    <WallPage>
      {link && <LinkPages link={link} />}
      <Outlet />
    </WallPage>
  )
}

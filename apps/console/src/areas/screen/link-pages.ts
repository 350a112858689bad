import type { ScreenView } from '@linewarden/contract'
import type { Carousel } from '@linewarden/rules/screen'
import { carouselAtStart, turned } from '@linewarden/rules/screen'
import { useEffect, useMemo, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useByNow } from '../../ui/use-now.ts'
import { linkTurns, pageOfCall } from './link-turns.ts'
import { useWallCalls } from './wall-calls.ts'
import { useWallEvents } from './wall-events.ts'

/** Turns the pages of the link that opened this wall (轮播). What somebody opened by hand is not taken away: it goes back by itself. It draws nothing. */
export function LinkPages({ link }: { link: ScreenView['Link'] }): null {
  const navigate = useNavigate()
  const { pathname, state } = useLocation()
  const isOpened = (state as { readonly opened?: boolean } | null)?.opened === true
  const { events } = useWallEvents()
  const { takeover } = useWallCalls()
  const course = useRef<Carousel>(carouselAtStart)
  const pages = useMemo(() => linkTurns(link.Pages, events), [link, events])
  const next = useByNow((now) => {
    if (link.Pages.length === 0) return ''
    const pinned = takeover && pageOfCall(link.Pages, takeover.event)
    if (pinned !== null && !link.Pages.includes(pinned)) return pinned
    course.current = turned(course.current, { pages, now, dwellMs: link.DwellS * 1_000, pinned })
    return course.current.shown ?? ''
  })
  useEffect(() => {
    if (next !== '' && next !== pathname && !isOpened) navigate(next, { replace: true })
  }, [next, pathname, isOpened, navigate])
  return null
}

import type { Carousel, TurnPage } from '@linewarden/rules/screen'
import { carouselAtStart, turned } from '@linewarden/rules/screen'
import { useRef, useState } from 'react'
import { serverNow, useByNow } from '../../ui/use-now.ts'

/** A page stays so long before the next one takes its place, and one that somebody turned to so long. */
const dwellMs = 20_000
const turnedMs = 60_000

/** The page of now, and how somebody turns to another. `pinned`: the key of the page of an event that calls. */
export function useTurning(
  pages: readonly TurnPage[],
  pinned: string | null,
): { readonly shown: number; turn(to: number): void } {
  const [chosen, setChosen] = useState<{ readonly page: number; readonly at: number } | null>(null)
  const course = useRef<Carousel>(carouselAtStart)
  // Asked again of the same moment it answers the same.
  const shown = useByNow((now) => {
    course.current = turned(course.current, { pages, now, dwellMs, pinned })
    const key = course.current.shown
    if (pinned === null && chosen && now - chosen.at < turnedMs) return Math.min(chosen.page, pages.length - 1)
    return Math.max(
      0,
      pages.findIndex((page) => page.key === key),
    )
  })
  const turn = (to: number) => setChosen({ page: (to + pages.length) % Math.max(1, pages.length), at: serverNow() })
  return { shown, turn }
}

import { useEffect } from 'react'
import { keepPicture } from '../../app/offline/wall-picture.ts'
import { useSession } from '../../app/session/session.ts'
import { serverNow } from '../../ui/use-now.ts'

const everyMs = 30_000

/** Keeps what a wall shows, as long as that is of now: loaded while the server is away it has something to show. */
export function useKeptPicture(): void {
  useEffect(() => {
    const timer = setInterval(keep, everyMs)
    return () => clearInterval(timer)
  }, [])
}

function keep(): void {
  const shown = document.querySelector<HTMLElement>('.wall.live')
  const timeZone = shown?.querySelector<HTMLElement>('.wall-head')?.dataset.zone
  if (!shown || !timeZone) return
  const { userId: account } = useSession.getState()
  // A device that keeps nothing shows nothing when it is loaded without the server: the page says so then.
  keepPicture({ account, at: serverNow(), timeZone, html: pictureOf(shown) }).catch(() => {})
}

/** What is drawn, without what leads anywhere. */
function pictureOf(shown: HTMLElement): string {
  const copy = shown.cloneNode(true) as HTMLElement
  for (const each of copy.querySelectorAll('[href], [id]')) {
    each.removeAttribute('href')
    each.removeAttribute('id')
  }
  return copy.outerHTML
}

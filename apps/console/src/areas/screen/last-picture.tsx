import { useEffect, useRef, useState } from 'react'
import type { WallPicture } from '../../app/offline/wall-picture.ts'
import { keptPicture } from '../../app/offline/wall-picture.ts'
import { useSession } from '../../app/session/session.ts'
import { Unreachable } from '../../app/session/unreachable.tsx'
import { Loading } from '../../ui/body-state.tsx'
import { useByNow } from '../../ui/use-now.ts'
import { pictureAge } from './picture-age.ts'
import { Stage } from './stage.tsx'
import { StoppedBand } from './stopped-band.tsx'
import './detail.css'
import './diagram.css'
import './event-strip.css'
import './overview.css'
import './supply-path.css'
import './takeover.css'
import './wall.css'

/** An older one says nothing any more. */
const maxAgeMs = 86_400_000

/** A wall that was loaded while the server is away: its last picture, marked as what it is, until the server answers. */
export function LastPicture(props: { busy: boolean; retry: () => void }) {
  const [picture, setPicture] = useState<WallPicture | null | undefined>(undefined)
  useEffect(() => {
    keptPicture().then(setPicture, () => setPicture(null))
  }, [])
  const isOwn = useSession(({ userId }) => picture?.account === userId)
  const isRecent = useByNow((now) => picture != null && now - picture.at < maxAgeMs)
  if (picture === undefined) return <Loading />
  if (picture === null || !isOwn || !isRecent) return <Unreachable {...props} />
  return (
    <Stage>
      <Shown picture={picture} />
    </Stage>
  )
}

function Shown({ picture }: { picture: WallPicture }) {
  const place = useRef<HTMLDivElement>(null)
  const age = useByNow((now) => pictureAge(Math.max(20_000, now - picture.at)))
  useEffect(() => {
    const drawn = new DOMParser().parseFromString(picture.html, 'text/html').body.firstElementChild
    if (!(drawn instanceof HTMLElement)) return
    drawn.classList.replace('live', age)
    place.current?.replaceChildren(document.adoptNode(drawn))
  }, [picture, age])
  return (
    <>
      <div className="kept-picture" ref={place} inert />
      <div className="kept-band">
        <StoppedBand since={picture.at} zone={picture.timeZone} />
      </div>
    </>
  )
}

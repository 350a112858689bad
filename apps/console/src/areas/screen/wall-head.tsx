import type { Project } from '@linewarden/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLiveLink } from '../../app/net/live-link.ts'
import { BrandLogo } from '../../app/shell/brand-logo.tsx'
import { live } from '../../plant/live-store.ts'
import { span } from '../../ui/format.ts'
import { useByNow, useNow } from '../../ui/use-now.ts'
import type { PictureAge } from './picture-age.ts'
import { useDegraded } from './use-degraded.ts'
import { wallClock } from './wall-clock.ts'
import { useWallSound } from './wall-sound.ts'

/** What a wall is of, whether it is of now, and what time it is there. */
export function WallHead({
  title,
  under,
  project,
  age,
  lineIds,
  children,
}: {
  title: string
  under: string
  project: Pick<Project, 'TimeZone'>
  age: PictureAge
  /** Whose newest data the age is of. */
  lineIds: readonly number[]
  children?: ReactNode
}) {
  return (
    <header className="wall-head" data-zone={project.TimeZone}>
      <BrandLogo height={28} />
      <div className="site">
        <h1>{title}</h1>
        <span>{under}</span>
      </div>
      <span className="grow" />
      {children}
      <SoundState />
      <LinkState age={age} lineIds={lineIds} />
      <Clock zone={project.TimeZone} />
    </header>
  )
}

/** A wall that should be heard and is not says so. */
function SoundState() {
  const { t } = useTranslation('screen')
  const isForbidden = useWallSound(({ forbidden }) => forbidden)
  return isForbidden ? <b className="sound-forbidden">{t('soundForbidden')}</b> : null
}

function LinkState({ age, lineIds }: { age: PictureAge; lineIds: readonly number[] }) {
  const { t } = useTranslation(['screen', 'app'])
  const link = useLiveLink((state) => state.link)
  const newest = useByNow((now) => {
    const at = lineIds.reduce((latest, id) => Math.max(latest, live.line(id)?.ReceivedAt ?? 0), 0)
    return at === 0 ? '' : t('newest', { age: span(Math.max(0, now - at)) })
  })
  const isLost = age !== 'live'
  const isDegraded = useDegraded()
  const words = { open: t('linkGood'), connecting: t('linkConnecting'), closed: t('linkPoll') }
  const word = isLost ? t('linkLost') : isDegraded ? t('linkDegraded') : words[link]
  return (
    <div className={isLost || isDegraded ? 'link-state lost' : 'link-state'}>
      <svg viewBox="0 0 32 16" width="32" height="16" aria-hidden="true">
        <path d={isLost ? 'M8 8h4M20 8h4M13 4l6 8M19 4l-6 8' : 'M8 8h16'} />
        <circle cx="5" cy="8" r="4" />
        <circle cx="27" cy="8" r="4" />
      </svg>
      <div>
        <b>{word}</b>
        <span>{newest === '' ? t('newestNever') : newest}</span>
      </div>
    </div>
  )
}

function Clock({ zone }: { zone: string }) {
  const { time, day } = wallClock(useNow(), zone)
  return (
    <div className="clock">
      <b>{time}</b>
      <span>{day}</span>
    </div>
  )
}

import type { ReactNode } from 'react'
import { useEffect, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useConnectivity } from '../../../app/net/connectivity.ts'
import { openKept, useKept } from '../../../app/offline/kept.ts'
import { useOutbox } from '../../../app/offline/outbox.ts'
import { useSession } from '../../../app/session/session.ts'
import { paths } from '../../../paths.ts'
import { Empty, Loading } from '../../../ui/body-state.tsx'
import { span } from '../../../ui/format.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Mark } from '../../../ui/mark.tsx'
import { useNow } from '../../../ui/use-now.ts'
import { WaitingStrip } from './waiting-strip.tsx'
import './phone.css'
import './orders/orders.css'

/** Since when the server is not reached; null: it is. */
const useAwaySince = (): number | null => {
  const since = useConnectivity(({ awaySince }) => awaySince)
  const isAway = useOutbox(({ away }) => away)
  const hasNetwork = useSyncExternalStore(onNetwork, () => navigator.onLine)
  return since ?? (isAway || !hasNetwork ? 0 : null)
}

function onNetwork(listener: () => void): () => void {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

export const useAway = (): boolean => useAwaySince() !== null

/** A page of the phone: one thumb, nothing beside it. It is there without the server, as long as the phone can read what it keeps. */
export function PhoneScreen({
  title,
  back,
  tools,
  foot,
  isWaiting = false,
  children,
}: {
  title: string
  /** Where the arrow leads. */
  back: string
  tools?: ReactNode
  foot?: ReactNode
  /** The page is itself about what waits. */
  isWaiting?: boolean
  children: () => ReactNode
}) {
  const { t } = useTranslation('phoneRounds')
  const state = useKept((kept) => kept.state)
  return (
    <div className="phone-page">
      <header className="phone-bar">
        <Link to={back} className="phone-back" aria-label={t('back')}>
          <Icon name="left" />
        </Link>
        <h1>{title}</h1>
        <span className="grow" />
        {tools}
      </header>
      <OfflineStrip />
      {!isWaiting && <WaitingStrip />}
      {state === 'open' ? (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
          <main className="phone-mid" tabIndex={0}>
            {children()}
          </main>
          {foot && <footer className="phone-act">{foot}</footer>}
        </>
      ) : (
        <main className="phone-mid">
          <NotOpen />
        </main>
      )}
    </div>
  )
}

function NotOpen() {
  const { t } = useTranslation('phoneRounds')
  const state = useKept((kept) => kept.state)
  const userId = useSession((session) => session.userId)
  useEffect(() => {
    if (userId !== '') void openKept(userId)
  }, [userId])
  if (state === 'impossible') return <Empty title={t('needsHttps')} hint={t('needsHttpsHint')} />
  if (state === 'locked')
    return <Empty title={t('locked')} hint={t('lockedHint')} action={{ label: t('again'), run: () => void openKept(userId) }} />
  return <Loading />
}

/** A calm strip, not an error: below ground there is no signal, and that is all. */
function OfflineStrip() {
  const since = useAwaySince()
  return since === null ? null : <Offline since={since} />
}

function Offline({ since }: { since: number }) {
  const { t } = useTranslation('phoneRounds')
  const now = useNow()
  return (
    <div className="phone-offline hatch" role="status">
      <Mark kind="off" />
      <span>{since === 0 ? t('offline') : t('offlineFor', { time: span(now - since) })}</span>
    </div>
  )
}

/** Back to the list of rounds. */
export const toRounds = paths.phoneRounds

import { useTranslation } from 'react-i18next'
import { clockTime } from '../../ui/format.ts'
import { Mark } from '../../ui/mark.tsx'
import { useConnectivity } from '../net/connectivity.ts'
import { reconnect, useLiveLink } from '../net/live-link.ts'
import './offline-banner.css'

/** Says that the server cannot be reached, since when, and what that means for what is on the page. */
export function OfflineBanner() {
  const link = useLiveLink((state) => state.link)
  const awaySince = useConnectivity((state) => state.awaySince)
  if (link === 'open' || awaySince === null) return null
  return <ServerAway since={awaySince} onRetry={reconnect} />
}

export function ServerAway({ since, onRetry }: { since: number; onRetry: () => void }) {
  const { t } = useTranslation()
  return (
    <div className="offline-banner" role="alert">
      <Mark kind="fault" />
      <span>
        <b>{t('serverAway')}</b> {t('serverAwaySince', { time: clockTime(since) })}
      </span>
      <button type="button" className="btn small" onClick={onRetry}>
        {t('retry')}
      </button>
    </div>
  )
}

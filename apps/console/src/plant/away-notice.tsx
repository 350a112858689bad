import type { DeviceLink, GatewayLink } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { clockTime, span } from '../ui/format.ts'
import { Mark } from '../ui/mark.tsx'
import { useNow } from '../ui/use-now.ts'

/** What an absent gateway or device means, and what must not be concluded from it. */
export function AwayNotice({ link }: { link: GatewayLink | DeviceLink }) {
  const { t } = useTranslation('monitor')
  const now = useNow()
  const words =
    'ControllerID' in link
      ? { offline: t('deviceOffline'), stale: t('deviceStale'), never: t('deviceNever'), online: '' }
      : { offline: t('gatewayOffline'), stale: t('gatewayStale'), never: t('gatewayNever'), online: '' }
  return (
    <span className="notice">
      <Mark kind="off" />
      <b>{words[link.Link]}</b>
      <span>
        {link.Since === null
          ? t('neverHint')
          : t('offlineSince', { time: clockTime(link.Since, now), duration: span(now - link.Since) })}
      </span>
    </span>
  )
}

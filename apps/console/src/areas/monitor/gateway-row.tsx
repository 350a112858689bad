import type { Gateway, GatewayLink } from '@linewarden/contract'
import type { KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { clockTime, span } from '../../ui/format.ts'
import { Icon } from '../../ui/icon.tsx'
import { Mark } from '../../ui/mark.tsx'
import { useNow } from '../../ui/use-now.ts'
import { useLink } from './live-store.ts'
import { moveAmongRows } from './move-among-rows.ts'

/** The head of a gateway's lines, and what it means when the gateway is away. */
export function GatewayRow({
  gateway,
  project,
  count,
  folded,
  onFold,
}: {
  gateway: Gateway
  /** The project's name, where the table shows several. */
  project: string | null
  count: number
  folded: boolean
  onFold: () => void
}) {
  const { t } = useTranslation('monitor')
  const link = useLink(gateway.DeviceID) ?? gateway.Link
  const toggle = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'Enter' && event.key !== ' ') return moveAmongRows(event)
    event.preventDefault()
    onFold()
  }
  return (
    <div className={link.Link === 'online' ? 'group' : 'group away'} role="row" aria-label={gateway.GatewayName}>
      <div role="cell">
        <span role="button" tabIndex={0} aria-expanded={!folded} onClick={onFold} onKeyDown={toggle}>
          <Icon name={folded ? 'right' : 'down'} />
          <b title={gateway.GatewayName}>{gateway.GatewayName}</b>
          {project !== null && <span className="mute project">{project}</span>}
          <span className="mute">{gateway.Number}</span>
          <span className="mute">{t('lines', { count })}</span>
        </span>
        {link.Link === 'online' ? <span className="mute">{t('online')}</span> : <AwayNotice link={link} />}
      </div>
    </div>
  )
}

/** What an absent gateway means, and what must not be concluded from it. */
function AwayNotice({ link }: { link: GatewayLink }) {
  const { t } = useTranslation('monitor')
  const now = useNow()
  const words = { offline: t('gatewayOffline'), stale: t('gatewayStale'), never: t('gatewayNever'), online: '' }
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

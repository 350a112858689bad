import type { Gateway } from '@linewarden/contract'
import type { KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { AwayNotice } from '../../plant/away-notice.tsx'
import { useLink } from '../../plant/live-store.ts'
import { Icon } from '../../ui/icon.tsx'
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
          <b title={gateway.GatewayName}>
            <bdi>{gateway.GatewayName}</bdi>
          </b>
          {project !== null && <bdi className="mute project">{project}</bdi>}
          <span className="mute">{gateway.Number}</span>
          <span className="mute">{t('lines', { count })}</span>
        </span>
        {link.Link === 'online' ? <span className="mute">{t('online')}</span> : <AwayNotice link={link} />}
      </div>
    </div>
  )
}

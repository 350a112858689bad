import type { Gateway } from '@linewarden/contract'
import type { KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useConnected } from '../../app/net/live-link.ts'
import { amountOf } from '../../plant/amount.ts'
import { AwayNotice } from '../../plant/away-notice.tsx'
import type { LineRef } from '../../plant/equipment.ts'
import { useLink } from '../../plant/live-store.ts'
import { TaggedMark } from '../../plant/tag-mark.tsx'
import { useTaggedAmong } from '../../plant/tagged-lines.ts'
import { Icon } from '../../ui/icon.tsx'
import { moveAmongRows } from './move-among-rows.ts'

/** The head of a gateway's lines, and what it means when the gateway is away. */
export function GatewayRow({
  gateway,
  project,
  behind,
  lines,
  detectors,
  folded,
  onFold,
}: {
  gateway: Gateway
  /** The project's name, where the table shows several. */
  project: string | null
  /** Its lines and detectors that the table shows. */
  behind: readonly LineRef[]
  lines: number
  detectors: number
  folded: boolean
  onFold: () => void
}) {
  const { t } = useTranslation('monitor')
  // Without the server nobody knows whether it still is.
  const connected = useConnected()
  const link = useLink(gateway.DeviceID) ?? gateway.Link
  const tagged = useTaggedAmong(behind)
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
          <TaggedMark count={tagged} />
          <span className="mute">{gateway.Number}</span>
          <span className="mute">{amountOf(t, lines, detectors)}</span>
        </span>
        {link.Link === 'online' ? (
          <span className={connected ? 'mute' : 'mute old'}>
            {t('online')}{' '}
            {!connected && (
              <i className="quality" title={t('lastKnown')}>
                {t('staleMark')}
              </i>
            )}
          </span>
        ) : (
          <AwayNotice link={link} />
        )}
      </div>
    </div>
  )
}

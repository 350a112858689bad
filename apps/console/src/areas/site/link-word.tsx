import type { GatewayRecord } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { clockTime, span } from '../../ui/format.ts'
import { Mark } from '../../ui/mark.tsx'
import { useNow } from '../../ui/use-now.ts'
import './link-word.css'

/** How a gateway is connected, and since when. Online is grey: nothing is to be done. */
export function LinkWord({ link, since }: { link: GatewayRecord['Link']; since: number | null }) {
  const { t } = useTranslation('gateway')
  const now = useNow()
  return (
    <span className="link-word">
      {link !== 'online' && <Mark kind="off" size={12} />}
      <b className={link === 'online' ? 'normal' : undefined}>{t(link)}</b>
      {since !== null && <span className="mute">{t('since', { time: clockTime(since, now), duration: span(now - since) })}</span>}
    </span>
  )
}

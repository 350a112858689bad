import type { TagRecord } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { useConnected } from '../../app/net/live-link.ts'
import type { LineRef } from '../../plant/equipment.ts'
import { linesOfProject } from '../../plant/equipment.ts'
import { live, useLine, useLivePulse } from '../../plant/live-store.ts'
import { Mark } from '../../ui/mark.tsx'
import { useNow } from '../../ui/use-now.ts'
import { notOpen } from './not-open.ts'

/** Says in red that what is about to be tagged is, or may be, live; `onTrip` leads to opening the line first. */
export function LiveWarning({ lineRef, on, onTrip }: { lineRef: LineRef; on: TagRecord['On']; onTrip: (() => void) | null }) {
  const { t } = useTranslation('operations')
  const now = useNow()
  const connected = useConnected()
  useLivePulse()
  useLine(lineRef.line.LineID)
  const lines = {
    line: () => [lineRef],
    device: () => linesOfProject(lineRef.project).filter(({ device }) => device.ControllerID === lineRef.device.ControllerID),
    gateway: () => linesOfProject(lineRef.project).filter(({ gateway }) => gateway.DeviceID === lineRef.gateway.DeviceID),
  }[on]()
  const { closed, unknown } = notOpen(lines, live, connected, now)
  if (closed + unknown === 0) return null
  return (
    <div className="live-warning" role="alert">
      <Mark kind="alarm" />
      <b>{on !== 'line' ? t('stillLiveBehind', { closed, unknown }) : closed > 0 ? t('stillLive') : t('maybeLive')}</b>
      {on === 'line' && onTrip && (
        <button type="button" className="btn small" onClick={onTrip}>
          {t('tripFirst')}
        </button>
      )}
    </div>
  )
}

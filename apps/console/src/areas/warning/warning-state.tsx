import type { EventRecord } from '@linewarden/contract'
import { isShelved, isUnacknowledged } from '@linewarden/rules/alarm'
import { useTranslation } from 'react-i18next'
import { clockMinute } from '../../ui/format.ts'
import { serverNow } from '../../ui/use-now.ts'

/** Whether somebody has seen it, by shape: a full disc waits for somebody. */
export function WarningState({ event }: { event: EventRecord }) {
  const { t } = useTranslation('warning')
  if (event.Shelved && isShelved(event.Shelved.Until, serverNow()))
    return <span className="warning-state">{t('shelvedUntil', { time: clockMinute(event.Shelved.Until) })}</span>
  if (event.State === 'normal') return <span className="warning-state mute">{t('over')}</span>
  const waits = isUnacknowledged(event.State)
  return (
    <span className={waits ? 'warning-state waits' : 'warning-state'}>
      <i aria-hidden="true" />
      {t(waits ? (event.State === 'returned' ? 'returnedUnacknowledged' : 'unacknowledged') : 'acknowledged')}
    </span>
  )
}

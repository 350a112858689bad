import i18next from 'i18next'
import { toast } from '../../app/notify/toasts.tsx'

/** Says of how many alarms an acknowledgement was not taken because they were raised again meanwhile; they are shown again as they are. */
export function notifyRaisedAgain(count: number): void {
  if (count > 0) toast('refusal', i18next.t('monitor:raisedAgain', { count }))
}

import type { LineState } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { span } from '../ui/format.ts'
import { useNow } from '../ui/use-now.ts'

/** How long ago the equipment last reported how it stands; without its gateway or the server that is the last known. */
export function ConfirmedAge({ state, current }: { state: LineState | undefined; current: boolean }) {
  const { t } = useTranslation('monitor')
  const now = useNow()
  if (!state?.ReceivedAt) return t('neverConfirmed')
  return t(current ? 'confirmedAgo' : 'lastKnownAgo', { age: span(now - Math.max(state.ReceivedAt, state.PositionAt ?? 0)) })
}

import type { SelfTestRecord } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'

/** What was measured, with its limit. */
export function Measured({ test }: { test: SelfTestRecord }) {
  const { t } = useTranslation('operations')
  return <>{test.TripMs === null ? t('noTrip') : t('tripTime', { ms: test.TripMs, limit: test.LimitMs })}</>
}

import type { Linkage } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { useSceneRights } from '../scenes/use-scene-rights.ts'

/** Why a linkage is not run now; null: it can be. */
export function useWhyNotRun({ Enabled, Mode, HaltedAt, State, Whole }: Linkage): string | null {
  const { t } = useTranslation(['linkages', 'scenes'])
  const { connected, shared, maySwitch } = useSceneRights()
  if (!connected) return t('scenes:noConnection')
  if (shared) return t('scenes:sharedOnly')
  if (!maySwitch) return t('scenes:noSwitching')
  if (!Whole) return t('notWhole')
  if (!Enabled || Mode !== 'live' || HaltedAt !== null) return t('notLiveNow')
  return State === 'true' ? null : t('notTrueNow')
}

import type { Linkage } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { useMay, useMayEdit } from '../../../app/session/use-may.ts'

/** Why a person may not change a linkage, or any linkage at all (null); null where they may. */
export type WhyNoChange = (linkage: Linkage | null) => string | null

/** Linkages are for whoever may manage scenes and operate lines, and sees each of their lines. */
export function useNoLinkages(): WhyNoChange {
  const { t } = useTranslation('linkages')
  const mayEdit = useMayEdit()
  const mayManage = useMay('manageScene')
  const maySwitch = useMay('lineSwitch')
  return (linkage) => {
    if (!mayEdit) return t('onlyReads')
    if (!mayManage) return t('noManaging')
    if (!maySwitch) return t('noSwitching')
    return linkage !== null && !linkage.Whole ? t('notWhole') : null
  }
}

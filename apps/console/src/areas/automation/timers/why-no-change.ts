import type { Timer } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { useMay, useMayEdit } from '../../../app/session/use-may.ts'

/** Why a person may not change a timer, or any timer at all (null); null where they may. */
export type WhyNoChange = (timer: Timer | null) => string | null

/** Timers are for whoever may manage them and operate lines, of all of whose lines they see each. */
export function useNoTimers(): WhyNoChange {
  const { t } = useTranslation('timers')
  const mayEdit = useMayEdit()
  const mayManage = useMay('manageTiming')
  const maySwitch = useMay('lineSwitch')
  return (timer) => {
    if (!mayEdit) return t('onlyReads')
    if (!mayManage) return t('noManaging')
    if (!maySwitch) return t('noSwitching')
    return timer !== null && timer.Lines.length < timer.LineCount ? t('linesUnseen') : null
  }
}

import type { Timer } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { useMay, useMayEdit } from '../../../app/session/use-may.ts'

/** Why a person may not save this timer, or any (null); null: they may. The server asks again. */
export function useWhyNoTimers(timer: Timer | null): string | null {
  const { t } = useTranslation('timerForm')
  const mayEdit = useMayEdit()
  const mayManage = useMay('manageTiming')
  const maySwitch = useMay('lineSwitch')
  if (!mayEdit) return t('onlyReads')
  if (!mayManage) return t('noManaging')
  if (!maySwitch) return t('noSwitching')
  return timer !== null && timer.Lines.length < timer.LineCount ? t('linesUnseen') : null
}

import type { HealthCheck } from '@linewarden/contract'
import { cancelHealthCheck } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { callWithToast } from '../../app/net/call-with-toast.ts'
import { change } from '../../app/net/change.ts'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import { useMayEdit } from '../../app/session/use-may.ts'

/** A check that goes on: how far it is, and how to end it. */
export function RunningCheck({ check: { TestID, Done, Lines } }: { check: HealthCheck }) {
  const { t } = useTranslation('healthCheck')
  const mayEdit = useMayEdit()
  return (
    <div className="running-check" role="status">
      <span>{t('running', { done: Done, lines: Lines })}</span>
      <progress aria-label={t('progress')} value={Done} max={Lines} />
      <ReasonedButton
        className="btn small"
        reason={mayEdit ? null : t('readOnly')}
        onClick={() => void callWithToast(change(cancelHealthCheck, { params: { TestID } }))}
      >
        {t('cancel')}
      </ReasonedButton>
    </div>
  )
}

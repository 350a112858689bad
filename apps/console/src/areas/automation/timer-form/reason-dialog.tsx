import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TextField } from '../../../ui/fields.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'

/** Opposite actions on one line may be meant: then somebody says why. */
export function ReasonDialog({
  given,
  onDone,
  onClose,
}: {
  given: string
  onDone: (reason: string) => void
  onClose: () => void
}) {
  const { t } = useTranslation('timerForm')
  const [reason, setReason] = useState(given)
  const [asked, setAsked] = useState(false)
  const isMissing = reason.trim() === ''
  const confirm = async () => {
    setAsked(true)
    if (isMissing) return ''
    onDone(reason.trim())
    return null
  }
  return (
    <FormDialog title={t('reasonTitle')} submit={t('confirm')} onSubmit={confirm} onClose={onClose}>
      <p>{t('reasonWhat')}</p>
      <TextField
        label={t('reason')}
        usual={[t('reasons.shift'), t('reasons.test'), t('reasons.other')]}
        value={reason}
        onChange={setReason}
        maxLength={200}
        required
        autoFocus
        error={asked && isMissing ? t('reasonMissing') : null}
      />
    </FormDialog>
  )
}

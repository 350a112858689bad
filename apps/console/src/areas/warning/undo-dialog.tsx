import type { Warning } from '@linewarden/contract'
import { undoNormalChange } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { change } from '../../app/net/change.ts'
import { errorTextOf } from '../../app/net/error-text.ts'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'

/** It was no normal change after all: the line is compared with what it was before. */
export function UndoDialog({ warning: { Event }, onClose }: { warning: Warning; onClose: () => void }) {
  const { t } = useTranslation(['warning', 'app'])
  const [reason, setReason] = useState('')
  const [asked, setAsked] = useState(false)
  const missing = reason.trim() === ''
  const send = async (): Promise<string | null> => {
    setAsked(true)
    if (missing) return ''
    return errorTextOf(change(undoNormalChange, { params: { EventID: Event.EventID }, body: { Reason: reason.trim() } }))
  }
  return (
    <FormDialog title={t('undoTitle')} submit={t('undoSubmit')} onSubmit={send} onClose={onClose}>
      <p>{t('undoWhat')}</p>
      <TextField
        label={t('app:reason')}
        usual={[t('undoReasons.mistaken'), t('undoReasons.otherLine'), t('undoReasons.worse')]}
        value={reason}
        onChange={setReason}
        maxLength={200}
        required
        error={asked && missing ? t('app:reasonMissing') : null}
      />
    </FormDialog>
  )
}

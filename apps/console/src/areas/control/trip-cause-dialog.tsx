import { recordTripCause } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../app/net/api.ts'
import { change } from '../../app/net/change.ts'
import type { LineRef } from '../../plant/equipment.ts'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'

/** After leakage, short circuit or arc somebody must say what was found, before the line is energised again. */
export function TripCauseDialog({ lineRef: { device, line }, onClose }: { lineRef: LineRef; onClose: () => void }) {
  const { t } = useTranslation(['control', 'app'])
  const [cause, setCause] = useState('')
  const [asked, setAsked] = useState(false)
  const missing = cause.trim() === ''
  const submit = async () => {
    setAsked(true)
    if (missing) return ''
    try {
      await change(recordTripCause, {
        params: { ControllerID: device.ControllerID, LineNo: line.LineNo },
        body: { Cause: cause.trim() },
      })
      return null
    } catch (error) {
      return messageOf(error)
    }
  }
  return (
    <FormDialog title={t('causeTitle')} submit={t('app:save')} onSubmit={submit} onClose={onClose}>
      <TextField
        label={t('causeLabel')}
        usual={t('causes').split('|')}
        value={cause}
        onChange={setCause}
        maxLength={200}
        autoFocus
        required
        error={asked && missing ? t('reasonEmpty') : null}
      />
    </FormDialog>
  )
}

import type { Warning } from '@linewarden/contract'
import { explainWarning } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { change } from '../../app/net/change.ts'
import { errorTextOf } from '../../app/net/error-text.ts'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { dayOf } from '../../ui/format.ts'
import { MomentField } from '../../ui/moment-field.tsx'
import { momentIn } from '../../ui/moment-text.ts'
import { serverNow } from '../../ui/use-now.ts'

/** Somebody knows why it changed, and that it is in order: the line is learnt anew from the day on which it changed. */
export function NormalDialog({ warning: { Event }, onClose }: { warning: Warning; onClose: () => void }) {
  const { t } = useTranslation(['warning', 'app'])
  const today = dayOf(new Date(serverNow()))
  const [from, setFrom] = useState(() => dayOf(new Date(Math.min(Event.RaisedAt, serverNow()))))
  const [reason, setReason] = useState('')
  const [asked, setAsked] = useState(false)
  const day = momentIn('day', from)
  const dayWrong = day === null ? t('dayWrong') : from > today ? t('dayAhead') : null
  const missing = reason.trim() === ''
  const send = async (): Promise<string | null> => {
    setAsked(true)
    if (missing || dayWrong !== null) return ''
    const body = { FromDay: from, Reason: reason.trim() }
    return errorTextOf(change(explainWarning, { params: { EventID: Event.EventID }, body }))
  }
  return (
    <FormDialog title={t('normalTitle')} submit={t('normalSubmit')} onSubmit={send} onClose={onClose}>
      <p>{t('normalWhat')}</p>
      <MomentField
        kind="day"
        label={t('normalFrom')}
        hint={t('normalFromHint')}
        value={from}
        max={Date.parse(`${today}T00:00:00Z`)}
        onChange={setFrom}
        required
        error={asked ? dayWrong : null}
      />
      <TextField
        label={t('app:reason')}
        usual={[t('normalReasons.added'), t('normalReasons.replaced'), t('normalReasons.repaired'), t('normalReasons.season')]}
        value={reason}
        onChange={setReason}
        maxLength={200}
        required
        error={asked && missing ? t('app:reasonMissing') : null}
      />
    </FormDialog>
  )
}

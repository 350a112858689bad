import { CallError } from '@linewarden/client'
import type { Timer } from '@linewarden/contract'
import { switchTimer, timerActOperation } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../../app/net/api.ts'
import { change } from '../../../app/net/change.ts'
import { TextField } from '../../../ui/fields.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { serverNow } from '../../../ui/use-now.ts'
import { useControlGrant } from '../../control/control-grant.tsx'
import { civilText } from '../parts/civil-text.ts'

/** Enabling asks for the control password where there is one: nobody is asked when it fires. Disabling asks only whether it is meant. */
export function SwitchTimerDialog({ timer, onClose }: { timer: Timer; onClose: () => void }) {
  const { t } = useTranslation(['timers', 'automation'])
  const control = useControlGrant({ autoFocus: true })
  // Of the timer as it was when it was pressed: it is read again behind the dialog.
  const [{ TimerID, Version, Name, Enabled: was, Next, TimeZone }] = useState(timer)
  const [reason, setReason] = useState('')
  const [asksWhy, setAsksWhy] = useState(false)
  const [next] = Next
  const save = async () => {
    if (!was && !control.check()) return ''
    try {
      const grant = was ? {} : await control.take(timerActOperation('enable', { TimerID, Version }))
      const why = reason.trim() === '' ? {} : { ConflictReason: reason.trim() }
      await change(switchTimer, { body: { TimerID, Version, Enabled: !was, ...why, ...grant } })
      return null
    } catch (error) {
      control.forget()
      if (isFight(error)) setAsksWhy(true)
      return messageOf(error)
    }
  }
  const when = next && civilText(next.At, TimeZone, serverNow())
  return (
    <FormDialog
      title={t(was ? 'disableTitle' : 'enableTitle', { name: Name })}
      submit={t(was ? 'disable' : 'enable')}
      onSubmit={save}
      onClose={onClose}
    >
      <p>{t(was ? 'disableWhat' : 'enableWhat')}</p>
      {was && next && when && (
        <p>{t('disableNext', { when: `${when.date} ${when.time}`, action: t(`automation:actions.${next.Action}`) })}</p>
      )}
      {asksWhy && <TextField label={t('conflictReason')} value={reason} onChange={setReason} maxLength={200} required />}
      {!was && control.field}
    </FormDialog>
  )
}

/** It is refused until somebody says why it is right all the same. */
function isFight(error: unknown): boolean {
  if (!(error instanceof CallError) || error.problem.kind !== 'refusal') return false
  const { Message, Detail } = error.problem.failure
  const found = Detail?.conflicts
  return (
    Message === 'timer conflict' &&
    Array.isArray(found) &&
    !found.some(({ Effect }: { Effect?: unknown }) => Effect === 'refused')
  )
}

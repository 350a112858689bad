import { CallError } from '@linewarden/client'
import type { Timer, TimerForm } from '@linewarden/contract'
import { getTimer, insertTimer, timerOperation, updateTimer } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, messageOf } from '../../../app/net/api.ts'
import { change } from '../../../app/net/change.ts'
import { useSession } from '../../../app/session/session.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { useControlGrant } from '../../control/control-grant.tsx'
import type { ProblemsByField } from './problems.ts'
import { problemsRefused } from './problems.ts'

export interface Saving {
  readonly house: number
  /** Null: it is a new one. */
  readonly edited: Pick<Timer, 'TimerID' | 'Version'> | null
  readonly form: TimerForm
  readonly reason: string
}

/** Nobody is asked when it fires, so it is asked for now: whose word it is, by the control password where there is one. */
export function SaveDialog({
  saving: { house, edited, form, reason },
  onSaved,
  onRefused,
  onReload,
  onClose,
}: {
  saving: Saving
  onSaved: (timer: Timer) => void
  /** Fields are wrong: the dialog gives way to them. */
  onRefused: (problems: ProblemsByField) => void
  /** What somebody else saved is wanted instead. */
  onReload: () => void
  onClose: () => void
}) {
  const { t } = useTranslation('timerForm')
  const control = useControlGrant({ autoFocus: true })
  const name = useSession(({ user }) => user?.NickName || user?.UserName || '')
  const [version, setVersion] = useState(edited?.Version ?? 0)
  const [isStale, setStale] = useState(false)
  const save = async (): Promise<string | null> => {
    if (!control.check()) return ''
    try {
      const grant = await control.take(timerOperation({ TimerID: edited?.TimerID ?? null, ...form }))
      const why = reason === '' ? {} : { ConflictReason: reason }
      const saved = edited
        ? await change(updateTimer, { body: { TimerID: edited.TimerID, Version: version, ...form, ...why, ...grant } })
        : await change(insertTimer, { body: { HouseID: house, ...form, ...why, ...grant } })
      onSaved(saved)
      return null
    } catch (error) {
      control.forget()
      const problems = problemsRefused(error)
      if (problems.size > 0) {
        onRefused(problems)
        return null
      }
      if (edited && error instanceof CallError && error.message === 'changed meanwhile') {
        // What is saved next time is saved over what was there now, and nothing newer.
        const latest = await api.call(getTimer, { params: { TimerID: edited.TimerID } }).catch(() => null)
        if (latest) setVersion(latest.Version)
        setStale(latest !== null)
      }
      return messageOf(error)
    }
  }
  return (
    <FormDialog title={t('saveAs')} submit={isStale ? t('overTheirs') : t('save')} onSubmit={save} onClose={onClose}>
      <p>{t('saveWhat', { name })}</p>
      {!form.Enabled && <p>{t('saveSkips')}</p>}
      {isStale && (
        <p className="caution">
          <span>{t('changedMeanwhile')}</span>
          <button type="button" className="btn small" onClick={onReload}>
            {t('loadTheirs')}
          </button>
        </p>
      )}
      {control.field}
    </FormDialog>
  )
}

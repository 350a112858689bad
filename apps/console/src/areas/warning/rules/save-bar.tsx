import type { Request, WarningRule, WarningRuleValues } from '@linewarden/contract'
import { restoreWarningRule, updateWarningRule } from '@linewarden/contract'
import type { FormEvent } from 'react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../../app/net/api.ts'
import { change } from '../../../app/net/change.ts'
import { errorTextOf } from '../../../app/net/error-text.ts'
import { refreshNow } from '../../../app/net/query-client.ts'
import { ReasonedButton } from '../../../app/notify/reasoned-button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Mark } from '../../../ui/mark.tsx'

/** Saves a rule, from now on; gives up what was typed; or gives up the rule for the one of the level above. */
export function SaveBar({
  rule,
  house,
  values,
  changes,
  onSaved,
  onDiscard,
}: {
  rule: WarningRule
  house: number | null
  /** Null: something in the form is wrong. */
  values: WarningRuleValues | null
  changes: number
  onSaved: () => void
  onDiscard: () => void
}) {
  const { t } = useTranslation(['warningRules', 'app'])
  const [reason, setReason] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [restoring, setRestoring] = useState(false)
  const isOwn = rule.Origin === (house === null ? 'default' : 'project')
  const which = { ...(house !== null && { HouseID: house }), Key: rule.Key, Version: rule.Version }
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (busy || values === null || changes === 0) return
    setBusy(true)
    setProblem(null)
    try {
      await change(updateWarningRule, { body: { ...which, ...values, ...(reason.trim() !== '' && { Reason: reason.trim() }) } })
      setReason('')
      onSaved()
    } catch (error) {
      // What the other person saved is read at once, so that what was typed stands over it.
      const isMeanwhile = error instanceof Error && error.message === 'changed meanwhile'
      if (isMeanwhile) await refreshNow({ shows: ['warningRules'] })
      setProblem(isMeanwhile ? t('changedMeanwhile') : messageOf(error))
    }
    setBusy(false)
  }
  return (
    <>
      <form className="rule-save" onSubmit={save}>
        {problem !== null && (
          <p className="problem" role="alert">
            <Mark kind="alarm" />
            {problem}
          </p>
        )}
        {changes > 0 && (
          <span className="field why">
            <input
              aria-label={t('why')}
              placeholder={t('why')}
              maxLength={200}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
          </span>
        )}
        <button type="submit" className="btn large primary" disabled={busy || changes === 0 || values === null}>
          {busy ? t('app:sending') : changes > 0 && values === null ? t('correctFirst') : t('save')}
        </button>
        {changes > 0 && (
          <button
            type="button"
            className="btn large"
            disabled={busy}
            onClick={() => {
              setProblem(null)
              onDiscard()
            }}
          >
            {t('discard')}
          </button>
        )}
        <span className="grow" />
        <ReasonedButton
          className="btn large quiet"
          reason={isOwn ? null : t(house === null ? 'isBuiltIn' : 'isDefault')}
          onClick={() => setRestoring(true)}
        >
          {t('restore')}
        </ReasonedButton>
      </form>
      {restoring && <RestoreDialog which={which} onRestored={onDiscard} onClose={() => setRestoring(false)} />}
    </>
  )
}

/** Gives up the rule of this place for the one of the level above. */
function RestoreDialog({
  which,
  onRestored,
  onClose,
}: {
  which: Omit<Request<typeof restoreWarningRule>['body'], 'Reason'>
  onRestored: () => void
  onClose: () => void
}) {
  const { t } = useTranslation('warningRules')
  const restore = async (Reason: string) => {
    const answer = await errorTextOf(change(restoreWarningRule, { body: { ...which, Reason } }))
    if (answer === null) onRestored()
    return answer
  }
  return (
    <ConfirmDialog
      title={t('restore')}
      what={t(which.HouseID === undefined ? 'restoreToBuiltIn' : 'restoreToDefault')}
      submit={t('restore')}
      reasons={[t('restoreReasons.noisy'), t('restoreReasons.over'), t('restoreReasons.mistake')]}
      onConfirm={restore}
      onClose={onClose}
    />
  )
}

import { giveSecondFactor } from '@linewarden/contract'
import type { FormEvent } from 'react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/net/api.ts'
import { Icon } from '../../ui/icon.tsx'
import { codeFrom } from './code-from.ts'
import type { Entry } from './use-entry.ts'

/** The second step: the code of the moment, or a recovery code. */
export function LoginCode({ entry: { busy, enter, showProblem, back }, step }: { entry: Entry; step: string }) {
  const { t } = useTranslation('account')
  const [typed, setTyped] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const Code = codeFrom(typed)
    if (Code === null) return showProblem({ title: t('codeShape'), hint: '' })
    void enter(api.call(giveSecondFactor, { body: { Step: step, Code } }))
  }
  return (
    <form onSubmit={submit} noValidate>
      <label className="label">
        <span>{t('code')}</span>
        <span className="field big code">
          <Icon name="shield" />
          <input
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            autoComplete="one-time-code"
            maxLength={40}
            spellCheck={false}
            autoFocus
          />
        </span>
      </label>
      <p className="mute">{t('codeHint')}</p>
      <button type="submit" className="btn primary go" disabled={busy}>
        {busy ? t('signingIn') : t('signIn')}
      </button>
      <button type="button" className="btn quiet" onClick={back}>
        {t('codeBack')}
      </button>
    </form>
  )
}

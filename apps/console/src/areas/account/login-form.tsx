import { md5Hex } from '@linewarden/client'
import { login } from '@linewarden/contract'
import type { FormEvent } from 'react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/net/api.ts'
import { Icon } from '../../ui/icon.tsx'
import type { Entry } from './use-entry.ts'

/** Account and password, and whether this device is to be remembered. */
export function LoginForm({ entry: { busy, enter, showProblem } }: { entry: Entry }) {
  const { t } = useTranslation('account')
  const [userName, setUserName] = useState('')
  const [password, setPassword] = useState('')
  const [stay, setStay] = useState(false)
  const [shown, setShown] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const UserName = userName.trim()
    if (UserName === '' || password === '')
      return showProblem({ title: UserName === '' ? t('accountEmpty') : t('passwordEmpty'), hint: '' })
    void enter(api.call(login, { body: { UserName, Password: md5Hex(password), ...(stay && { Remember: true }) } }))
  }
  return (
    <form onSubmit={submit} noValidate>
      <label className="label">
        <span>{t('userName')}</span>
        <span className="field big">
          <Icon name="user" />
          <input
            value={userName}
            onChange={(event) => setUserName(event.target.value)}
            autoComplete="username"
            maxLength={64}
            autoFocus
          />
        </span>
      </label>
      <div className="label">
        <label htmlFor="password">{t('password')}</label>
        <span className="field big">
          <Icon name="lock" />
          <input
            id="password"
            type={shown ? 'text' : 'password'}
            value={password}
            onChange={(event) => setPassword(event.target.value)}
            autoComplete="current-password"
          />
          <button type="button" aria-label={shown ? t('hide') : t('show')} aria-pressed={shown} onClick={() => setShown(!shown)}>
            <Icon name={shown ? 'eyeOff' : 'eye'} />
          </button>
        </span>
      </div>
      <label className="check-line" title={t('rememberHint')}>
        <input type="checkbox" checked={stay} onChange={(event) => setStay(event.target.checked)} />
        {t('remember')}
      </label>
      <button type="submit" className="btn primary go" disabled={busy}>
        {busy ? t('signingIn') : t('signIn')}
      </button>
    </form>
  )
}

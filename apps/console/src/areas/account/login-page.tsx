import { CallError, md5Hex } from '@linewarden/client'
import { login } from '@linewarden/contract'
import type { FormEvent } from 'react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate, useSearchParams } from 'react-router'
import { api, messageOf } from '../../app/api.ts'
import { begin, useSession } from '../../app/session.ts'
import { toggleTheme } from '../../app/theme.ts'
import { safeRedirect } from '../../paths.ts'
import { changeLanguage, language } from '../../texts/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import { Logo } from '../../ui/logo.tsx'
import { Mark } from '../../ui/mark.tsx'
import { LoginDrawing } from './login-drawing.tsx'
import './login-page.css'

interface Problem {
  readonly title: string
  readonly hint: string
}

/** Who are you? */
export function LoginPage() {
  const { t } = useTranslation(['account', 'app'])
  const [query] = useSearchParams()
  const token = useSession((state) => state.token)
  const [userName, setUserName] = useState('')
  const [password, setPassword] = useState('')
  const [shown, setShown] = useState(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  useEffect(() => {
    document.title = `${t('title')} · ${t('app:name')}`
  }, [t])

  if (token !== '') return <Navigate to={safeRedirect(query.get('redirect'))} replace />

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (userName.trim() === '' || password === '')
      return setProblem({ title: userName.trim() === '' ? t('accountEmpty') : t('passwordEmpty'), hint: '' })
    setBusy(true)
    setProblem(null)
    try {
      const reply = await api.call(login, { body: { UserName: userName.trim(), Password: md5Hex(password) } })
      begin(reply.UserID, reply.Token)
    } catch (error) {
      setProblem(problemOf(error))
      setBusy(false)
    }
  }

  const problemOf = (error: unknown): Problem => {
    if (!(error instanceof CallError)) return { title: messageOf(error), hint: '' }
    if (error.problem.kind !== 'refusal') return { title: t('offline'), hint: t('offlineHint') }
    const left = error.problem.failure.Detail?.left
    return { title: messageOf(error), hint: typeof left === 'number' ? t('left', { left }) : '' }
  }

  return (
    <div className="login">
      <section>
        <header>
          <Logo height={28} />
          <span className="grow" />
          <button type="button" className="btn quiet" title={t('app:theme')} aria-label={t('app:theme')} onClick={toggleTheme}>
            <Icon name="theme" />
          </button>
          <button
            type="button"
            className="btn quiet"
            aria-label={`${language() === 'CN' ? 'EN' : '中文'} ${t('app:language')}`}
            onClick={() => changeLanguage(language() === 'CN' ? 'EN' : 'CN')}
          >
            {language() === 'CN' ? 'EN' : '中文'}
          </button>
        </header>
        <form onSubmit={submit} noValidate>
          <h1>{t('title')}</h1>
          <p className="mute">{t('subtitle')}</p>
          {problem && (
            <div className="problem" role="alert">
              <Mark kind="alarm" />
              <div>
                <b>{problem.title}</b>
                {problem.hint && <span>{problem.hint}</span>}
              </div>
            </div>
          )}
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
              <button
                type="button"
                aria-label={shown ? t('hide') : t('show')}
                aria-pressed={shown}
                onClick={() => setShown(!shown)}
              >
                <Icon name={shown ? 'eyeOff' : 'eye'} />
              </button>
            </span>
          </div>
          <button type="submit" className="btn primary go" disabled={busy}>
            {busy ? t('signingIn') : t('signIn')}
          </button>
        </form>
        <footer className="mute">{t('notProtective')}</footer>
      </section>
      <LoginDrawing />
    </div>
  )
}

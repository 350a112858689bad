import { signOnPath } from '@linewarden/contract'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Navigate, useSearchParams } from 'react-router'
import { useSession } from '../../app/session/session.ts'
import { signOnBind } from '../../app/session/sign-on.ts'
import { BrandLogo } from '../../app/shell/brand-logo.tsx'
import { brandName, brandTitle, useBranding } from '../../app/shell/branding.ts'
import { toggleTheme } from '../../app/shell/theme.ts'
import { paths, safeRedirect, wallToPair } from '../../paths.ts'
import { changeLanguage, language } from '../../ui/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import { Mark } from '../../ui/mark.tsx'
import { LoginCode } from './login-code.tsx'
import { LoginDrawing } from './login-drawing.tsx'
import { LoginForm } from './login-form.tsx'
import { useEntry } from './use-entry.ts'
import './login-page.css'

/** Who are you? */
export function LoginPage() {
  const { t } = useTranslation(['account', 'app', 'http'])
  const [query] = useSearchParams()
  const { token, over } = useSession()
  const entry = useEntry()
  const brand = useBranding()
  const company = brandName(brand)
  const title = brandTitle(brand)
  const former = {
    expired: { title: t('http:h401'), hint: '' },
    unheard: { title: t('unheard'), hint: t('unheardHint') },
  }
  const problem = entry.problem ?? (over && !entry.busy ? former[over] : null)
  useEffect(() => {
    document.title = `${t('title')} · ${title}`
  }, [t, title])

  const redirect = query.get('redirect')
  if (token !== '') return <Navigate to={safeRedirect(redirect)} replace />
  return (
    <div className="login">
      <section>
        <header>
          <BrandLogo height={28} />
          {company !== '' && <bdi className="company">{company}</bdi>}
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
        <div className="middle">
          <h1>{t('title')}</h1>
          <p className="mute">{entry.step === null ? t('subtitle') : t('codeAsked')}</p>
          {problem && (
            <div className="problem" role="alert">
              <Mark kind="alarm" />
              <div>
                <b>{problem.title}</b>
                {problem.hint && <span>{problem.hint}</span>}
              </div>
            </div>
          )}
          {entry.step === null ? <LoginForm entry={entry} /> : <LoginCode entry={entry} step={entry.step} />}
          {entry.step === null && brand.SignOn && (
            <a
              className="btn sign-on"
              href={`${signOnPath}/go?bind=${signOnBind()}&redirect=${encodeURIComponent(safeRedirect(redirect))}`}
            >
              {t('signOn', { name: brand.SignOn.Name })}
            </a>
          )}
          {redirect?.startsWith(paths.bigScreen) && (
            <Link className="btn sign-on" to={wallToPair}>
              {t('pairScreen')}
            </Link>
          )}
        </div>
        <footer className="mute">{t('notProtective')}</footer>
      </section>
      <LoginDrawing />
    </div>
  )
}

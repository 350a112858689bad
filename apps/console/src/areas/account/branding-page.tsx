import type { BrandingSettings } from '@linewarden/contract'
import { brandingSettings, editBranding } from '@linewarden/contract'
import type { FormEvent } from 'react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/net/api.ts'
import { refuseForm } from '../../app/net/refuse-form.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { toast } from '../../app/notify/toasts.tsx'
import { loadBranding } from '../../app/shell/branding.ts'
import { TextField } from '../../ui/fields.tsx'
import { Mark } from '../../ui/mark.tsx'
import { Page } from '../../ui/page.tsx'
import { useForm } from '../../ui/use-form.ts'
import { LogoField } from './logo-field.tsx'
import './branding-page.css'

const names = ['NameZh', 'NameEn', 'TitleZh', 'TitleEn', 'ProviderName', 'ProviderUrl', 'ProviderHost'] as const
type Name = (typeof names)[number]

/** Whose installation is this? For whoever runs it. */
export function BrandingPage() {
  const { t } = useTranslation('security')
  // The form keeps what it begins with: it never begins with what was read for an earlier one.
  const query = useCall(brandingSettings, {}, { gcTime: 0 })
  return <Page title={t('branding')}>{query.data ? <BrandingForm first={query.data} /> : <Unloaded query={query} />}</Page>
}

/** Begins with what is stored and keeps to it: what somebody else saves meanwhile must not take away what is being written here. */
function BrandingForm({ first }: { first: BrandingSettings }) {
  const { t } = useTranslation(['security', 'app'])
  const [stored, setStored] = useState(first)
  const [logo, setLogo] = useState<string | null | undefined>(undefined)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const form = useForm(valuesOf(stored), ({ ProviderUrl, ProviderHost }) => ({
    ProviderUrl: ProviderUrl.trim() === '' || /^https?:\/\/[^\s/]+/.test(ProviderUrl.trim()) ? null : t('urlWrong'),
    ProviderHost: /^[A-Za-z0-9.:-]*$/.test(ProviderHost.trim()) ? null : t('hostWrong'),
  }))
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (busy || !form.check()) return
    setBusy(true)
    setProblem('')
    try {
      const filled = (name: Name) => form.values[name].trim() || null
      const body = {
        NameZh: filled('NameZh'),
        NameEn: filled('NameEn'),
        TitleZh: filled('TitleZh'),
        TitleEn: filled('TitleEn'),
        ProviderName: filled('ProviderName'),
        ProviderUrl: filled('ProviderUrl'),
        ProviderHost: filled('ProviderHost'),
        Version: stored.Version,
        ...(logo !== undefined && { Logo: logo }),
      }
      const saved = await api.call(editBranding, { body })
      setStored(saved)
      setLogo(undefined)
      await loadBranding()
      toast('info', t('saved'))
    } catch (error) {
      setProblem(refuseForm(form, error))
    }
    setBusy(false)
  }
  const text = (name: Name, maxLength: number, hint?: string, standard = '') => (
    <TextField
      label={t(labels[name])}
      {...form.field(name)}
      maxLength={maxLength}
      hint={hint ?? (standard === '' ? undefined : t('byDefault', { value: standard }))}
    />
  )
  const { Default } = stored
  return (
    <form className="branding-form" onSubmit={save} noValidate>
      <p className="mute">{t('brandingHint')}</p>
      <LogoField stored={stored.Logo} logo={logo} onChange={setLogo} />
      <div className="form-grid">
        {text('NameZh', 32, undefined, Default.Name)}
        {text('NameEn', 64, undefined, Default.Name)}
        {text('TitleZh', 32, undefined, t('app:name'))}
        {text('TitleEn', 64, undefined, t('app:name'))}
        {text('ProviderName', 64, undefined, Default.ProviderName)}
        {text('ProviderUrl', 512, undefined, Default.ProviderUrl)}
        {text('ProviderHost', 253, t('providerHint'))}
      </div>
      {problem !== '' && (
        <p className="problem" role="alert">
          <Mark kind="alarm" />
          {problem}
        </p>
      )}
      <p>
        <button type="submit" className="btn primary" disabled={busy}>
          {busy ? t('app:sending') : t('app:save')}
        </button>
      </p>
    </form>
  )
}

const valuesOf = (stored: BrandingSettings): Record<Name, string> => ({
  NameZh: stored.NameZh ?? '',
  NameEn: stored.NameEn ?? '',
  TitleZh: stored.TitleZh ?? '',
  TitleEn: stored.TitleEn ?? '',
  ProviderName: stored.ProviderName ?? '',
  ProviderUrl: stored.ProviderUrl ?? '',
  ProviderHost: stored.ProviderHost ?? '',
})

const labels = {
  NameZh: 'nameZh',
  NameEn: 'nameEn',
  TitleZh: 'titleZh',
  TitleEn: 'titleEn',
  ProviderName: 'providerName',
  ProviderUrl: 'providerUrl',
  ProviderHost: 'providerHost',
} as const satisfies Record<Name, string>

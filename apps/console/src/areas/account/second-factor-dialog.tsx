import { md5Hex } from '@linewarden/client'
import type { Reply } from '@linewarden/contract'
import {
  beginSecondFactor,
  confirmSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  secondFactor,
} from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, messageOf } from '../../app/net/api.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { CopyValue } from '../../ui/copy-value.tsx'
import { CloseFoot, Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import type { Form } from '../../ui/use-form.ts'
import { useForm } from '../../ui/use-form.ts'
import { PasswordField } from './password-field.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import './second-factor-dialog.css'

type Step =
  | { readonly kind: 'state' | 'begin' | 'remove' | 'renew' }
  | { readonly kind: 'confirm'; readonly made: Reply<typeof beginSecondFactor> }
  | { readonly kind: 'codes'; readonly codes: readonly string[] }

/** My second factor: whether it is on, and each way to change that. */
export function SecondFactorDialog({ onClose }: { onClose: () => void }) {
  const [step, setStep] = useState<Step>({ kind: 'state' })
  const codes = (shown: readonly string[]) => setStep({ kind: 'codes', codes: shown })
  switch (step.kind) {
    case 'begin':
      return <Begin onMade={(made) => setStep({ kind: 'confirm', made })} onClose={onClose} />
    case 'confirm':
      return <Confirm made={step.made} onCodes={codes} onClose={onClose} />
    case 'codes':
      return <RecoveryCodes codes={step.codes} onClose={onClose} />
    case 'remove':
      return <Change kind="remove" onDone={onClose} onClose={onClose} />
    case 'renew':
      return <Change kind="renew" onDone={codes} onClose={onClose} />
    default:
      return <State onStep={(kind) => setStep({ kind })} onClose={onClose} />
  }
}

function State({ onStep, onClose }: { onStep: (kind: 'begin' | 'remove' | 'renew') => void; onClose: () => void }) {
  const { t } = useTranslation(['security', 'app'])
  const query = useCall(secondFactor, {}, { gcTime: 0 })
  const { data } = query
  return (
    <Dialog label={t('factor')} onClose={onClose}>
      <h2>{t('factor')}</h2>
      <div className="content">
        <p>{t('factorWhat')}</p>
        <Unloaded query={query} />
        {data && (
          <p>
            <span className="chip">{data.On ? t('factorOn') : t('factorOff')}</span>{' '}
            {data.On && t('codesLeft', { count: data.RecoveryCodes })}
          </p>
        )}
      </div>
      <CloseFoot onClose={onClose}>
        {data?.On && !data.Required && (
          <button type="button" className="btn" onClick={() => onStep('remove')}>
            {t('disable')}
          </button>
        )}
        {data?.On && (
          <button type="button" className="btn" onClick={() => onStep('renew')}>
            {t('renew')}
          </button>
        )}
        {data && !data.On && (
          <button type="button" className="btn primary" onClick={() => onStep('begin')}>
            {t('enable')}
          </button>
        )}
      </CloseFoot>
    </Dialog>
  )
}

/** Who is there, before a key is shown. */
export function Begin({ onMade, onClose }: { onMade: (made: Reply<typeof beginSecondFactor>) => void; onClose: () => void }) {
  const { t } = useTranslation(['security', 'account'])
  const form = useForm({ Password: '' }, ({ Password }) => ({ Password: Password === '' ? t('account:passwordEmpty') : null }))
  const begin = async (): Promise<string | null> => {
    if (!form.check()) return ''
    try {
      onMade(await api.call(beginSecondFactor, { body: { Password: md5Hex(form.values.Password) } }))
      return ''
    } catch (error) {
      return messageOf(error)
    }
  }
  return (
    <FormDialog title={t('factor')} submit={t('begin')} onSubmit={begin} onClose={onClose}>
      <p>{t('factorWhat')}</p>
      <PasswordField label={t('password')} form={form} />
    </FormDialog>
  )
}

/** The key as a picture and as letters, and a code of it: without one nothing is turned on. */
export function Confirm({
  made,
  onCodes,
  onClose,
}: {
  made: Reply<typeof beginSecondFactor>
  onCodes: (codes: readonly string[]) => void
  onClose: () => void
}) {
  const { t } = useTranslation('security')
  const form = useForm({ Code: '' }, ({ Code }) => ({ Code: sixDigits.test(Code.trim()) ? null : t('codeShape') }))
  const confirm = async (): Promise<string | null> => {
    if (!form.check()) return ''
    try {
      onCodes((await api.call(confirmSecondFactor, { body: { Code: form.values.Code.trim() } })).RecoveryCodes)
      return ''
    } catch (error) {
      return messageOf(error)
    }
  }
  return (
    <FormDialog title={t('factor')} submit={t('confirm')} onSubmit={confirm} onClose={onClose}>
      <p>{t('scan')}</p>
      <div className="factor-key">
        <QrCode text={made.Uri} label={t('qr')} />
        <CopyValue label={t('key')} value={made.Key} />
      </div>
      <CodeField form={form} />
      <p className="mute">{t('othersEnd')}</p>
    </FormDialog>
  )
}

/** Turning it off takes password and code; new recovery codes take a code. */
function Change({
  kind,
  onDone,
  onClose,
}: {
  kind: 'remove' | 'renew'
  onDone: (codes: readonly string[]) => void
  onClose: () => void
}) {
  const { t } = useTranslation(['security', 'account'])
  const form = useForm({ Password: '', Code: '' }, ({ Password, Code }) => ({
    Password: kind === 'renew' || Password !== '' ? null : t('account:passwordEmpty'),
    Code: sixDigits.test(Code.trim()) ? null : t('codeShape'),
  }))
  const change = async (): Promise<string | null> => {
    if (!form.check()) return ''
    const { Password, Code } = form.values
    try {
      if (kind === 'renew') {
        onDone((await api.call(renewRecoveryCodes, { body: { Code: Code.trim() } })).RecoveryCodes)
        return ''
      }
      await api.call(removeSecondFactor, { body: { Password: md5Hex(Password), Code: Code.trim() } })
      return null
    } catch (error) {
      return messageOf(error)
    }
  }
  const title = kind === 'remove' ? t('disable') : t('renew')
  return (
    <FormDialog title={title} submit={title} onSubmit={change} onClose={onClose}>
      {kind === 'remove' && <PasswordField label={t('password')} form={form} />}
      <CodeField form={form} />
    </FormDialog>
  )
}

function CodeField({ form }: { form: Pick<Form<{ Code: string }>, 'field'> }) {
  const { t } = useTranslation('security')
  return (
    <TextField
      label={t('code')}
      inputMode="numeric"
      autoComplete="one-time-code"
      {...form.field('Code')}
      maxLength={6}
      required
    />
  )
}

const sixDigits = /^[0-9]{6}$/

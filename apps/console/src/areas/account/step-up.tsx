import { md5Hex } from '@linewarden/client'
import { proveSession } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { api, messageOf } from '../../app/net/api.ts'
import { answerProof, useProof } from '../../app/net/proof.ts'
import { renew } from '../../app/session/session.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useForm } from '../../ui/use-form.ts'
import { PasswordField } from './password-field.tsx'

/** Asks for the password: of whoever came in from memory before anything of the plant is moved or set, of others before their account is. */
export function StepUp() {
  const asked = useProof(({ waiting }) => waiting.length > 0)
  return asked ? <Ask /> : null
}

function Ask() {
  const { t } = useTranslation('account')
  const form = useForm({ Password: '' }, ({ Password }) => ({ Password: Password === '' ? t('passwordEmpty') : null }))
  const prove = async (): Promise<string | null> => {
    if (!form.check()) return ''
    try {
      renew((await api.call(proveSession, { body: { Password: md5Hex(form.values.Password) } })).Token)
      answerProof(true)
      return null
    } catch (error) {
      return messageOf(error)
    }
  }
  return (
    <FormDialog title={t('proveTitle')} submit={t('proveGo')} onSubmit={prove} onClose={() => answerProof(false)}>
      <p>{t('proveWhy')}</p>
      <PasswordField label={t('password')} form={form} />
    </FormDialog>
  )
}

import { md5Hex } from '@linewarden/client'
import type { UserRecord } from '@linewarden/contract'
import { editUser, grantControl, userInfo } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, messageOf, send } from '../../app/net/api.ts'
import { change } from '../../app/net/change.ts'
import { refuseForm } from '../../app/net/refuse-form.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { toast } from '../../app/notify/toasts.tsx'
import { ending, leave, setUser } from '../../app/session/session.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useForm } from '../../ui/use-form.ts'
import { useMe } from '../site/queries.ts'
import { email, passwordProblem, phone } from './password-rules.ts'

/** Proves with the control password who is there, whenever something is saved. */
type Proof = () => Promise<{ readonly Grant?: string }>

/** My own information, or my password; where a control password is set it is asked for first. */
export function MyAccount({ what, onClose }: { what: 'info' | 'password'; onClose: () => void }) {
  const { t } = useTranslation(['people', 'app'])
  const me = useMe()
  const [control, setControl] = useState<string | null>(null)
  if (!me.data)
    return (
      <Dialog label={t('myAccount')} onClose={onClose}>
        <Unloaded query={me} />
      </Dialog>
    )
  const { AccountID, ControlPwd } = me.data
  const grant = (md5: string) => api.call(grantControl, { body: { Password: md5, Operation: `account:${AccountID}` } })
  if (ControlPwd && control === null)
    return (
      <AskControl
        onTake={async (md5) => {
          await grant(md5)
          setControl(md5)
        }}
        onClose={onClose}
      />
    )
  // A grant lasts a minute, a form may be open for longer: each saving has one of its own.
  const proof: Proof = async () => (control === null ? {} : { Grant: (await grant(control)).Grant })
  const Form = what === 'info' ? InfoForm : PasswordForm
  return <Form me={me.data} proof={proof} onClose={onClose} />
}

function AskControl({ onTake, onClose }: { onTake: (md5: string) => Promise<void>; onClose: () => void }) {
  const { t } = useTranslation(['people', 'app'])
  const form = useForm({ Password: '' }, ({ Password }) => ({ Password: Password === '' ? t('enterControl') : null }))
  const take = async (): Promise<string | null> => {
    if (!form.check()) return ''
    try {
      await onTake(md5Hex(form.values.Password))
      // Nothing to say, and nothing to close: the next dialog stands in this one's place.
      return ''
    } catch (error) {
      return messageOf(error)
    }
  }
  return (
    <FormDialog title={t('controlPwd')} submit={t('next')} onSubmit={take} onClose={onClose}>
      <TextField
        label={t('controlPwd')}
        type="password"
        autoComplete="off"
        {...form.field('Password')}
        maxLength={64}
        required
        autoFocus
      />
    </FormDialog>
  )
}

function InfoForm({ me, proof, onClose }: { me: UserRecord; proof: Proof; onClose: () => void }) {
  const { t } = useTranslation(['people', 'app'])
  // As it was read for this form: my own record may be read again behind it.
  const [version] = useState(me.Version)
  const form = useForm(
    { NickName: me.NickName, Mobile: me.Mobile, Email: me.Email, JobName: me.JobName, Remark: me.Remark },
    ({ NickName, Mobile, Email }) => ({
      NickName: NickName.trim() === '' ? t('nameEmpty') : null,
      Mobile: Mobile.trim() === '' ? t('mobileEmpty') : phone.test(Mobile.trim()) ? null : t('mobileWrong'),
      Email: Email.trim() === '' || email.test(Email.trim()) ? null : t('emailWrong'),
    }),
  )
  const save = async (): Promise<string | null> => {
    if (!form.check()) return ''
    try {
      const { Mobile, Email, ...rest } = form.values
      const body = { AccountID: me.AccountID, Version: version, ...rest, Mobile: Mobile.trim(), Email: Email.trim() }
      await change(editUser, { body: { ...body, ...(await proof()) } })
      setUser(await api.call(userInfo))
      toast('info', t('edited'))
      return null
    } catch (error) {
      return refuseForm(form, error)
    }
  }
  const text = (
    name: 'NickName' | 'Mobile' | 'Email' | 'JobName' | 'Remark',
    label: string,
    maxLength: number,
    required = false,
  ) => <TextField label={label} {...form.field(name)} maxLength={maxLength} required={required} autoFocus={name === 'NickName'} />
  return (
    <FormDialog title={t('myAccount')} submit={t('app:save')} wide onSubmit={save} onClose={onClose}>
      <div className="form-grid">
        <TextField label={t('account')} value={me.UserName} onChange={() => {}} readOnly />
        <TextField label={t('role')} value={me.RoleName || t(me.Kind)} onChange={() => {}} readOnly />
        {text('NickName', t('name'), 32, true)}
        {text('Mobile', t('mobile'), 24, true)}
        {text('Email', t('email'), 128)}
        {text('JobName', t('job'), 64)}
        <div className="wide">{text('Remark', t('app:remark'), 200)}</div>
      </div>
    </FormDialog>
  )
}

function PasswordForm({ me, proof, onClose }: { me: UserRecord; proof: Proof; onClose: () => void }) {
  const { t } = useTranslation(['people', 'app', 'account'])
  const form = useForm({ Old: '', Password: '', Confirm: '' }, ({ Old, Password, Confirm }) => ({
    Old: Old === '' ? t('account:passwordEmpty') : null,
    Password: Password !== '' && Password === Old ? t('passwordSame') : passwordProblem(t, Password, 18),
    Confirm: Confirm === Password ? null : t('passwordsDiffer'),
  }))
  const save = async (): Promise<string | null> => {
    if (!form.check()) return ''
    try {
      const { Old, Password } = form.values
      const body = { AccountID: me.AccountID, PasswordMD5: md5Hex(Password), OldPasswordMD5: md5Hex(Old), ...(await proof()) }
      // The session is over with it: whatever is read again would be refused.
      await ending(() => send(editUser, { body }))
      toast('info', t('changed'))
      leave(true)
      return null
    } catch (error) {
      return refuseForm(form, error)
    }
  }
  const password = (name: 'Old' | 'Password' | 'Confirm', label: string, most = 64) => (
    <TextField
      label={label}
      type="password"
      autoComplete={name === 'Old' ? 'current-password' : 'new-password'}
      {...form.field(name)}
      maxLength={most}
      required
    />
  )
  return (
    <FormDialog title={t('myPassword')} submit={t('app:save')} onSubmit={save} onClose={onClose}>
      <p>{t('signInAgain')}</p>
      {password('Old', t('oldPassword'))}
      {password('Password', t('newPassword'))}
      {password('Confirm', t('confirm'))}
    </FormDialog>
  )
}

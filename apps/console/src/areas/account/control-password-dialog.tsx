import { md5Hex } from '@linewarden/client'
import type { UserRecord } from '@linewarden/contract'
import { editUser, grantControl, userInfo } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/net/api.ts'
import { change } from '../../app/net/change.ts'
import { refuseForm } from '../../app/net/refuse-form.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { toast } from '../../app/notify/toasts.tsx'
import { setUser } from '../../app/session/session.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useForm } from '../../ui/use-form.ts'
import { useMe } from '../site/queries.ts'
import { passwordProblem } from './password-rules.ts'

/** Sets, changes or removes my own control password. */
export function ControlPasswordDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('people')
  const me = useMe()
  return me.data ? (
    <ControlPasswordForm me={me.data} onClose={onClose} />
  ) : (
    <Dialog label={t('controlPwd')} onClose={onClose}>
      <Unloaded query={me} />
    </Dialog>
  )
}

function ControlPasswordForm({ me, onClose }: { me: UserRecord; onClose: () => void }) {
  const { t } = useTranslation(['people', 'app', 'account'])
  const [isSet] = useState(me.ControlPwd)
  const [removing, setRemoving] = useState(false)
  const form = useForm({ Old: '', Control: '', New: '', Confirm: '' }, ({ Old, Control, New, Confirm }) => ({
    Old: Old === '' ? t('account:passwordEmpty') : null,
    Control: isSet && Control === '' ? t('enterControl') : null,
    New: removing ? null : New !== '' && New === Old ? t('controlSameAsSignIn') : passwordProblem(t, New, 18),
    Confirm: removing || Confirm === New ? null : t('passwordsDiffer'),
  }))
  const save = async (): Promise<string | null> => {
    if (!form.check()) return ''
    const { Old, Control, New } = form.values
    const { AccountID } = me
    try {
      const Operation = `account:${AccountID}`
      const grant = isSet ? await api.call(grantControl, { body: { Password: md5Hex(Control), Operation } }) : null
      await change(editUser, {
        body: {
          AccountID,
          OldPasswordMD5: md5Hex(Old),
          ControlPassword: removing ? null : md5Hex(New),
          ...(grant && { Grant: grant.Grant }),
        },
      })
      setUser(await api.call(userInfo))
      toast('info', t(removing ? 'controlGone' : 'controlDone'))
      return null
    } catch (error) {
      return refuseForm(form, error)
    }
  }
  const password = (name: keyof typeof form.values, label: string, autoFocus = false) => (
    <TextField
      label={label}
      type="password"
      autoComplete={name === 'Old' ? 'current-password' : name === 'Control' ? 'off' : 'new-password'}
      {...form.field(name)}
      maxLength={64}
      required
      autoFocus={autoFocus}
    />
  )
  return (
    <FormDialog title={t('ownControl')} submit={removing ? t('controlRemove') : t('app:save')} onSubmit={save} onClose={onClose}>
      <p>{t('controlWhat')}</p>
      {password('Old', t('signInPassword'), true)}
      {isSet && password('Control', t('controlNow'))}
      {isSet && (
        <label className="option">
          <input type="checkbox" checked={removing} onChange={(event) => setRemoving(event.target.checked)} />
          {t('controlRemove')}
        </label>
      )}
      {!removing && password('New', t('controlNew'))}
      {!removing && password('Confirm', t('controlAgain'))}
    </FormDialog>
  )
}

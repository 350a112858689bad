import { CallError, md5Hex } from '@linewarden/client'
import type { AccountKind, Request, Sex, UserRecord } from '@linewarden/contract'
import { addAdministrator, addSharedAccount, addSubAccount, allRoles, editUser } from '@linewarden/contract'
import { isAdministratorAccount, isMobileAccount } from '@linewarden/rules/account'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { change } from '../../app/net/change.ts'
import { refuseForm } from '../../app/net/refuse-form.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { toast } from '../../app/notify/toasts.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useForm } from '../../ui/use-form.ts'
import { email, passwordProblem, phone } from '../account/password-rules.ts'
import { installation, OwnerField } from '../site/owner-field.tsx'
import { useMe } from '../site/queries.ts'
import { AssignTree, useAssignable } from './assign-tree.tsx'

/** A new account, or an existing one: who it is, what it may do, and what it sees. */
export function UserForm({ user, onClose }: { user: UserRecord | null; onClose: () => void }) {
  const { t } = useTranslation(['people', 'app'])
  const platform = useMe().data?.Kind === 'platform'
  const roles = useCall(allRoles, {}, { staleTime: 30_000 })
  const [version, setVersion] = useState(user?.Version ?? 0)
  const form = useForm(
    {
      Kind: (user?.Kind ?? 'sub') as AccountKind,
      Owner: user ? (user.OwnerID ?? installation) : installation,
      UserName: user?.UserName ?? '',
      NickName: user?.NickName ?? '',
      RoleID: user?.RoleID ? String(user.RoleID) : '',
      Mobile: user?.Mobile ?? '',
      Sex: user?.Sex ?? ('unknown' as Sex),
      Email: user?.Email ?? '',
      JobName: user?.JobName ?? '',
      Remark: user?.Remark ?? '',
      Password: '',
      Confirm: '',
      ControlPassword: '',
      RemoveControl: false,
      Enabled: user?.Enabled ?? true,
      Assigned: user?.Assigned ?? { HouseIDs: [] as readonly number[], DeviceIDs: [] as readonly number[] },
    },
    (values) => {
      const works = values.Kind === 'sub' || values.Kind === 'shared'
      const nameOf = works ? isMobileAccount : isAdministratorAccount
      return {
        UserName:
          values.UserName.trim() === ''
            ? t('accountEmpty')
            : user || nameOf(values.UserName.trim())
              ? null
              : t(works ? 'accountWrong' : 'administratorWrong'),
        NickName: values.NickName.trim() === '' ? t('nameEmpty') : null,
        RoleID: works && values.RoleID === '' ? t('roleEmpty') : null,
        Mobile: values.Mobile.trim() === '' || phone.test(values.Mobile.trim()) ? null : t('mobileWrong'),
        Email: values.Email.trim() === '' || email.test(values.Email.trim()) ? null : t('emailWrong'),
        Password: user && values.Password === '' ? null : passwordProblem(t, values.Password),
        Confirm:
          values.Confirm === '' && (!user || values.Password !== '')
            ? t('confirmEmpty')
            : values.Password === values.Confirm
              ? null
              : t('confirmWrong'),
        ControlPassword: values.ControlPassword !== '' && values.ControlPassword.length < 6 ? t('passwordShort') : null,
        Assigned: works && values.Assigned.HouseIDs.length + values.Assigned.DeviceIDs.length === 0 ? t('notAssigned') : null,
      }
    },
  )
  const { values } = form
  const works = values.Kind === 'sub' || values.Kind === 'shared'
  const ownerId = values.Owner === installation ? null : values.Owner
  const stands = platform ? ownerId : undefined
  const { only } = useAssignable(stands)
  const save = async (): Promise<string | null> => {
    if (!form.check()) return ''
    const isGiven = works && values.Assigned !== user?.Assigned
    const given = only(values.Assigned)
    if (isGiven && given.HouseIDs.length + given.DeviceIDs.length === 0)
      return form.refuse([{ name: 'Assigned', text: t('notAssigned') }]).join(' ')
    const sent = isGiven ? { ...values, Assigned: given } : values
    try {
      if (user) await change(editUser, { body: { AccountID: user.AccountID, Version: version, ...editOf(sent, user) } })
      else await add(sent, platform && ownerId !== null ? ownerId : undefined)
      if (user) toast('info', t('edited'))
      return null
    } catch (error) {
      // The rest was saved, and that made the next version: saving again goes on from there.
      if (error instanceof CallError && error.message === 'device share failed') setVersion(version + 1)
      return refuseForm(form, error)
    }
  }
  type Words = 'UserName' | 'NickName' | 'Mobile' | 'Email' | 'JobName' | 'Remark' | 'Password' | 'Confirm' | 'ControlPassword'
  const text = (
    name: Words,
    label: string,
    maxLength: number,
    more: { required?: boolean; hint?: string; readOnly?: boolean } = {},
  ) => (
    <TextField
      label={label}
      type={name === 'Password' || name === 'Confirm' || name === 'ControlPassword' ? 'password' : 'text'}
      autoComplete={name === 'Password' || name === 'Confirm' || name === 'ControlPassword' ? 'new-password' : 'off'}
      {...form.field(name)}
      maxLength={maxLength}
      {...more}
    />
  )
  const kinds: readonly AccountKind[] = platform ? ['sub', 'shared', 'project', 'platform'] : ['sub', 'shared']
  const hints = { sub: t('subHint'), shared: t('sharedHint'), project: t('projectHint'), platform: t('platformHint') }
  return (
    <FormDialog title={user ? t('editUser') : t('addUser')} submit={t('app:save')} wide onSubmit={save} onClose={onClose}>
      <div className="form-grid">
        <SelectField
          label={t('kind')}
          hint={hints[values.Kind]}
          value={values.Kind}
          disabled={user !== null}
          onChange={(value) => form.set('Kind', kinds.find((each) => each === value) ?? 'sub')}
          options={(user ? [user.Kind] : kinds).map((value) => ({ value, label: t(value) }))}
          required
        />
        {platform && works && !user && (
          <OwnerField
            value={values.Owner}
            onChange={(value) => {
              form.set('Owner', value)
              form.set('RoleID', '')
              form.set('Assigned', { HouseIDs: [], DeviceIDs: [] })
            }}
          />
        )}
        {text('UserName', t('account'), 64, { required: true, readOnly: user !== null })}
        {text('NickName', t('name'), 32, { required: true })}
        {works && !roles.data && <Unloaded query={roles} />}
        {works && roles.data && (
          <SelectField
            label={t('role')}
            {...form.field('RoleID')}
            placeholder={t('roleChoose')}
            options={roles.data.items
              .filter(({ OwnerID }) => OwnerID === ownerId || !platform)
              .map(({ RoleID, Name }) => ({ value: String(RoleID), label: Name }))}
            required
          />
        )}
        {text('Mobile', t('mobile'), 24)}
        <SelectField
          label={t('sex')}
          value={values.Sex}
          onChange={(value) => form.set('Sex', value === 'male' || value === 'female' ? value : 'unknown')}
          options={(['unknown', 'male', 'female'] as const).map((value) => ({ value, label: t(value) }))}
        />
        {text('Email', t('email'), 128)}
        {text('JobName', t('job'), 64)}
        {text('Remark', t('remark'), 200)}
        {text('Password', user ? t('newPassword') : t('password'), 64, {
          required: !user,
          ...(user && { hint: t('passwordKeep') }),
        })}
        {text('Confirm', t('confirm'), 64, { required: !user })}
        {values.Kind !== 'shared' &&
          text('ControlPassword', t('controlPwd'), 64, { hint: user?.ControlPwd ? t('controlKeep') : t('controlHint') })}
        {user?.ControlPwd && (
          <label className="check-line">
            <input
              type="checkbox"
              checked={values.RemoveControl}
              onChange={(event) => form.set('RemoveControl', event.target.checked)}
            />
            {t('controlRemove')}
          </label>
        )}
        {user && (
          <label className="check-line">
            <input type="checkbox" checked={values.Enabled} onChange={(event) => form.set('Enabled', event.target.checked)} />
            {t('enable')}
          </label>
        )}
      </div>
      {works && (
        <AssignTree
          assigned={values.Assigned}
          ownerId={stands}
          error={form.errorOf('Assigned')}
          onChange={(assigned) => form.set('Assigned', assigned)}
        />
      )}
    </FormDialog>
  )
}

interface Values {
  readonly Kind: AccountKind
  readonly UserName: string
  readonly NickName: string
  readonly RoleID: string
  readonly Mobile: string
  readonly Sex: Sex
  readonly Email: string
  readonly JobName: string
  readonly Remark: string
  readonly Password: string
  readonly ControlPassword: string
  readonly RemoveControl: boolean
  readonly Enabled: boolean
  readonly Assigned: { readonly HouseIDs: readonly number[]; readonly DeviceIDs: readonly number[] }
}

const personOf = ({ NickName, Mobile, Email, JobName, Remark, Sex: sex }: Values) => ({
  NickName,
  Email: Email.trim(),
  JobName,
  Remark,
  Sex: sex,
  ...(Mobile.trim() !== '' && { Mobile: Mobile.trim() }),
})

const assignedOf = ({ Assigned }: Values) => ({ HouseIDs: [...Assigned.HouseIDs], DeviceIDs: [...Assigned.DeviceIDs] })

async function add(values: Values, OwnerID: string | undefined): Promise<void> {
  const person = { ...personOf(values), UserName: values.UserName.trim(), Password: md5Hex(values.Password) }
  const control = values.ControlPassword === '' ? {} : { ControlPassword: md5Hex(values.ControlPassword) }
  const under = OwnerID === undefined ? {} : { OwnerID }
  const work = { RoleID: Number(values.RoleID), Assigned: assignedOf(values), ...under }
  if (values.Kind === 'sub') await change(addSubAccount, { body: { ...person, ...control, ...work } })
  else if (values.Kind === 'shared') await change(addSharedAccount, { body: { ...person, ...work } })
  else await change(addAdministrator, { body: { ...person, ...control, Kind: values.Kind } })
}

/** What was changed of an account; what was left alone is not sent. */
function editOf(values: Values, user: UserRecord): Partial<Request<typeof editUser>['body']> {
  const works = values.Kind === 'sub' || values.Kind === 'shared'
  return {
    ...personOf(values),
    Enabled: values.Enabled,
    ...(values.Password !== '' && { PasswordMD5: md5Hex(values.Password) }),
    ...(values.RemoveControl
      ? { ControlPassword: null }
      : values.ControlPassword !== '' && { ControlPassword: md5Hex(values.ControlPassword) }),
    ...(works && values.RoleID !== String(user.RoleID) && { RoleID: Number(values.RoleID) }),
    ...(works && values.Assigned !== user.Assigned && { Assigned: assignedOf(values) }),
  }
}

import type { AccountKind, UserRecord } from '@linewarden/contract'
import { allRoles } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { SelectField, TextField } from '../../ui/fields.tsx'
import type { Form } from '../../ui/use-form.ts'
import { OwnerField } from '../site/owner-field.tsx'
import type { UserValues } from './user-values.ts'
import { hasRole, nothingAssigned } from './user-values.ts'

/** As what an account signs in, under whom, and with which role. */
export function AccessFields({
  form,
  user,
  isPlatform,
  ownerId,
}: {
  form: Form<UserValues>
  user: UserRecord | null
  isPlatform: boolean
  /** Whom the account stands under, see `useAssignable`. */
  ownerId: string | null | undefined
}) {
  const { t } = useTranslation(['people', 'app'])
  const roles = useCall(allRoles, {}, { staleTime: 30_000 })
  const { values } = form
  const kinds: readonly AccountKind[] = isPlatform ? ['sub', 'shared', 'project', 'platform'] : ['sub', 'shared']
  const hints = { sub: t('subHint'), shared: t('sharedHint'), project: t('projectHint'), platform: t('platformHint') }
  return (
    <>
      <SelectField
        label={t('kind')}
        hint={hints[values.Kind]}
        value={values.Kind}
        disabled={user !== null}
        onChange={(value) => form.set('Kind', kinds.find((each) => each === value) ?? 'sub')}
        options={(user ? [user.Kind] : kinds).map((value) => ({ value, label: t(value) }))}
        required
      />
      {isPlatform && hasRole(values.Kind) && !user && (
        <OwnerField
          value={values.Owner}
          onChange={(value) => {
            form.set('Owner', value)
            form.set('RoleID', '')
            form.set('Assigned', nothingAssigned)
          }}
        />
      )}
      <TextField label={t('account')} {...form.field('UserName')} maxLength={64} required readOnly={user !== null} />
      <TextField label={t('name')} {...form.field('NickName')} maxLength={32} required />
      {hasRole(values.Kind) && !roles.data && <Unloaded query={roles} />}
      {hasRole(values.Kind) && roles.data && (
        <SelectField
          label={t('role')}
          {...form.field('RoleID')}
          placeholder={t('app:pleaseSelect')}
          options={roles.data.items
            .filter(({ OwnerID }) => ownerId === undefined || OwnerID === ownerId)
            .map(({ RoleID, Name }) => ({ value: String(RoleID), label: Name }))}
          required
        />
      )}
    </>
  )
}

/** Who it is, for those who look for them. */
export function PersonFields({ form }: { form: Form<UserValues> }) {
  const { t } = useTranslation(['people', 'app'])
  return (
    <>
      <TextField label={t('mobile')} {...form.field('Mobile')} maxLength={24} />
      <SelectField
        label={t('sex')}
        value={form.values.Sex}
        onChange={(value) => form.set('Sex', value === 'male' || value === 'female' ? value : 'unknown')}
        options={(['unknown', 'male', 'female'] as const).map((value) => ({ value, label: t(value) }))}
      />
      <TextField label={t('email')} {...form.field('Email')} maxLength={128} />
      <TextField label={t('job')} {...form.field('JobName')} maxLength={64} />
      <TextField label={t('app:remark')} {...form.field('Remark')} maxLength={200} />
    </>
  )
}

/** The password to sign in with, and the one to operate equipment with; of an existing account only what is written is set anew. */
export function PasswordFields({ form, user }: { form: Form<UserValues>; user: UserRecord | null }) {
  const { t } = useTranslation('people')
  const password = (
    name: 'Password' | 'Confirm' | 'ControlPassword',
    label: string,
    more: { required?: boolean; hint?: string },
  ) => <TextField label={label} type="password" autoComplete="new-password" {...form.field(name)} maxLength={64} {...more} />
  return (
    <>
      {user
        ? password('Password', t('newPassword'), { required: false, hint: t('passwordKeep') })
        : password('Password', t('password'), { required: true })}
      {password('Confirm', t('confirm'), { required: !user })}
      {form.values.Kind !== 'shared' &&
        password('ControlPassword', t('controlPwd'), { hint: user?.ControlPwd ? t('controlKeep') : t('controlHint') })}
      {user?.ControlPwd && (
        <label className="check-line">
          <input
            type="checkbox"
            checked={form.values.RemoveControl}
            onChange={(event) => form.set('RemoveControl', event.target.checked)}
          />
          {t('controlRemove')}
        </label>
      )}
    </>
  )
}

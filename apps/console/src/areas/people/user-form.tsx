import type { UserRecord } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useForm } from '../../ui/use-form.ts'
import { installation } from '../site/owner-field.tsx'
import { useMe } from '../site/queries.ts'
import { AssignTree } from './assign-tree.tsx'
import { useSaveUser } from './use-save-user.ts'
import { AccessFields, PasswordFields, PersonFields } from './user-fields.tsx'
import { hasRole, userProblems, valuesOf } from './user-values.ts'

/** A new account, or an existing one: who it is, what it may do, and what it sees. */
export function UserForm({ user, onClose }: { user: UserRecord | null; onClose: () => void }) {
  const { t } = useTranslation(['people', 'app'])
  const isPlatform = useMe().data?.Kind === 'platform'
  const form = useForm(valuesOf(user), (values) => userProblems(t, values, user === null))
  const { values } = form
  // Only whoever runs the installation chooses among the plants of all owners.
  const ownerId = isPlatform ? (values.Owner === installation ? null : values.Owner) : undefined
  const save = useSaveUser(form, user, ownerId)
  return (
    <FormDialog title={user ? t('editUser') : t('addUser')} submit={t('app:save')} wide onSubmit={save} onClose={onClose}>
      <div className="form-grid">
        <AccessFields form={form} user={user} isPlatform={isPlatform} ownerId={ownerId} />
        <PersonFields form={form} />
        <PasswordFields form={form} user={user} />
        {user && (
          <label className="check-line">
            <input type="checkbox" checked={values.Enabled} onChange={(event) => form.set('Enabled', event.target.checked)} />
            {t('enable')}
          </label>
        )}
      </div>
      {hasRole(values.Kind) && (
        <AssignTree
          assigned={values.Assigned}
          ownerId={ownerId}
          error={form.errorOf('Assigned')}
          onChange={(assigned) => form.set('Assigned', assigned)}
        />
      )}
    </FormDialog>
  )
}

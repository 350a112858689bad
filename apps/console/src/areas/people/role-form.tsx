import type { RoleRecord } from '@linewarden/contract'
import { addRole, editRole, rolePermissions } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { change } from '../../app/net/change.ts'
import { refuseForm } from '../../app/net/refuse-form.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useForm } from '../../ui/use-form.ts'
import { installation, OwnerField, ownedBy } from '../site/owner-field.tsx'
import { PermissionTree } from './permission-tree.tsx'

/** A new role, or an existing one: its name, its number, and at least one permission. */
export function RoleForm({ role, onClose }: { role: RoleRecord | null; onClose: () => void }) {
  const { t } = useTranslation(['people', 'app'])
  const query = useCall(rolePermissions, {}, { staleTime: Number.POSITIVE_INFINITY })
  const form = useForm(
    {
      Owner: installation,
      Name: role?.Name ?? '',
      Number: role?.Number ?? '',
      Description: role?.Description ?? '',
      Privileges: (role?.Privileges ?? []) as readonly string[],
      Buttons: (role?.Buttons ?? []) as readonly string[],
    },
    ({ Name, Number: number, Privileges, Buttons }) => ({
      Name: Name.trim() === '' ? t('roleNameEmpty') : null,
      Number: number.trim() === '' ? t('roleNumberEmpty') : null,
      Privileges: Privileges.length + Buttons.length === 0 ? t('permissionsEmpty') : null,
    }),
  )
  const save = async (): Promise<string | null> => {
    if (!form.check()) return ''
    const { Owner, Privileges, Buttons, ...text } = form.values
    const body = { ...text, Privileges: [...Privileges], Buttons: [...Buttons] }
    try {
      if (role) await change(editRole, { body: { ...body, RoleID: role.RoleID, Version: role.Version } })
      else await change(addRole, { body: { ...body, ...ownedBy(Owner) } })
      return null
    } catch (error) {
      return refuseForm(form, error)
    }
  }
  const text = (name: 'Name' | 'Number' | 'Description', label: string, maxLength: number) => (
    <TextField
      label={label}
      {...form.field(name)}
      maxLength={maxLength}
      required={name !== 'Description'}
      autoFocus={name === 'Name'}
    />
  )
  return (
    <FormDialog title={role ? t('editRole') : t('addRole')} submit={t('app:save')} wide onSubmit={save} onClose={onClose}>
      <div className="form-grid">
        {text('Name', t('roleName'), 64)}
        {text('Number', t('roleNumber'), 32)}
        {!role && <OwnerField value={form.values.Owner} onChange={(owner) => form.set('Owner', owner)} />}
        <div className="wide">{text('Description', t('description'), 200)}</div>
      </div>
      {query.data ? (
        <PermissionTree
          permissions={query.data}
          privileges={form.values.Privileges}
          buttons={form.values.Buttons}
          error={form.errorOf('Privileges')}
          onPrivileges={(keys) => form.set('Privileges', keys)}
          onButtons={(keys) => form.set('Buttons', keys)}
        />
      ) : (
        <Unloaded query={query} />
      )}
    </FormDialog>
  )
}

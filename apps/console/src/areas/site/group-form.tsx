import type { GroupRecord } from '@linewarden/contract'
import { addGroup, editGroup, groupNameOf } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { change } from '../../app/net/change.ts'
import { refuseForm } from '../../app/net/refuse-form.ts'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { localised } from '../../ui/i18n.ts'
import { useForm } from '../../ui/use-form.ts'
import { installation, OwnerField, ownedBy } from './owner-field.tsx'

/** A new group, or an existing one. */
export function GroupForm({ group, onClose }: { group: GroupRecord | null; onClose: () => void }) {
  const { t } = useTranslation(['site', 'app'])
  const shown = group ? localised(groupNameOf(group)) : ''
  const form = useForm({ Name: shown, Remark: group?.Remark ?? '', Owner: installation }, ({ Name }) => ({
    Name: Name.trim() === '' ? t('app:nameMissing') : null,
  }))
  const save = async (): Promise<string | null> => {
    if (!form.check()) return ''
    const typed = form.values.Name.trim()
    // What was not touched stays as it is stored: the first group keeps a name that everybody reads in their language.
    const body = { Name: group && typed === shown ? group.Name : typed, Remark: form.values.Remark.trim() }
    try {
      if (group) await change(editGroup, { body: { ...body, CityID: group.CityID, Version: group.Version } })
      else await change(addGroup, { body: { ...body, ...ownedBy(form.values.Owner) } })
      return null
    } catch (error) {
      return refuseForm(form, error)
    }
  }
  return (
    <FormDialog title={group ? t('editGroup') : t('addGroup')} submit={t('app:save')} onSubmit={save} onClose={onClose}>
      <TextField label={t('groupName')} {...form.field('Name')} maxLength={50} required autoFocus />
      {!group && <OwnerField value={form.values.Owner} onChange={(owner) => form.set('Owner', owner)} />}
      <TextField label={t('app:remark')} {...form.field('Remark')} maxLength={200} />
    </FormDialog>
  )
}

import type { ProjectRecord } from '@linewarden/contract'
import { groupNameOf, moveToGroup, transferProject } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { change } from '../../app/net/change.ts'
import { errorTextOf } from '../../app/net/error-text.ts'
import { NoChoice } from '../../app/net/no-choice.tsx'
import { refuseForm } from '../../app/net/refuse-form.ts'
import { SelectField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { localised } from '../../ui/i18n.ts'
import { PickField } from '../../ui/pick-field.tsx'
import { useForm } from '../../ui/use-form.ts'
import { installation } from './owner-field.tsx'
import { useAdministrators, useGroupNames, useMe } from './queries.ts'

/** Moves a project to another group; who runs the installation also to another administrator. */
export function ProjectTransfer({ project, onClose }: { project: ProjectRecord; onClose: () => void }) {
  const { t } = useTranslation(['project', 'app'])
  const platform = useMe().data?.Kind === 'platform'
  const accounts = useAdministrators(platform)
  const administrators = accounts.data?.items ?? []
  const all = useGroupNames()
  const form = useForm({ UserName: project.UserName || installation, CityID: String(project.CityID) }, () => ({}))
  const { UserName, CityID } = form.values
  const other = UserName !== (project.UserName || installation)
  const ownerId = UserName === installation ? null : administrators.find((each) => each.UserName === UserName)?.AccountID
  const groups = (all.data?.items ?? []).filter(({ OwnerID }) => OwnerID === (other ? ownerId : project.OwnerID))
  const save = async (): Promise<string | null> => {
    try {
      await change(transferProject, {
        body: {
          HouseID: project.HouseID,
          Version: project.Version,
          ...(CityID !== '' && { CityID: Number(CityID) }),
          ...(other && { UserName: UserName === installation ? '' : UserName }),
        },
      })
      return null
    } catch (error) {
      return refuseForm(form, error)
    }
  }
  return (
    <FormDialog
      title={t('transferTitle', { name: project.Name })}
      submit={t('transfer')}
      onSubmit={() => (other || CityID !== String(project.CityID) ? save() : Promise.resolve(null))}
      onClose={onClose}
    >
      <p>{other ? t('transferWhat') : t('transferGroupWhat')}</p>
      {platform && (
        <PickField
          label={t('app:administrator')}
          hint={other ? t('sharedStays') : undefined}
          value={UserName}
          options={[
            { value: installation, label: t('app:installation') },
            ...administrators.map((each) => ({ value: each.UserName, label: each.UserName, note: each.NickName })),
          ]}
          onChange={(value) => {
            form.set('UserName', value === '' ? project.UserName || installation : value)
            form.set('CityID', '')
          }}
        />
      )}
      {platform && <NoChoice query={accounts} />}
      <SelectField
        label={t('group')}
        value={CityID}
        placeholder={other ? t('defaultGroup') : undefined}
        onChange={(value) => form.set('CityID', value)}
        options={groups.map((group) => ({ value: String(group.CityID), label: localised(groupNameOf(group)) }))}
      />
      <NoChoice query={all} />
    </FormDialog>
  )
}

/** Puts several projects into one group. */
export function MoveToGroup({
  houseIds,
  onMoved,
  onClose,
}: {
  houseIds: readonly number[]
  onMoved: () => void
  onClose: () => void
}) {
  const { t } = useTranslation(['project', 'app'])
  const groups = useGroupNames()
  const form = useForm({ CityID: '' }, ({ CityID }) => ({ CityID: CityID === '' ? t('groupEmpty') : null }))
  return (
    <FormDialog
      title={t('moveTitle', { count: houseIds.length })}
      submit={t('moveSubmit')}
      onClose={onClose}
      onSubmit={async () => {
        if (!form.check()) return ''
        const body = { CityID: Number(form.values.CityID), HouseIDs: [...houseIds] }
        return errorTextOf(change(moveToGroup, { body }).then(onMoved))
      }}
    >
      <PickField
        label={t('group')}
        {...form.field('CityID')}
        placeholder={t('app:pleaseSelect')}
        options={(groups.data?.items ?? []).map((group) => ({
          value: String(group.CityID),
          label: localised(groupNameOf(group)),
        }))}
        required
      />
      <NoChoice query={groups} />
    </FormDialog>
  )
}

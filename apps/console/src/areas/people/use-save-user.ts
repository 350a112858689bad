import { CallError, md5Hex } from '@linewarden/client'
import type { Request, UserRecord } from '@linewarden/contract'
import { addAdministrator, addSharedAccount, addSubAccount, editUser } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { change } from '../../app/net/change.ts'
import { refuseForm } from '../../app/net/refuse-form.ts'
import { toast } from '../../app/notify/toasts.tsx'
import type { Form } from '../../ui/use-form.ts'
import { useAssignable } from './assign-tree.tsx'
import type { UserValues } from './user-values.ts'
import { hasRole, isNothing } from './user-values.ts'

/**
 * Adds what the form holds, or changes the account by it; answers null when it is done, or what to tell the person.
 * `ownerId`: whom the account stands under, see `useAssignable`.
 */
export function useSaveUser(form: Form<UserValues>, user: UserRecord | null, ownerId: string | null | undefined) {
  const { t } = useTranslation(['people', 'app'])
  const [version, setVersion] = useState(user?.Version ?? 0)
  const { only } = useAssignable(ownerId)
  return async (): Promise<string | null> => {
    if (!form.check()) return ''
    const { values } = form
    const isGiven = hasRole(values.Kind) && values.Assigned !== user?.Assigned
    const given = only(values.Assigned)
    if (isGiven && isNothing(given)) return form.refuse([{ name: 'Assigned', text: t('notAssigned') }]).join(' ')
    const sent = isGiven ? { ...values, Assigned: given } : values
    try {
      if (user) await change(editUser, { body: { AccountID: user.AccountID, Version: version, ...changesOf(sent, user) } })
      else await add(sent, ownerId ?? undefined)
      if (user) toast('info', t('edited'))
      return null
    } catch (error) {
      // The rest was saved, and that made the next version: saving again goes on from there.
      if (error instanceof CallError && error.message === 'device share failed') setVersion(version + 1)
      return refuseForm(form, error)
    }
  }
}

async function add(values: UserValues, OwnerID: string | undefined): Promise<void> {
  const Mobile = values.Mobile.trim()
  const person = {
    ...personOf(values),
    ...(Mobile !== '' && { Mobile }),
    UserName: values.UserName.trim(),
    Password: md5Hex(values.Password),
  }
  const control = values.ControlPassword === '' ? {} : { ControlPassword: md5Hex(values.ControlPassword) }
  const under = OwnerID === undefined ? {} : { OwnerID }
  const work = { RoleID: Number(values.RoleID), Assigned: assignedOf(values), ...under }
  if (values.Kind === 'sub') await change(addSubAccount, { body: { ...person, ...control, ...work } })
  else if (values.Kind === 'shared') await change(addSharedAccount, { body: { ...person, ...work } })
  else await change(addAdministrator, { body: { ...person, ...control, Kind: values.Kind } })
}

/** What was changed of an account; what was left alone is not sent. */
function changesOf(values: UserValues, user: UserRecord): Partial<Request<typeof editUser>['body']> {
  return {
    ...personOf(values),
    Mobile: values.Mobile.trim(),
    Enabled: values.Enabled,
    ...(values.Password !== '' && { PasswordMD5: md5Hex(values.Password) }),
    ...(values.RemoveControl
      ? { ControlPassword: null }
      : values.ControlPassword !== '' && { ControlPassword: md5Hex(values.ControlPassword) }),
    ...(hasRole(values.Kind) && values.RoleID !== String(user.RoleID) && { RoleID: Number(values.RoleID) }),
    ...(hasRole(values.Kind) && values.Assigned !== user.Assigned && { Assigned: assignedOf(values) }),
  }
}

const personOf = ({ NickName, Email, JobName, Remark, Sex }: UserValues) => ({
  NickName,
  Email: Email.trim(),
  JobName,
  Remark,
  Sex,
})

const assignedOf = ({ Assigned }: UserValues) => ({ HouseIDs: [...Assigned.HouseIDs], DeviceIDs: [...Assigned.DeviceIDs] })

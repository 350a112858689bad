import type { AccountKind, Sex, UserRecord } from '@linewarden/contract'
import { isAdministratorAccount, isMobileAccount } from '@linewarden/rules/account'
import type { TFunction } from 'i18next'
import { email, passwordProblem, phone } from '../account/password-rules.ts'
import { installation } from '../site/owner-field.tsx'
import type { Assigned } from './assign-tree.tsx'

/** What the form of an account holds. */
export interface UserValues {
  readonly Kind: AccountKind
  readonly Owner: string
  readonly UserName: string
  readonly NickName: string
  readonly RoleID: string
  readonly Mobile: string
  readonly Sex: Sex
  readonly Email: string
  readonly JobName: string
  readonly Remark: string
  readonly Password: string
  readonly Confirm: string
  readonly ControlPassword: string
  readonly RemoveControl: boolean
  readonly Enabled: boolean
  readonly Assigned: Assigned
}

export const nothingAssigned: Assigned = { HouseIDs: [], DeviceIDs: [] }

/** Whether such an account has a role and sees what it is given; an administrator needs neither. */
export const hasRole = (kind: AccountKind): kind is 'sub' | 'shared' => kind === 'sub' || kind === 'shared'

export const valuesOf = (user: UserRecord | null): UserValues => ({
  Kind: user?.Kind ?? 'sub',
  Owner: user?.OwnerID ?? installation,
  UserName: user?.UserName ?? '',
  NickName: user?.NickName ?? '',
  RoleID: user?.RoleID ? String(user.RoleID) : '',
  Mobile: user?.Mobile ?? '',
  Sex: user?.Sex ?? 'unknown',
  Email: user?.Email ?? '',
  JobName: user?.JobName ?? '',
  Remark: user?.Remark ?? '',
  Password: '',
  Confirm: '',
  ControlPassword: '',
  RemoveControl: false,
  Enabled: user?.Enabled ?? true,
  Assigned: user?.Assigned ?? nothingAssigned,
})

type T = TFunction<['people', 'app']>

/** What is wrong with each field of a new account, or of one that exists. */
export function userProblems(t: T, values: UserValues, isNew: boolean) {
  const { Kind, NickName, RoleID, Mobile, Email, Password, ControlPassword, Assigned } = values
  return {
    UserName: accountProblem(t, values, isNew),
    NickName: NickName.trim() === '' ? t('nameEmpty') : null,
    RoleID: hasRole(Kind) && RoleID === '' ? t('roleEmpty') : null,
    Mobile: Mobile.trim() === '' || phone.test(Mobile.trim()) ? null : t('mobileWrong'),
    Email: Email.trim() === '' || email.test(Email.trim()) ? null : t('emailWrong'),
    Password: !isNew && Password === '' ? null : passwordProblem(t, Password),
    Confirm: confirmProblem(t, values, isNew),
    ControlPassword: ControlPassword !== '' && ControlPassword.length < 6 ? t('passwordShort') : null,
    Assigned: hasRole(Kind) && isNothing(Assigned) ? t('notAssigned') : null,
  }
}

function accountProblem(t: T, { Kind, UserName }: UserValues, isNew: boolean): string | null {
  const name = UserName.trim()
  if (name === '') return t('accountEmpty')
  if (!isNew) return null
  if (hasRole(Kind)) return isMobileAccount(name) ? null : t('accountWrong')
  return isAdministratorAccount(name) ? null : t('administratorWrong')
}

function confirmProblem(t: T, { Password, Confirm }: UserValues, isNew: boolean): string | null {
  if (Confirm === '' && (isNew || Password !== '')) return t('confirmEmpty')
  return Password === Confirm ? null : t('confirmWrong')
}

export const isNothing = ({ HouseIDs, DeviceIDs }: Assigned): boolean => HouseIDs.length + DeviceIDs.length === 0

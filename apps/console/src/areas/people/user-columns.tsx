import type { UserRecord } from '@linewarden/contract'
import type { TFunction } from 'i18next'
import { dayTime } from '../../ui/format.ts'
import type { TableColumn } from '../../ui/table-column.ts'

/** What an account's row shows; all of it is exported. */
export function userColumns(t: TFunction<['people', 'app', 'security']>): readonly TableColumn<UserRecord>[] {
  const assigned = ({ Kind, Assigned }: UserRecord) =>
    Kind === 'platform' || Kind === 'project'
      ? t('app:all')
      : t('assignedCount', { houses: Assigned.HouseIDs.length, gateways: Assigned.DeviceIDs.length })
  const plain = (key: 'Mobile' | 'Email' | 'JobName' | 'Remark', head: string, optional = true): TableColumn<UserRecord> => ({
    key,
    head,
    cell: (row) => row[key] || '–',
    text: (row) => row[key],
    optional,
  })
  const word = (key: string, head: string, of: (user: UserRecord) => string, optional = false): TableColumn<UserRecord> => ({
    key,
    head,
    cell: of,
    text: of,
    optional,
  })
  return [
    word('UserName', t('account'), (user) => user.UserName),
    word('NickName', t('name'), (user) => user.NickName || '–'),
    word('Kind', t('kind'), (user) => t(user.Kind)),
    word('RoleName', t('role'), (user) => user.RoleName || '–'),
    plain('Mobile', t('mobile'), false),
    word('Assigned', t('assigned'), assigned),
    word('ControlPwd', t('controlPwd'), (user) => (user.ControlPwd ? t('controlSet') : t('controlNone'))),
    word(
      'SecondFactor',
      t('security:factor'),
      (user) => (user.SecondFactor ? t('security:factorOn') : t('security:factorOff')),
      true,
    ),
    {
      key: 'Enabled',
      head: t('app:state'),
      cell: ({ Enabled }) => (Enabled ? t('app:enabled') : <b>{t('app:disabled')}</b>),
      text: ({ Enabled }) => (Enabled ? t('app:enabled') : t('app:disabled')),
    },
    word('LastLoginAt', t('lastLogin'), ({ LastLoginAt }) => (LastLoginAt === null ? t('never') : dayTime(LastLoginAt))),
    word('Sex', t('sex'), (user) => t(user.Sex), true),
    plain('Email', t('email')),
    plain('JobName', t('job')),
    plain('Remark', t('app:remark')),
    word('OwnerName', t('app:administrator'), ({ OwnerName }) => OwnerName || t('app:installation'), true),
  ]
}

import type { UserRecord } from '@linewarden/contract'
import { accountKinds, deleteUser, listUsers, resetSecondFactor } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/net/api.ts'
import { change } from '../../app/net/change.ts'
import { errorTextOf } from '../../app/net/error-text.ts'
import { useRows } from '../../app/net/use-rows.ts'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import { useSession } from '../../app/session/session.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { FilterSelect, SearchField } from '../../ui/fields.tsx'
import { dayTime } from '../../ui/format.ts'
import { Icon } from '../../ui/icon.tsx'
import { useListState } from '../../ui/list-state.ts'
import { Page } from '../../ui/page.tsx'
import { QueryTable } from '../../ui/query-table.tsx'
import type { TableColumn } from '../../ui/table-column.ts'
import { useDelayed } from '../../ui/use-delayed.ts'
import { SessionsDialog } from '../account/sessions-dialog.tsx'
import { UserForm } from './user-form.tsx'

type Open =
  | { readonly kind: 'form'; readonly user: UserRecord | null }
  | { readonly kind: 'delete' | 'sessions' | 'factor'; readonly user: UserRecord }

const filters = ['UserName', 'NickName', 'Kind', 'Enabled'] as const
const sortable = ['UserName', 'NickName', 'Kind', 'RoleName', 'Enabled', 'LastLoginAt'] as const

/** Who may sign in, as what, and what does each see? */
export function UserPage() {
  const { t } = useTranslation(['people', 'app', 'security'])
  const list = useListState(filters, sortable)
  const me = useSession(({ userId }) => userId)
  const [open, setOpen] = useState<Open | null>(null)
  const account = useDelayed(list.filter('UserName'), 300)
  const name = useDelayed(list.filter('NickName'), 300)
  const kind = accountKinds.find((each) => each === list.filter('Kind'))
  const enabled = { enabled: true, disabled: false }[list.filter('Enabled')]
  const body = {
    ...(account && { UserName: account }),
    ...(name && { NickName: name }),
    ...(kind && { Kind: kind }),
    ...(enabled !== undefined && { Enabled: enabled }),
    ...list.order,
  }
  const requestOf = (Page: number, Size: number) => ({ body: { ...body, Page, Size } })
  const rows = useRows(listUsers, requestOf(list.page, list.size))
  const assigned = ({ Kind, Assigned }: UserRecord) =>
    Kind === 'platform' || Kind === 'project'
      ? t('everything')
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
  const columns: readonly TableColumn<UserRecord>[] = [
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
      head: t('state'),
      cell: ({ Enabled }) => (Enabled ? t('enabled') : <b>{t('disabled')}</b>),
      text: ({ Enabled }) => (Enabled ? t('enabled') : t('disabled')),
    },
    word('LastLoginAt', t('lastLogin'), ({ LastLoginAt }) => (LastLoginAt === null ? t('never') : dayTime(LastLoginAt))),
    word('Sex', t('sex'), (user) => t(user.Sex), true),
    plain('Email', t('email')),
    plain('JobName', t('job')),
    plain('Remark', t('remark')),
    word('OwnerName', t('owner'), ({ OwnerName }) => OwnerName || t('installation'), true),
  ]
  const close = () => setOpen(null)
  const add = () => setOpen({ kind: 'form', user: null })
  return (
    <Page title={t('users')}>
      <QueryTable
        label={t('users')}
        columns={columns}
        rows={rows}
        rowKey={({ AccountID }) => AccountID}
        list={list}
        filters={
          <>
            <SearchField
              label={t('account')}
              value={list.filter('UserName')}
              onChange={(value) => list.setFilter('UserName', value)}
            />
            <SearchField
              label={t('name')}
              value={list.filter('NickName')}
              onChange={(value) => list.setFilter('NickName', value)}
            />
            <FilterSelect
              label={t('allKinds')}
              value={kind ?? ''}
              options={accountKinds.map((value) => ({ value, label: t(value) }))}
              onChange={(value) => list.setFilter('Kind', value)}
            />
            <FilterSelect
              label={t('anyState')}
              value={list.filter('Enabled')}
              options={(['enabled', 'disabled'] as const).map((value) => ({ value, label: t(value) }))}
              onChange={(value) => list.setFilter('Enabled', value)}
            />
          </>
        }
        actions={
          <button type="button" className="btn primary" onClick={add}>
            <Icon name="plus" />
            {t('addUser')}
          </button>
        }
        rowActions={(user) => (
          <>
            {/* Oneself is edited from the menu at the top right, after the control password where one is set. */}
            <ReasonedButton
              className="btn small quiet"
              reason={user.AccountID === me ? t('ownElsewhere') : null}
              onClick={() => setOpen({ kind: 'form', user })}
            >
              {t('app:edit')}
            </ReasonedButton>
            <button type="button" className="btn small quiet" onClick={() => setOpen({ kind: 'sessions', user })}>
              {t('sessions')}
            </button>
            {user.SecondFactor && user.AccountID !== me && (
              <button type="button" className="btn small quiet" onClick={() => setOpen({ kind: 'factor', user })}>
                {t('security:reset')}
              </button>
            )}
            <ReasonedButton
              className="btn small quiet"
              reason={user.AccountID === me ? t('ownElsewhere') : null}
              onClick={() => setOpen({ kind: 'delete', user })}
            >
              {t('app:delete')}
            </ReasonedButton>
          </>
        )}
        empty={{ title: t('noUsers'), hint: t('noUsersHint'), action: { label: t('addUser'), run: add } }}
        fetchPage={(page, size) => api.call(listUsers, requestOf(page, size))}
      />
      {open?.kind === 'form' && <UserForm user={open.user} onClose={close} />}
      {open?.kind === 'sessions' && (
        <SessionsDialog
          accountId={open.user.AccountID}
          title={t('sessionsOf', { name: open.user.NickName || open.user.UserName })}
          onClose={close}
        />
      )}
      {open?.kind === 'factor' && (
        <ConfirmDialog
          title={t('security:resetTitle', { name: open.user.NickName || open.user.UserName })}
          what={t('security:resetWhat')}
          submit={t('security:reset')}
          onClose={close}
          onConfirm={() => errorTextOf(change(resetSecondFactor, { body: { AccountID: open.user.AccountID } }))}
        />
      )}
      {open?.kind === 'delete' && (
        <ConfirmDialog
          title={t('deleteUserTitle', { name: open.user.NickName || open.user.UserName })}
          what={t('deleteUserWhat')}
          submit={t('app:delete')}
          onClose={close}
          onConfirm={() => errorTextOf(change(deleteUser, { body: { AccountID: open.user.AccountID } }))}
        />
      )}
    </Page>
  )
}

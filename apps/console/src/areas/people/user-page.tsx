import type { UserRecord } from '@linewarden/contract'
import { deleteUser, listUsers, resetSecondFactor } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/net/api.ts'
import { change } from '../../app/net/change.ts'
import { errorTextOf } from '../../app/net/error-text.ts'
import { useRows } from '../../app/net/use-rows.ts'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import { useSession } from '../../app/session/session.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryTable } from '../../ui/query-table.tsx'
import { SessionsDialog } from '../account/sessions-dialog.tsx'
import { userColumns } from './user-columns.tsx'
import { UserFilters, useUserList } from './user-filters.tsx'
import { UserForm } from './user-form.tsx'

type Open =
  | { readonly kind: 'form'; readonly user: UserRecord | null }
  | { readonly kind: 'delete' | 'sessions' | 'factor'; readonly user: UserRecord }

/** Who may sign in, as what, and what does each see? */
export function UserPage() {
  const { t } = useTranslation(['people', 'app', 'security'])
  const { list, requestOf } = useUserList()
  const [open, setOpen] = useState<Open | null>(null)
  const rows = useRows(listUsers, requestOf(list.page, list.size))
  const add = () => setOpen({ kind: 'form', user: null })
  return (
    <Page title={t('users')}>
      <QueryTable
        label={t('users')}
        columns={userColumns(t)}
        rows={rows}
        rowKey={({ AccountID }) => AccountID}
        list={list}
        filters={<UserFilters list={list} />}
        actions={
          <button type="button" className="btn primary" onClick={add}>
            <Icon name="plus" />
            {t('addUser')}
          </button>
        }
        rowActions={(user) => <UserActions user={user} onOpen={setOpen} />}
        empty={{ title: t('noUsers'), hint: t('noUsersHint'), action: { label: t('addUser'), run: add } }}
        fetchPage={(page, size) => api.call(listUsers, requestOf(page, size))}
      />
      {open && <OpenDialog open={open} onClose={() => setOpen(null)} />}
    </Page>
  )
}

function UserActions({ user, onOpen }: { user: UserRecord; onOpen: (open: Open) => void }) {
  const { t } = useTranslation(['people', 'app', 'security'])
  const isMe = useSession(({ userId }) => userId) === user.AccountID
  // Oneself is edited from the menu at the top right, after the control password where one is set.
  const whyNot = isMe ? t('ownElsewhere') : null
  return (
    <>
      <ReasonedButton className="btn small quiet" reason={whyNot} onClick={() => onOpen({ kind: 'form', user })}>
        {t('app:edit')}
      </ReasonedButton>
      <button type="button" className="btn small quiet" onClick={() => onOpen({ kind: 'sessions', user })}>
        {t('sessions')}
      </button>
      {user.SecondFactor && !isMe && (
        <button type="button" className="btn small quiet" onClick={() => onOpen({ kind: 'factor', user })}>
          {t('security:reset')}
        </button>
      )}
      <ReasonedButton className="btn small quiet" reason={whyNot} onClick={() => onOpen({ kind: 'delete', user })}>
        {t('app:delete')}
      </ReasonedButton>
    </>
  )
}

function OpenDialog({ open, onClose }: { open: Open; onClose: () => void }) {
  const { t } = useTranslation(['people', 'app', 'security'])
  if (open.kind === 'form') return <UserForm user={open.user} onClose={onClose} />
  const { AccountID, NickName, UserName } = open.user
  const name = NickName || UserName
  switch (open.kind) {
    case 'sessions':
      return <SessionsDialog accountId={AccountID} title={t('sessionsOf', { name })} onClose={onClose} />
    case 'factor':
      return (
        <ConfirmDialog
          title={t('security:resetTitle', { name })}
          what={t('security:resetWhat')}
          submit={t('security:reset')}
          onClose={onClose}
          onConfirm={() => errorTextOf(change(resetSecondFactor, { body: { AccountID } }))}
        />
      )
    case 'delete':
      return (
        <ConfirmDialog
          title={t('deleteUserTitle', { name })}
          what={t('deleteUserWhat')}
          submit={t('app:delete')}
          onClose={onClose}
          onConfirm={() => errorTextOf(change(deleteUser, { body: { AccountID } }))}
        />
      )
  }
}

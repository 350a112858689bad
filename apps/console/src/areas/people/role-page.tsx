import type { RoleRecord } from '@linewarden/contract'
import { deleteRole, queryRoles } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/net/api.ts'
import { change } from '../../app/net/change.ts'
import { errorTextOf } from '../../app/net/error-text.ts'
import { useRows } from '../../app/net/use-rows.ts'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { SearchField } from '../../ui/fields.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useListState } from '../../ui/list-state.ts'
import { Page } from '../../ui/page.tsx'
import { QueryTable } from '../../ui/query-table.tsx'
import type { TableColumn } from '../../ui/table-column.ts'
import { useDelayed } from '../../ui/use-delayed.ts'
import { permissionNames } from './permission-names.ts'
import { RoleForm } from './role-form.tsx'

type Open = { readonly kind: 'form'; readonly role: RoleRecord | null } | { readonly kind: 'delete'; readonly role: RoleRecord }

const filters = ['Name'] as const
const sortable = ['Name', 'Number', 'UserCount', 'OwnerName'] as const

/** Which roles are there, and what may each do? */
export function RolePage() {
  const { t } = useTranslation(['people', 'app'])
  const list = useListState(filters, sortable)
  const name = useDelayed(list.filter('Name'), 300)
  const [open, setOpen] = useState<Open | null>(null)
  const requestOf = (Page: number, Size: number) => ({ body: { ...(name && { Name: name }), Page, Size, ...list.order } })
  const rows = useRows(queryRoles, requestOf(list.page, list.size))
  const granted = ({ Privileges, Buttons }: RoleRecord) => permissionNames([...Privileges, ...Buttons]).join('、')
  const columns: readonly TableColumn<RoleRecord>[] = [
    { key: 'Name', head: t('roleName'), cell: ({ Name }) => Name, text: ({ Name }) => Name },
    { key: 'Number', head: t('roleNumber'), cell: (row) => row.Number, text: (row) => row.Number },
    {
      key: 'Description',
      head: t('description'),
      cell: ({ Description }) => Description || '–',
      text: ({ Description }) => Description,
    },
    {
      key: 'permissions',
      head: t('permissions'),
      cell: (row) => <span title={granted(row)}>{granted(row)}</span>,
      text: granted,
    },
    { key: 'UserCount', head: t('userCount'), end: true, cell: (row) => row.UserCount, text: (row) => row.UserCount },
    {
      key: 'OwnerName',
      head: t('app:administrator'),
      cell: ({ OwnerName }) => OwnerName || t('app:installation'),
      text: ({ OwnerName }) => OwnerName,
    },
  ]
  const add = () => setOpen({ kind: 'form', role: null })
  return (
    <Page title={t('roles')}>
      <QueryTable
        label={t('roles')}
        columns={columns}
        rows={rows}
        rowKey={({ RoleID }) => String(RoleID)}
        list={list}
        filters={
          <SearchField label={t('roleName')} value={list.filter('Name')} onChange={(value) => list.setFilter('Name', value)} />
        }
        actions={
          <button type="button" className="btn primary" onClick={add}>
            <Icon name="plus" />
            {t('addRole')}
          </button>
        }
        rowActions={(role) => (
          <>
            <button type="button" className="btn small quiet" onClick={() => setOpen({ kind: 'form', role })}>
              {t('app:edit')}
            </button>
            <ReasonedButton
              className="btn small quiet"
              reason={role.UserCount > 0 ? t('roleInUse') : null}
              onClick={() => setOpen({ kind: 'delete', role })}
            >
              {t('app:delete')}
            </ReasonedButton>
          </>
        )}
        empty={{ title: t('noRoles'), hint: t('noRolesHint'), action: { label: t('addRole'), run: add } }}
        fetchPage={(page, size) => api.call(queryRoles, requestOf(page, size))}
      />
      {open?.kind === 'form' && <RoleForm role={open.role} onClose={() => setOpen(null)} />}
      {open?.kind === 'delete' && (
        <ConfirmDialog
          title={t('deleteRoleTitle', { name: open.role.Name })}
          what={t('deleteRoleWhat')}
          submit={t('app:delete')}
          onClose={() => setOpen(null)}
          onConfirm={() => errorTextOf(change(deleteRole, { body: { RoleID: open.role.RoleID } }))}
        />
      )}
    </Page>
  )
}

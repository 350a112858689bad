import type { GroupRecord } from '@linewarden/contract'
import { deleteGroup, groupNameOf, queryGroups } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/net/api.ts'
import { change } from '../../app/net/change.ts'
import { errorTextOf } from '../../app/net/error-text.ts'
import { useRows } from '../../app/net/use-rows.ts'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { SearchField } from '../../ui/fields.tsx'
import { localised } from '../../ui/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import { useListState } from '../../ui/list-state.ts'
import { Page } from '../../ui/page.tsx'
import { QueryTable } from '../../ui/query-table.tsx'
import type { TableColumn } from '../../ui/table-column.ts'
import { useDelayed } from '../../ui/use-delayed.ts'
import { GroupForm } from './group-form.tsx'

type Open =
  | { readonly kind: 'form'; readonly group: GroupRecord | null }
  | { readonly kind: 'delete'; readonly group: GroupRecord }

const filters = ['Name'] as const
const sortable = ['Name', 'HouseCount', 'OwnerName'] as const

/** Which groups are there, and what is in them? */
export function CityPage() {
  const { t } = useTranslation(['site', 'app'])
  const list = useListState(filters, sortable)
  const name = useDelayed(list.filter('Name'), 300)
  const [open, setOpen] = useState<Open | null>(null)
  const requestOf = (Page: number, Size: number) => ({ body: { ...(name && { Name: name }), Page, Size, ...list.order } })
  const rows = useRows(queryGroups, requestOf(list.page, list.size))
  const columns: readonly TableColumn<GroupRecord>[] = [
    {
      key: 'Name',
      head: t('groupName'),
      cell: (group) => (
        <>
          {localised(groupNameOf(group))} {group.IsDefault && <span className="chip">{t('defaultGroup')}</span>}
        </>
      ),
      text: (group) => localised(groupNameOf(group)),
    },
    {
      key: 'HouseCount',
      head: t('projects'),
      end: true,
      cell: ({ HouseCount }) => HouseCount,
      text: ({ HouseCount }) => HouseCount,
    },
    {
      key: 'OwnerName',
      head: t('app:administrator'),
      cell: ({ OwnerName }) => OwnerName || t('app:installation'),
      text: ({ OwnerName }) => OwnerName,
    },
    { key: 'Remark', head: t('app:remark'), cell: ({ Remark }) => Remark || '–', text: ({ Remark }) => Remark },
  ]
  const whyNotDeleted = ({ IsDefault, HouseCount, Mine }: GroupRecord) =>
    IsDefault ? t('defaultStays') : HouseCount > 0 ? t('groupInUse') : Mine ? null : t('groupNotMine')
  return (
    <Page title={t('groups')}>
      <QueryTable
        label={t('groups')}
        columns={columns}
        rows={rows}
        rowKey={({ CityID }) => String(CityID)}
        list={list}
        filters={
          <SearchField label={t('groupName')} value={list.filter('Name')} onChange={(value) => list.setFilter('Name', value)} />
        }
        actions={
          <button type="button" className="btn primary" onClick={() => setOpen({ kind: 'form', group: null })}>
            <Icon name="plus" />
            {t('addGroup')}
          </button>
        }
        rowActions={(group) => (
          <>
            <ReasonedButton
              className="btn small quiet"
              reason={group.Mine ? null : t('groupNotMine')}
              onClick={() => setOpen({ kind: 'form', group })}
            >
              {t('app:edit')}
            </ReasonedButton>
            <ReasonedButton
              className="btn small quiet"
              reason={whyNotDeleted(group)}
              onClick={() => setOpen({ kind: 'delete', group })}
            >
              {t('app:delete')}
            </ReasonedButton>
          </>
        )}
        empty={{ title: t('noGroups'), hint: t('noGroupsHint') }}
        fetchPage={(page, size) => api.call(queryGroups, requestOf(page, size))}
        exportName={t('groups')}
      />
      {open?.kind === 'form' && <GroupForm group={open.group} onClose={() => setOpen(null)} />}
      {open?.kind === 'delete' && (
        <ConfirmDialog
          title={t('deleteGroupTitle', { name: localised(groupNameOf(open.group)) })}
          what={t('deleteGroupWhat')}
          submit={t('app:delete')}
          onClose={() => setOpen(null)}
          onConfirm={() => errorTextOf(change(deleteGroup, { params: { CityID: open.group.CityID } }))}
        />
      )}
    </Page>
  )
}

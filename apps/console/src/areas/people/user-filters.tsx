import { accountKinds } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { FilterSelect, SearchField } from '../../ui/fields.tsx'
import type { ListState } from '../../ui/list-state.ts'
import { useListState } from '../../ui/list-state.ts'
import { useDelayed } from '../../ui/use-delayed.ts'

const filters = ['UserName', 'NickName', 'Kind', 'Enabled'] as const
const sortable = ['UserName', 'NickName', 'Kind', 'RoleName', 'Enabled', 'LastLoginAt'] as const

const kindIn = (list: ListState) => accountKinds.find((each) => each === list.filter('Kind'))

/** The list of accounts as the address holds it, and what it asks for, a page at a time. */
export function useUserList() {
  const list = useListState(filters, sortable)
  const account = useDelayed(list.filter('UserName'), 300)
  const name = useDelayed(list.filter('NickName'), 300)
  const kind = kindIn(list)
  const enabled = { enabled: true, disabled: false }[list.filter('Enabled')]
  const body = {
    ...(account && { UserName: account }),
    ...(name && { NickName: name }),
    ...(kind && { Kind: kind }),
    ...(enabled !== undefined && { Enabled: enabled }),
    ...list.order,
  }
  return { list, requestOf: (Page: number, Size: number) => ({ body: { ...body, Page, Size } }) }
}

export function UserFilters({ list }: { list: ListState }) {
  const { t } = useTranslation(['people', 'app'])
  return (
    <>
      <SearchField label={t('account')} value={list.filter('UserName')} onChange={(value) => list.setFilter('UserName', value)} />
      <SearchField label={t('name')} value={list.filter('NickName')} onChange={(value) => list.setFilter('NickName', value)} />
      <FilterSelect
        label={t('allKinds')}
        value={kindIn(list) ?? ''}
        options={accountKinds.map((value) => ({ value, label: t(value) }))}
        onChange={(value) => list.setFilter('Kind', value)}
      />
      <FilterSelect
        label={t('anyState')}
        value={list.filter('Enabled')}
        options={(['enabled', 'disabled'] as const).map((value) => ({ value, label: t(`app:${value}`) }))}
        onChange={(value) => list.setFilter('Enabled', value)}
      />
    </>
  )
}

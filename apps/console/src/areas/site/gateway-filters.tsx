import { links } from '@linewarden/rules/alarm'
import { useTranslation } from 'react-i18next'
import { NoFilter } from '../../app/net/no-filter.tsx'
import { FilterSelect, SearchField } from '../../ui/fields.tsx'
import type { ListState } from '../../ui/list-state.ts'
import { useListState } from '../../ui/list-state.ts'
import { PickFilter } from '../../ui/pick-field.tsx'
import { useDelayed } from '../../ui/use-delayed.ts'
import { useProjectNames } from './queries.ts'

const filters = ['HouseID', 'GatewayName', 'Number', 'Link', 'Enabled'] as const
const sortable = ['GatewayName', 'Number', 'HouseName', 'Link', 'Enabled', 'DeviceCount', 'LineCount'] as const

/** The id that a part of the address holds; null: none. */
export const idIn = (text: string): number | null => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : null)

const linkIn = (list: ListState) => links.find((each) => each === list.filter('Link'))

/** The list of gateways as the address holds it, the project that it shows (null: all), and what it asks for, a page at a time. */
export function useGatewayList() {
  const list = useListState(filters, sortable)
  const houseId = idIn(list.filter('HouseID'))
  const name = useDelayed(list.filter('GatewayName'), 300)
  const number = useDelayed(list.filter('Number'), 300)
  const link = linkIn(list)
  const enabled = { on: true, off: false }[list.filter('Enabled')]
  const body = {
    ...(houseId !== null && { HouseID: houseId }),
    ...(name && { GatewayName: name }),
    ...(number && { Number: number }),
    ...(link && { Link: link }),
    ...(enabled !== undefined && { Enabled: enabled }),
    ...list.order,
  }
  return { list, houseId, requestOf: (Page: number, Size: number) => ({ body: { ...body, Page, Size } }) }
}

export function GatewayFilters({ list }: { list: ListState }) {
  const { t } = useTranslation(['gateway', 'app'])
  const projects = useProjectNames()
  return (
    <>
      <PickFilter
        label={t('allProjects')}
        value={list.filter('HouseID')}
        options={(projects.data?.items ?? []).map(({ HouseID, Name }) => ({ value: String(HouseID), label: Name }))}
        onChange={(value) => list.setFilter('HouseID', value)}
      />
      <NoFilter query={projects} />
      <SearchField
        label={t('name')}
        value={list.filter('GatewayName')}
        onChange={(value) => list.setFilter('GatewayName', value)}
      />
      <SearchField label={t('number')} value={list.filter('Number')} onChange={(value) => list.setFilter('Number', value)} />
      <FilterSelect
        label={t('allLinks')}
        value={linkIn(list) ?? ''}
        options={links.map((value) => ({ value, label: t(value) }))}
        onChange={(value) => list.setFilter('Link', value)}
      />
      <FilterSelect
        label={t('allEnabled')}
        value={list.filter('Enabled')}
        options={(['on', 'off'] as const).map((value) => ({
          value,
          label: value === 'on' ? t('app:enabled') : t('app:disabled'),
        }))}
        onChange={(value) => list.setFilter('Enabled', value)}
      />
    </>
  )
}

import type { DeviceRecord, equipmentLedger, listDevices } from '@linewarden/contract'
import { dueStates } from '@linewarden/contract'
import { links } from '@linewarden/rules/alarm'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/net/api.ts'
import { NoFilter } from '../../app/net/no-filter.tsx'
import { useRows } from '../../app/net/use-rows.ts'
import { FilterSelect, SearchField } from '../../ui/fields.tsx'
import { useListState } from '../../ui/list-state.ts'
import { PickFilter } from '../../ui/pick-field.tsx'
import { QueryTable } from '../../ui/query-table.tsx'
import { useChosen } from '../../ui/use-chosen.ts'
import { useDelayed } from '../../ui/use-delayed.ts'
import { deviceColumns, familyOptions } from './device-columns.tsx'
import { useProjectNames } from './queries.ts'

const filters = ['HouseID', 'Name', 'Family', 'Link', 'Due'] as const
const sortable = ['Name', 'ControllerID', 'Family', 'Model', 'LineCount', 'GatewayName', 'Number', 'HouseName', 'Link'] as const
const rowKey = ({ ControllerID }: DeviceRecord) => ControllerID

/** Devices of every gateway with their filters; the device list and the equipment ledger are two views of it. */
export function DeviceList({
  label,
  ledger,
  call,
  below,
  rowActions,
}: {
  label: string
  ledger: boolean
  call: typeof listDevices | typeof equipmentLedger
  /** What can be done with the chosen devices. */
  below?: (chosen: { rows: readonly DeviceRecord[]; keys: ReadonlySet<string>; clear: () => void }) => ReactNode
  /** What can be done with one device. */
  rowActions?: (device: DeviceRecord) => ReactNode
}) {
  const { t } = useTranslation(['gateway', 'app'])
  const list = useListState(filters, sortable)
  const projects = useProjectNames()
  const names = projects.data?.items ?? []
  const name = useDelayed(list.filter('Name'), 300)
  const house = list.filter('HouseID')
  const link = links.find((each) => each === list.filter('Link'))
  const due = dueStates.find((each) => ledger && each === list.filter('Due'))
  const family = list.filter('Family')
  const filter = {
    ...(/^[1-9]\d{0,8}$/.test(house) && { HouseID: Number(house) }),
    ...(name && { Name: name }),
    ...(family && { Family: family }),
    ...(link && { Link: link }),
    ...(due && { Due: due }),
    ...list.order,
  }
  const requestOf = (Page: number, Size: number) => ({ body: { ...filter, Page, Size } })
  const rows = useRows(call, requestOf(list.page, list.size))
  const chosen = useChosen(rows.data?.items, rowKey)
  return (
    <QueryTable
      label={label}
      columns={deviceColumns(t, ledger)}
      rows={rows}
      rowKey={rowKey}
      {...(rowActions && { rowActions })}
      list={list}
      {...(below && {
        selection: chosen.selection,
        below: below({ rows: chosen.rows, keys: chosen.selection.keys, clear: chosen.clear }),
      })}
      filters={
        <>
          <PickFilter
            label={t('allProjects')}
            value={house}
            options={names.map(({ HouseID, Name }) => ({ value: String(HouseID), label: Name }))}
            onChange={(value) => list.setFilter('HouseID', value)}
          />
          <NoFilter query={projects} />
          <SearchField
            label={t('deviceSearch')}
            value={list.filter('Name')}
            onChange={(value) => list.setFilter('Name', value)}
          />
          <FilterSelect
            label={t('allFamilies')}
            value={family}
            options={familyOptions()}
            onChange={(value) => list.setFilter('Family', value)}
          />
          <FilterSelect
            label={t('allLinks')}
            value={link ?? ''}
            options={links.map((value) => ({ value, label: t(value) }))}
            onChange={(value) => list.setFilter('Link', value)}
          />
          {ledger && (
            <FilterSelect
              label={t('allDues')}
              value={due ?? ''}
              options={dueStates.map((value) => ({ value, label: t(`due.${value}`) }))}
              onChange={(value) => list.setFilter('Due', value)}
            />
          )}
        </>
      }
      empty={{ title: t('noDeviceRows'), hint: t('noDeviceRowsHint') }}
      fetchPage={(page, size) => api.call(call, requestOf(page, size))}
    />
  )
}

import type { DeviceRecord } from '@linewarden/contract'
import { families, familyOf } from '@linewarden/equipment'
import type { TFunction } from 'i18next'
import { Link } from 'react-router'
import { dayTime } from '../../ui/format.ts'
import { localised } from '../../ui/i18n.ts'
import type { TableColumn } from '../../ui/table-column.ts'
import { DueDay, dueText } from './due-day.tsx'
import { LinkWord } from './link-word.tsx'

export const familyName = (key: string): string => {
  const family = familyOf(key)
  return family ? localised(family.label) : key
}

/** Every kind of equipment, for the filter of a list. */
export const familyOptions = () => families.map(({ key, label }) => ({ value: key, label: localised(label) }))

/** The live page with the device selected. */
const liveOf = ({ HouseID, ControllerID }: DeviceRecord) =>
  `/devmon/realtime?${new URLSearchParams({ at: `device:${HouseID}:${ControllerID}` })}`

/** What a device's row shows; the ledger shows who is asked about it too. */
export function deviceColumns(t: TFunction<['gateway', 'app']>, ledger: boolean): readonly TableColumn<DeviceRecord>[] {
  const plain = (key: keyof DeviceRecord, head: string, optional = false): TableColumn<DeviceRecord> => ({
    key,
    head,
    cell: (row) => row[key] || '–',
    text: (row) => String(row[key] ?? ''),
    optional,
  })
  return [
    {
      key: 'Name',
      head: t('device'),
      cell: (row) => (
        <Link className="text-link" to={liveOf(row)}>
          {row.Name}
        </Link>
      ),
      text: ({ Name }) => Name,
    },
    plain('ControllerID', t('deviceId')),
    { key: 'Family', head: t('family'), cell: ({ Family }) => familyName(Family), text: ({ Family }) => familyName(Family) },
    plain('Model', t('model')),
    plain('Firmware', t('firmware'), !ledger),
    { key: 'LineCount', head: t('lines'), end: true, cell: (row) => row.LineCount, text: (row) => row.LineCount },
    {
      key: 'GatewayName',
      head: t('name'),
      cell: ({ DeviceID, GatewayName }) => (
        <Link className="text-link" to={`/system/geteway?gateway=${DeviceID}`}>
          {GatewayName}
        </Link>
      ),
      text: ({ GatewayName }) => GatewayName,
    },
    plain('Number', t('number'), !ledger),
    plain('IMEI', 'IMEI', true),
    plain('HouseName', t('project')),
    {
      key: 'Link',
      head: t('link'),
      cell: (row) => <LinkWord link={row.Link} since={null} />,
      text: (row) => t(row.Link),
    },
    plain('InstalledOn', t('installedOn'), !ledger),
    {
      key: 'WarrantyUntil',
      head: t('warrantyUntil'),
      cell: ({ WarrantyUntil, WarrantyDue }) => <DueDay day={WarrantyUntil} due={WarrantyDue} />,
      text: ({ WarrantyUntil, WarrantyDue }) => dueText(t, WarrantyUntil, WarrantyDue),
      optional: !ledger,
    },
    {
      key: 'ServiceYears',
      head: t('serviceYears'),
      end: true,
      cell: ({ ServiceYears }) => (ServiceYears === null ? '–' : `${ServiceYears} ${t('years')}`),
      text: ({ ServiceYears }) => ServiceYears,
      optional: !ledger,
    },
    {
      key: 'EndOfLife',
      head: t('endOfLife'),
      cell: ({ EndOfLife, LifeDue }) => <DueDay day={EndOfLife} due={LifeDue} />,
      text: ({ EndOfLife, LifeDue }) => dueText(t, EndOfLife, LifeDue),
      optional: !ledger,
    },
    plain('Address', t('address'), true),
    plain('PersonInCharge', t('person'), !ledger),
    plain('ContactPhone', t('phone'), !ledger),
    {
      key: 'AddedAt',
      head: t('added'),
      cell: ({ AddedAt }) => dayTime(AddedAt),
      text: ({ AddedAt }) => dayTime(AddedAt),
      optional: !ledger,
    },
  ]
}

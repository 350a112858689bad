import type { ProjectRecord } from '@linewarden/contract'
import { groupNameOf } from '@linewarden/contract'
import type { TFunction } from 'i18next'
import { Link } from 'react-router'
import { dayTime } from '../../ui/format.ts'
import { localised } from '../../ui/i18n.ts'
import type { TableColumn } from '../../ui/table-column.ts'

/** What a project's row shows; all of it is exported. */
export function projectColumns(t: TFunction<['project', 'app']>): readonly TableColumn<ProjectRecord>[] {
  const plain = (key: keyof ProjectRecord, head: string, optional = false): TableColumn<ProjectRecord> => ({
    key,
    head,
    cell: (row) => row[key] || '–',
    text: (row) => String(row[key] ?? ''),
    optional,
  })
  const place = ({ Province, City, District }: ProjectRecord) => [Province, City, District].filter(Boolean).join(' ') || '–'
  const groupOf = ({ CityName, CityIsDefault }: ProjectRecord) =>
    localised(groupNameOf({ Name: CityName, IsDefault: CityIsDefault }))
  return [
    plain('Name', t('name')),
    plain('Number', t('number')),
    plain('PersonInCharge', t('person')),
    plain('ContactPhone', t('phone')),
    { key: 'place', head: t('place'), cell: place, text: place },
    plain('Address', t('address'), true),
    {
      key: 'GatewayCount',
      head: t('gateways'),
      end: true,
      cell: ({ HouseID, GatewayCount }) => (
        <Link className="text-link" to={`/system/geteway?HouseID=${HouseID}`}>
          {GatewayCount}
        </Link>
      ),
      text: ({ GatewayCount }) => GatewayCount,
    },
    { key: 'CityName', head: t('group'), cell: groupOf, text: groupOf },
    {
      key: 'UserName',
      head: t('app:administrator'),
      cell: ({ UserName }) => UserName || t('app:installation'),
      text: ({ UserName }) => UserName,
    },
    plain('TimeZone', t('timeZone')),
    plain('Currency', t('currency'), true),
    plain('Standard', t('standard'), true),
    plain('CCID', t('ccid'), true),
    plain('Remark', t('app:remark'), true),
    {
      key: 'CreatedAt',
      head: t('created'),
      cell: ({ CreatedAt }) => dayTime(CreatedAt),
      text: ({ CreatedAt }) => dayTime(CreatedAt),
      optional: true,
    },
  ]
}

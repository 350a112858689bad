import type { GatewayRecord } from '@linewarden/contract'
import type { TFunction } from 'i18next'
import { dayTime } from '../../ui/format.ts'
import type { TableColumn } from '../../ui/table-column.ts'
import { LinkWord } from './link-word.tsx'
import { SignalBars, signalText } from './signal-bars.tsx'

/** What a gateway's row shows; all of it is exported. */
export function gatewayColumns(
  t: TFunction<['gateway', 'app']>,
  onOpen: (gateway: GatewayRecord) => void,
): readonly TableColumn<GatewayRecord>[] {
  return [
    {
      key: 'GatewayName',
      head: t('name'),
      cell: (row) => (
        <>
          <button type="button" className="text-link" onClick={() => onOpen(row)}>
            {row.GatewayName}
          </button>{' '}
          {row.Tags > 0 && <b className="chip">{t('tagged', { count: row.Tags })}</b>}{' '}
          {row.Shared && <span className="chip">{t('shared')}</span>}
        </>
      ),
      text: ({ GatewayName }) => GatewayName,
    },
    { key: 'Number', head: t('number'), cell: (row) => row.Number, text: (row) => row.Number },
    { key: 'HouseName', head: t('project'), cell: ({ HouseName }) => HouseName, text: ({ HouseName }) => HouseName },
    {
      key: 'Link',
      head: t('link'),
      cell: ({ Link, Since }) => <LinkWord link={Link} since={Since} />,
      text: ({ Link, Since }) => (Since === null ? t(Link) : `${t(Link)} ${dayTime(Since)}`),
    },
    {
      key: 'Enabled',
      head: t('enabled'),
      cell: ({ Enabled }) => (Enabled ? t('app:enabled') : <b>{t('app:disabled')}</b>),
      text: ({ Enabled }) => (Enabled ? t('app:enabled') : t('app:disabled')),
    },
    {
      key: 'Signal',
      head: t('signal'),
      cell: (row) => <SignalBars gateway={row} />,
      text: (row) => signalText(t, row),
    },
    { key: 'DeviceCount', head: t('devices'), end: true, cell: (row) => row.DeviceCount, text: (row) => row.DeviceCount },
    { key: 'LineCount', head: t('lines'), end: true, cell: (row) => row.LineCount, text: (row) => row.LineCount },
    { key: 'DeviceType', head: t('type'), cell: ({ DeviceType }) => DeviceType, text: ({ DeviceType }) => DeviceType },
    {
      key: 'Platform',
      head: t('platform'),
      cell: ({ Platform }) => t(Platform),
      text: ({ Platform }) => t(Platform),
      optional: true,
    },
    { key: 'IMEI', head: 'IMEI', cell: ({ IMEI }) => IMEI ?? '–', text: ({ IMEI }) => IMEI ?? '', optional: true },
    {
      key: 'AddMethod',
      head: t('method'),
      cell: ({ AddMethod }) => t(AddMethod),
      text: ({ AddMethod }) => t(AddMethod),
      optional: true,
    },
    { key: 'Remark', head: t('app:remark'), cell: ({ Remark }) => Remark || '–', text: ({ Remark }) => Remark, optional: true },
    {
      key: 'AddedAt',
      head: t('added'),
      cell: ({ AddedAt }) => dayTime(AddedAt),
      text: ({ AddedAt }) => dayTime(AddedAt),
      optional: true,
    },
  ]
}

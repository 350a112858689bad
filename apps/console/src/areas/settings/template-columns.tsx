import type { SettingTemplate } from '@linewarden/contract'
import type { Family } from '@linewarden/equipment'
import type { TFunction } from 'i18next'
import { clockTime } from '../../ui/format.ts'
import type { TableColumn } from '../../ui/table-column.ts'
import { templateText } from './values.ts'

/** What a template's row shows; all of it is exported. */
export function templateColumns(t: TFunction<['settings', 'app']>, family: Family): readonly TableColumn<SettingTemplate>[] {
  const settings = ({ Settings }: SettingTemplate) => templateText(family, Settings)
  return [
    { key: 'Name', head: t('templateName'), cell: ({ Name }) => Name, text: ({ Name }) => Name },
    {
      key: 'Settings',
      head: t('values'),
      cell: (row) => <span title={settings(row)}>{settings(row)}</span>,
      text: settings,
    },
    { key: 'Remark', head: t('app:remark'), cell: ({ Remark }) => Remark || '–', text: ({ Remark }) => Remark },
    { key: 'ChangedBy', head: t('changedBy'), cell: ({ ChangedBy }) => ChangedBy, text: ({ ChangedBy }) => ChangedBy },
    {
      key: 'ChangedAt',
      head: t('changedAt'),
      cell: ({ ChangedAt }) => clockTime(ChangedAt),
      text: ({ ChangedAt }) => new Date(ChangedAt).toISOString(),
    },
  ]
}

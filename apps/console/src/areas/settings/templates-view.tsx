import type { LineSettings, SettingTemplate } from '@linewarden/contract'
import { deleteTemplate, insertTemplate, queryTemplates } from '@linewarden/contract'
import type { Family } from '@linewarden/equipment'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, messageOf } from '../../app/net/api.ts'
import { change } from '../../app/net/change.ts'
import { refuseForm } from '../../app/net/refuse-form.ts'
import { useRows } from '../../app/net/use-rows.ts'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { SearchField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { clockTime } from '../../ui/format.ts'
import { said as inWords } from '../../ui/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import { useListState } from '../../ui/list-state.ts'
import { QueryTable } from '../../ui/query-table.tsx'
import type { TableColumn } from '../../ui/table-column.ts'
import { useDelayed } from '../../ui/use-delayed.ts'
import { useForm } from '../../ui/use-form.ts'
import { TemplateForm } from './template-form.tsx'
import { said } from './values.ts'

const filters = ['Name'] as const
const sortable = ['Name', 'ChangedBy', 'ChangedAt'] as const

type Open = { readonly act: 'save' } | { readonly act: 'edit' | 'delete'; readonly template: SettingTemplate }

/** Values kept under a name for this kind of equipment: saved from a line, filled into its form, applied to many, compared. */
export function TemplatesView({
  family,
  line,
  mayNot,
  onFill,
  onApply,
  onCompare,
}: {
  family: Family
  line: LineSettings
  mayNot: string | null
  onFill: (values: Readonly<Record<string, number>>) => void
  onApply: (templateId: number) => void
  onCompare: (templateId: number) => void
}) {
  const { t } = useTranslation('settings')
  const list = useListState(filters, sortable)
  const name = useDelayed(list.filter('Name'), 300)
  const [open, setOpen] = useState<Open | null>(null)
  const requestOf = (Page: number, Size: number) => ({
    body: { Family: family.key, ...(name && { Name: name }), Page, Size, ...list.order },
  })
  const rows = useRows(queryTemplates, requestOf(list.page, list.size))
  const columns: readonly TableColumn<SettingTemplate>[] = [
    { key: 'Name', head: t('templateName'), cell: ({ Name }) => Name, text: ({ Name }) => Name },
    {
      key: 'Settings',
      head: t('values'),
      cell: ({ Settings }) => <span title={wordsOf(family, Settings)}>{wordsOf(family, Settings)}</span>,
      text: ({ Settings }) => wordsOf(family, Settings),
    },
    { key: 'Remark', head: t('remark'), cell: ({ Remark }) => Remark || '–', text: ({ Remark }) => Remark },
    { key: 'ChangedBy', head: t('changedBy'), cell: ({ ChangedBy }) => ChangedBy, text: ({ ChangedBy }) => ChangedBy },
    {
      key: 'ChangedAt',
      head: t('changedAt'),
      cell: ({ ChangedAt }) => clockTime(ChangedAt),
      text: ({ ChangedAt }) => new Date(ChangedAt).toISOString(),
    },
  ]
  return (
    <>
      <QueryTable
        label={t('views.templates')}
        columns={columns}
        rows={rows}
        rowKey={({ TemplateID }) => String(TemplateID)}
        list={list}
        filters={
          <SearchField
            label={t('templateName')}
            value={list.filter('Name')}
            onChange={(value) => list.setFilter('Name', value)}
          />
        }
        actions={
          <ReasonedButton className="btn primary" reason={mayNot} onClick={() => setOpen({ act: 'save' })}>
            <Icon name="plus" />
            {t('saveTemplate')}
          </ReasonedButton>
        }
        rowActions={(template) => (
          <>
            <button type="button" className="btn small quiet" onClick={() => onApply(template.TemplateID)}>
              {t('apply')}
            </button>
            <button
              type="button"
              className="btn small quiet"
              onClick={() => onFill(Object.fromEntries(template.Settings.map(({ Key, Value }) => [Key, Value])))}
            >
              {t('toForm')}
            </button>
            <button type="button" className="btn small quiet" onClick={() => onCompare(template.TemplateID)}>
              {t('compareWith')}
            </button>
            <ReasonedButton className="btn small quiet" reason={mayNot} onClick={() => setOpen({ act: 'edit', template })}>
              {t('edit')}
            </ReasonedButton>
            <ReasonedButton className="btn small quiet" reason={mayNot} onClick={() => setOpen({ act: 'delete', template })}>
              {t('delete')}
            </ReasonedButton>
          </>
        )}
        empty={{ title: t('noTemplates'), hint: t('noTemplatesHint') }}
        fetchPage={(page, size) => api.call(queryTemplates, requestOf(page, size))}
        exportName={t('views.templates')}
      />
      {open?.act === 'save' && <SaveTemplate family={family} line={line} onClose={() => setOpen(null)} />}
      {open?.act === 'edit' && <TemplateForm family={family} template={open.template} onClose={() => setOpen(null)} />}
      {open?.act === 'delete' && (
        <ConfirmDialog
          title={t('deleteTitle', { name: open.template.Name })}
          what={t('deleteWhat')}
          submit={t('delete')}
          onClose={() => setOpen(null)}
          onConfirm={async () => {
            try {
              await change(deleteTemplate, { body: { TemplateID: open.template.TemplateID } })
              return null
            } catch (error) {
              return messageOf(error)
            }
          }}
        />
      )}
    </>
  )
}

/** In the order of the form. */
function wordsOf(family: Family, settings: SettingTemplate['Settings']): string {
  const values = new Map(settings.map(({ Key, Value }) => [Key, Value]))
  return family.settings
    .flatMap((setting) => {
      const value = values.get(setting.key)
      return value === undefined ? [] : [`${inWords(setting.label)} ${said(setting, value)}`]
    })
    .join(' · ')
}

function SaveTemplate({ family, line, onClose }: { family: Family; line: LineSettings; onClose: () => void }) {
  const { t } = useTranslation('settings')
  const form = useForm({ Name: '', Remark: '' }, ({ Name }) => ({ Name: Name.trim() === '' ? t('nameEmpty') : null }))
  const Settings = line.Settings.flatMap(({ Key, Desired, Reported }) => {
    const Value = Desired ?? Reported
    return Value === null ? [] : [{ Key, Value }]
  })
  const save = async (): Promise<string | null> => {
    if (!form.check()) return ''
    if (Settings.length === 0) return t('noValue')
    try {
      const body = { Name: form.values.Name.trim(), Remark: form.values.Remark.trim(), Family: family.key, Settings }
      await change(insertTemplate, { body })
      return null
    } catch (error) {
      return refuseForm(form, error)
    }
  }
  return (
    <FormDialog title={t('saveTemplate')} submit={t('save')} onSubmit={save} onClose={onClose}>
      <p className="mute">{t('saveTemplateWhat', { name: line.LineName })}</p>
      <p>{wordsOf(family, Settings)}</p>
      <TextField label={t('templateName')} {...form.field('Name')} maxLength={64} required autoFocus />
      <TextField label={t('remark')} {...form.field('Remark')} maxLength={200} />
    </FormDialog>
  )
}

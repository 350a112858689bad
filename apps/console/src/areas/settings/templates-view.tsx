import type { LineSettings, SettingTemplate } from '@linewarden/contract'
import { deleteTemplate, queryTemplates } from '@linewarden/contract'
import type { Family } from '@linewarden/equipment'
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
import { QueryTable } from '../../ui/query-table.tsx'
import { useDelayed } from '../../ui/use-delayed.ts'
import { SaveTemplate } from './save-template.tsx'
import { templateColumns } from './template-columns.tsx'
import { TemplateForm } from './template-form.tsx'

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
  const { t } = useTranslation(['settings', 'app'])
  const list = useListState(filters, sortable)
  const name = useDelayed(list.filter('Name'), 300)
  const [open, setOpen] = useState<Open | null>(null)
  const requestOf = (Page: number, Size: number) => ({
    body: { Family: family.key, ...(name && { Name: name }), Page, Size, ...list.order },
  })
  const rows = useRows(queryTemplates, requestOf(list.page, list.size))
  return (
    <>
      <QueryTable
        label={t('views.templates')}
        columns={templateColumns(t, family)}
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
              {t('app:delete')}
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
          submit={t('app:delete')}
          onClose={() => setOpen(null)}
          onConfirm={() => errorTextOf(change(deleteTemplate, { body: { TemplateID: open.template.TemplateID } }))}
        />
      )}
    </>
  )
}

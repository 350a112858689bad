import type { LineSettings } from '@linewarden/contract'
import { insertTemplate } from '@linewarden/contract'
import type { Family } from '@linewarden/equipment'
import { useTranslation } from 'react-i18next'
import { change } from '../../app/net/change.ts'
import { refuseForm } from '../../app/net/refuse-form.ts'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useForm } from '../../ui/use-form.ts'
import { templateText } from './values.ts'

/** Keeps the values of a line under a name: those that are desired, else those that it reports. */
export function SaveTemplate({ family, line, onClose }: { family: Family; line: LineSettings; onClose: () => void }) {
  const { t } = useTranslation(['settings', 'app'])
  const form = useForm({ Name: '', Remark: '' }, ({ Name }) => ({ Name: Name.trim() === '' ? t('app:nameMissing') : null }))
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
    <FormDialog title={t('saveTemplate')} submit={t('app:save')} onSubmit={save} onClose={onClose}>
      <p className="mute">{t('saveTemplateWhat', { name: line.LineName })}</p>
      <p>{templateText(family, Settings)}</p>
      <TextField label={t('templateName')} {...form.field('Name')} maxLength={64} required autoFocus />
      <TextField label={t('app:remark')} {...form.field('Remark')} maxLength={200} />
    </FormDialog>
  )
}

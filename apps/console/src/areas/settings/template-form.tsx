import type { SettingTemplate } from '@linewarden/contract'
import { updateTemplate } from '@linewarden/contract'
import type { Family, Setting } from '@linewarden/equipment'
import { isSwitch, templateFault, templateRanges } from '@linewarden/rules/settings'
import { useTranslation } from 'react-i18next'
import { change } from '../../app/net/change.ts'
import { refuseForm } from '../../app/net/refuse-form.ts'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { localised as inWords } from '../../ui/i18n.ts'
import { useForm } from '../../ui/use-form.ts'
import { numberIn, shown } from './values.ts'

/** A template's name, remark and values. What is left empty is not in it, and is not set where it is applied. */
export function TemplateForm({ family, template, onClose }: { family: Family; template: SettingTemplate; onClose: () => void }) {
  const { t } = useTranslation(['settings', 'app'])
  const { TemplateID, Version } = template
  const form = useForm<Record<string, string>>(
    {
      Name: template.Name,
      Remark: template.Remark,
      ...Object.fromEntries(family.settings.map(({ key }) => [key, ''])),
      ...Object.fromEntries(template.Settings.map(({ Key, Value }) => [Key, shown(Value)])),
    },
    (texts) => ({
      Name: textOf(texts, 'Name') === '' ? t('app:nameMissing') : null,
      ...Object.fromEntries(family.settings.map((setting) => [setting.key, faultOf(setting, textOf(texts, setting.key))])),
    }),
  )
  const save = async (): Promise<string | null> => {
    if (!form.check()) return ''
    const Settings = family.settings.flatMap(({ key }) => {
      const text = textOf(form.values, key)
      return text === '' ? [] : [{ Key: key, Value: numberIn(text) }]
    })
    if (Settings.length === 0) return t('templateEmpty')
    try {
      const texts = { Name: textOf(form.values, 'Name'), Remark: textOf(form.values, 'Remark') }
      await change(updateTemplate, { body: { TemplateID, Version, ...texts, Family: family.key, Settings } })
      return null
    } catch (error) {
      return refuseForm(form, error)
    }
  }
  return (
    <FormDialog title={t('editTemplate', { name: template.Name })} submit={t('app:save')} wide onSubmit={save} onClose={onClose}>
      <TextField label={t('templateName')} {...form.field('Name')} maxLength={64} required autoFocus />
      <TextField label={t('app:remark')} {...form.field('Remark')} maxLength={200} />
      <p className="mute">{t('editTemplateWhat')}</p>
      <div className="template-values">
        {family.settings.map((setting) =>
          isSwitch(setting) ? (
            <SelectField
              key={setting.key}
              label={inWords(setting.label)}
              {...form.field(setting.key)}
              options={[
                { value: '', label: t('notInTemplate') },
                { value: '1', label: t('on') },
                { value: '0', label: t('off') },
              ]}
            />
          ) : (
            <TextField
              key={setting.key}
              label={inWords(setting.label)}
              {...form.field(setting.key)}
              placeholder={t('notInTemplate')}
              hint={rangesOf(setting)}
              inputMode="decimal"
              maxLength={12}
              unit={setting.unit}
            />
          ),
        )}
      </div>
    </FormDialog>
  )

  /** What is wrong with what somebody wrote, by the server's own rule. */
  function faultOf(setting: Setting, text: string): string | null {
    const fault = text === '' ? null : templateFault(family, setting, numberIn(text))
    if (fault === null) return null
    if (fault === 'no_number') return t('number')
    if (fault === 'off_step') return t('step', { step: setting.step, unit: setting.unit })
    return t('mustBeWithin', { ranges: rangesOf(setting) })
  }

  function rangesOf(setting: Setting): string {
    const { max: most, unit } = setting
    const last = typeof most === 'number' ? String(most) : `${most.timesIn}In`
    const ranges = templateRanges(family, setting).map(({ min, max }) => `${shown(min)}–${max === null ? last : shown(max)}`)
    return `${ranges.join(' / ')} ${unit}`.trim()
  }
}

const textOf = (texts: Readonly<Record<string, string>>, name: string): string => texts[name]?.trim() ?? ''

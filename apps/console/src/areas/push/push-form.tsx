import type { ProjectRecord, PushRecord } from '@linewarden/contract'
import { addPush, editPush } from '@linewarden/contract'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/net/api.ts'
import { refuseForm } from '../../app/net/refuse-form.ts'
import { SelectField, TextArea, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useForm } from '../../ui/use-form.ts'
import { productsText, pushedModels, readProducts } from './products.ts'
import type { MadeSecret } from './push-secret.tsx'

/** A new subscription, or an existing one. */
export function PushForm({
  project,
  push,
  onSaved,
  onClose,
}: {
  project: ProjectRecord
  push: PushRecord | null
  /** With its secret when it is new. */
  onSaved: (made: MadeSecret | null) => void
  onClose: () => void
}) {
  const { t } = useTranslation(['push', 'app'])
  const form = useForm(valuesOf(push), (values) => pushProblems(t, values))
  const { values } = form
  const save = async (): Promise<string | null> => {
    const read = readProducts(values.Products)
    if (!form.check() || !('products' in read)) return ''
    const body = {
      HouseID: project.HouseID,
      Name: values.Name.trim(),
      Products: read.products,
      ReportingPeriodS: Number(values.Minutes) * 60,
      ...(values.AesKey !== '' && values.Platform === 'onenet' && { AesKey: values.AesKey }),
    }
    try {
      if (push) {
        const { PushID, Version } = push
        await api.call(editPush, { body: { ...body, PushID, Version, Enabled: values.Enabled === 'on' } })
        onSaved(null)
      } else onSaved(await api.call(addPush, { body: { ...body, Platform: values.Platform } }))
      return null
    } catch (error) {
      return refuseForm(form, error)
    }
  }
  return (
    <FormDialog title={push ? t('editTitle') : t('addTitle')} submit={t('app:save')} wide onSubmit={save} onClose={onClose}>
      {!push && (
        <SelectField
          label={t('platform')}
          value={values.Platform}
          onChange={(value) => form.set('Platform', value === 'ctwing' ? 'ctwing' : 'onenet')}
          options={[
            { value: 'onenet', label: t('onenet') },
            { value: 'ctwing', label: t('ctwing') },
          ]}
          required
        />
      )}
      <TextField label={t('name')} {...form.field('Name')} maxLength={64} required autoFocus />
      <TextArea label={t('products')} hint={t('productsHint')} {...form.field('Products')} rows={4} maxLength={8_000} />
      <TextField
        label={t('period')}
        hint={t('periodHint')}
        unit={t('minutes')}
        inputMode="numeric"
        {...form.field('Minutes')}
        maxLength={4}
        required
      />
      {values.Platform === 'onenet' && (
        <TextField
          label={t('aesKey')}
          hint={t('aesHint')}
          value={values.AesKey}
          onChange={(value) => form.set('AesKey', value.trim())}
          error={form.errorOf('AesKey')}
          maxLength={16}
        />
      )}
      {push && (
        <SelectField
          label={t('app:state')}
          value={values.Enabled}
          onChange={(value) => form.set('Enabled', value)}
          options={[
            { value: 'on', label: t('app:enabled') },
            { value: 'off', label: t('off') },
          ]}
        />
      )}
    </FormDialog>
  )
}

const valuesOf = (push: PushRecord | null) => ({
  Platform: push?.Platform ?? ('onenet' as const),
  Name: push?.Name ?? '',
  Products: productsText(push?.Products ?? []),
  Minutes: String((push?.ReportingPeriodS ?? 86_400) / 60),
  AesKey: '',
  Enabled: push?.Enabled === false ? 'off' : 'on',
})

type T = TFunction<['push', 'app']>

/** What is wrong with each field of a subscription. */
const pushProblems = (t: T, { Name, Products, Minutes, AesKey }: ReturnType<typeof valuesOf>) => ({
  Name: Name.trim() === '' ? t('app:nameMissing') : null,
  Products: productsProblem(t, Products),
  Minutes: /^\d{1,4}$/.test(Minutes) && Number(Minutes) >= 1 && Number(Minutes) <= 1_440 ? null : t('periodWrong'),
  AesKey: AesKey === '' || /^[\x21-\x7e]{16}$/.test(AesKey) ? null : t('aesWrong'),
})

function productsProblem(t: T, text: string): string | null {
  const read = readProducts(text)
  if ('wrongLine' in read) return t('productsWrong', { line: read.wrongLine, models: pushedModels.join(', ') })
  return 'twice' in read ? t('productTwice', { product: read.twice }) : null
}

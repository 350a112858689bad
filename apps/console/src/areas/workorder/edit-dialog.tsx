import type { WorkOrder } from '@linewarden/contract'
import { updateWorkOrder } from '@linewarden/contract'
import { priorities } from '@linewarden/equipment'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { change } from '../../app/net/change.ts'
import { newId } from '../../app/net/new-id.ts'
import { refuseForm } from '../../app/net/refuse-form.ts'
import { SelectField, TextArea, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useForm } from '../../ui/use-form.ts'
import { DaysFields } from './days-fields.tsx'
import { useOrderRules } from './use-order-rules.ts'

/** What its founder wrote, written anew. */
export function EditDialog({ order, onClose }: { order: WorkOrder; onClose: () => void }) {
  const { t } = useTranslation(['workOrders', 'app'])
  const [id] = useState(newId)
  // As it was read for this form: the order is read again behind it, and what another person wrote must not be overwritten unseen.
  const [version] = useState(order.Version)
  const rules = useOrderRules()
  const form = useForm(
    {
      ...{ Title: order.Title, Description: order.Description, Priority: order.Priority },
      ...{ ValidDays: String(order.ValidDays), ReminderDays: String(order.ReminderDays) },
      WorkingDaysOnly: order.WorkingDaysOnly,
    },
    rules,
  )
  const { Title, Description, Priority, ValidDays, ReminderDays, WorkingDaysOnly } = form.values
  const save = async () => {
    if (!form.check()) return ''
    try {
      await change(updateWorkOrder, {
        body: {
          ...{ OrderID: order.OrderID, Version: version, ActID: id, Title: Title.trim() },
          ...{ Description: Description.trim(), Priority, WorkingDaysOnly },
          ...{ ValidDays: Number(ValidDays), ReminderDays: Number(ReminderDays) },
        },
      })
      return null
    } catch (error) {
      return refuseForm(form, error)
    }
  }
  return (
    <FormDialog title={`${t('edit')} · ${order.Number}`} submit={t('app:save')} onSubmit={save} onClose={onClose}>
      <TextField label={t('orderTitle')} hint={t('titleHint')} maxLength={120} {...form.field('Title')} />
      <TextArea label={t('description')} maxLength={2_000} required {...form.field('Description')} />
      <SelectField
        label={t('priority')}
        value={Priority}
        options={priorities.map((value) => ({ value, label: t(`priorities.${value}`) }))}
        onChange={(value) => form.set('Priority', priorities.find((each) => each === value) ?? Priority)}
      />
      <DaysFields form={form} />
    </FormDialog>
  )
}

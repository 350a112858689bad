import { useTranslation } from 'react-i18next'
import { TextField } from '../../ui/fields.tsx'
import type { Form } from '../../ui/use-form.ts'

interface DaysValues {
  readonly ValidDays: string
  readonly ReminderDays: string
  readonly WorkingDaysOnly: boolean
}

/** How long it may take, and how often whoever has it is reminded. */
export function DaysFields({ form }: { form: Pick<Form<DaysValues>, 'values' | 'field' | 'set'> }) {
  const { t } = useTranslation('workOrders')
  return (
    <>
      <div className="form-grid">
        <TextField label={t('validity')} unit={t('dayUnit')} inputMode="numeric" maxLength={3} {...form.field('ValidDays')} />
        <TextField label={t('reminder')} unit={t('dayUnit')} inputMode="numeric" maxLength={3} {...form.field('ReminderDays')} />
      </div>
      <label className="check-line">
        <input
          type="checkbox"
          checked={form.values.WorkingDaysOnly}
          onChange={(event) => form.set('WorkingDaysOnly', event.target.checked)}
        />
        {t('workingDaysOnly')}
      </label>
    </>
  )
}

import { useTranslation } from 'react-i18next'
import { TextField } from '../../ui/fields.tsx'
import type { Form } from '../../ui/use-form.ts'

export interface DaysValues {
  readonly ValidDays: string
  readonly ReminderDays: string
  readonly WorkingDaysOnly: boolean
}

/** How long it may take, and how often whoever has it is reminded. */
export function DaysFields<T extends DaysValues>({ form }: { form: Form<T> }) {
  const { t } = useTranslation('workOrders')
  const days = form as unknown as Form<DaysValues>
  return (
    <>
      <div className="form-grid">
        <TextField label={t('validity')} unit={t('dayUnit')} inputMode="numeric" maxLength={3} {...days.field('ValidDays')} />
        <TextField label={t('reminder')} unit={t('dayUnit')} inputMode="numeric" maxLength={3} {...days.field('ReminderDays')} />
      </div>
      <label className="check-line">
        <input
          type="checkbox"
          checked={days.values.WorkingDaysOnly}
          onChange={(event) => days.set('WorkingDaysOnly', event.target.checked)}
        />
        {t('workingDaysOnly')}
      </label>
    </>
  )
}

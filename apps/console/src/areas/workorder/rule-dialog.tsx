import type { OrderRule } from '@linewarden/contract'
import { updateOrderRule } from '@linewarden/contract'
import { priorities } from '@linewarden/equipment'
import { maxRuleAfterMin, orderTypes, reminderDaysRange, validDaysRange } from '@linewarden/rules/workorder'
import { useTranslation } from 'react-i18next'
import { change } from '../../app/net/change.ts'
import { refuseForm } from '../../app/net/refuse-form.ts'
import { Segments, SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { MomentField } from '../../ui/moment-field.tsx'
import { momentIn, momentText } from '../../ui/moment-text.ts'
import type { Form } from '../../ui/use-form.ts'
import { useForm } from '../../ui/use-form.ts'
import { serverNow } from '../../ui/use-now.ts'
import { DaysFields } from './days-fields.tsx'
import { PersonField } from './person-field.tsx'
import { AlarmsField, RotaPeople } from './rule-fields.tsx'
import { RulePreview } from './rule-preview.tsx'
import type { Alarms, RuleValues } from './rule-values.ts'
import { isWithin } from './rule-words.ts'
import { useOrderRules } from './use-order-rules.ts'

/** One rule: which alarms, when, and who gets the order. What it would have done stands below before it is saved. */
export function RuleDialog({
  houseId,
  rule,
  alarms,
  onClose,
}: {
  houseId: number
  /** Null: a new one. */
  rule: OrderRule | null
  alarms: Alarms
  onClose: () => void
}) {
  const { t } = useTranslation(['orderRules', 'workOrders', 'app'])
  const form = useForm<RuleValues>(startOf(rule), useValidate())
  const { values } = form
  const save = async () => {
    if (!form.check()) return ''
    try {
      await change(updateOrderRule, {
        body: { HouseID: houseId, ...(rule && { RuleID: rule.RuleID }), Version: rule?.Version ?? 0, Rule: ruleOf(values) },
      })
      return null
    } catch (error) {
      return refuseForm(form, error)
    }
  }
  return (
    <FormDialog title={t(rule ? 'edit' : 'add')} submit={t('app:save')} wide onSubmit={save} onClose={onClose}>
      <TextField label={t('name')} maxLength={60} required {...form.field('Name')} />
      <AlarmsField alarms={alarms} {...form.field('Keys')} />
      <fieldset className="rule-chips">
        <legend>{t('priorities')}</legend>
        {priorities.map((each) => (
          <label className="check-line" key={each}>
            <input
              type="checkbox"
              checked={values.Priorities.includes(each)}
              onChange={({ target }) =>
                form.set(
                  'Priorities',
                  priorities.filter((one) => (one === each ? target.checked : values.Priorities.includes(one))),
                )
              }
            />
            {t(`workOrders:priorities.${each}`)}
          </label>
        ))}
      </fieldset>
      <TextField
        label={t('after')}
        hint={t('afterHint')}
        unit={t('workOrders:minutes')}
        inputMode="numeric"
        maxLength={4}
        {...form.field('AfterMin')}
      />
      <Segments
        label={t('workOrders:type')}
        value={values.Type}
        options={orderTypes.map((value) => ({ value, label: t(`workOrders:types.${value}`) }))}
        onChange={(type) => form.set('Type', type)}
      />
      <SelectField
        label={t('orderPriority')}
        value={values.Priority}
        options={[
          { value: '', label: t('asAlarm') },
          ...priorities.map((value) => ({ value, label: t(`workOrders:priorities.${value}`) })),
        ]}
        onChange={(value) => form.set('Priority', value)}
      />
      <WhoFields form={form} houseId={houseId} />
      <DaysFields form={form} />
      <label className="check-line">
        <input type="checkbox" checked={values.Enabled} onChange={({ target }) => form.set('Enabled', target.checked)} />
        {t('enabled')}
      </label>
      <p className="mute">{t('enabledHint')}</p>
      <RulePreview houseId={houseId} values={values} />
    </FormDialog>
  )
}

function WhoFields({ form, houseId }: { form: Form<RuleValues>; houseId: number }) {
  const { t } = useTranslation(['orderRules', 'workOrders'])
  const { values } = form
  return (
    <>
      <Segments
        label={t('who')}
        value={values.Who}
        options={(['nobody', 'one', 'rota'] as const).map((value) => ({ value, label: t(value) }))}
        onChange={(who) => form.set('Who', who)}
      />
      {values.Who === 'one' && (
        <PersonField houseId={houseId} deviceId={null} label={t('workOrders:person')} required {...form.field('PersonID')} />
      )}
      {values.Who === 'rota' && (
        <>
          <RotaPeople houseId={houseId} {...form.field('People')} />
          <div className="form-grid">
            <TextField
              label={t('everyDays')}
              unit={t('workOrders:dayUnit')}
              inputMode="numeric"
              maxLength={3}
              {...form.field('EveryDays')}
            />
            <MomentField kind="day" label={t('fromDay')} required {...form.field('FromDay')} />
          </div>
        </>
      )}
    </>
  )
}

const startOf = (rule: OrderRule | null): RuleValues => ({
  ...{ Name: rule?.Name ?? '', Enabled: rule?.Enabled ?? false, Keys: rule?.Keys ?? [], Priorities: rule?.Priorities ?? [] },
  ...{ AfterMin: String(rule?.AfterMin ?? 10), Type: rule?.Type ?? 'repair', Priority: rule?.Priority ?? '' },
  Who: rule?.Rota ? 'rota' : rule?.PersonID ? 'one' : 'nobody',
  ...{ PersonID: rule?.PersonID ?? '', People: rule?.Rota?.People ?? [], EveryDays: String(rule?.Rota?.EveryDays ?? 7) },
  FromDay: rule?.Rota?.FromDay ?? momentText('day', serverNow()),
  ...{
    ValidDays: String(rule?.ValidDays ?? validDaysRange.usual),
    ReminderDays: String(rule?.ReminderDays ?? reminderDaysRange.usual),
  },
  WorkingDaysOnly: rule?.WorkingDaysOnly ?? false,
})

function ruleOf(values: RuleValues) {
  const { Name, Enabled, Keys, Priorities, Type, WorkingDaysOnly, Who, PersonID, People, EveryDays, FromDay } = values
  return {
    ...{ Name: Name.trim(), Enabled, Keys: [...Keys], Priorities: [...Priorities], Type, WorkingDaysOnly },
    ...{ AfterMin: Number(values.AfterMin), ValidDays: Number(values.ValidDays), ReminderDays: Number(values.ReminderDays) },
    Priority: priorities.find((each) => each === values.Priority) ?? null,
    PersonID: Who === 'one' ? PersonID : null,
    Rota:
      Who === 'rota'
        ? { People: [...People], EveryDays: Number(EveryDays), FromDay: momentText('day', momentIn('day', FromDay) ?? 0) }
        : null,
  }
}

function useValidate() {
  const { t } = useTranslation('orderRules')
  const days = useOrderRules()
  return (values: RuleValues) => {
    const { ValidDays, ReminderDays } = days({ ...values, Description: '-' })
    const isRota = values.Who === 'rota'
    const figure = (text: string, from: number, to: number) => (isWithin(text, from, to) ? null : t('figureWrong', { from, to }))
    return {
      ...{ ValidDays, ReminderDays },
      Name: values.Name.trim() === '' ? t('nameMissing') : null,
      Keys: values.Keys.length + values.Priorities.length === 0 ? t('alarmsMissing') : null,
      AfterMin: figure(values.AfterMin, 0, maxRuleAfterMin),
      PersonID: values.Who === 'one' && values.PersonID === '' ? t('personMissing') : null,
      People: isRota && values.People.length === 0 ? t('personMissing') : null,
      EveryDays: isRota ? figure(values.EveryDays, 1, 366) : null,
      FromDay: isRota && momentIn('day', values.FromDay) === null ? t('dayWrong') : null,
    }
  }
}

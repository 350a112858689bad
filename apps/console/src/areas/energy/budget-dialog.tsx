import type { Budget, Project, Supply } from '@linewarden/contract'
import { saveBudget } from '@linewarden/contract'
import { budgetKinds, budgetPeriods } from '@linewarden/rules/energy'
import { useTranslation } from 'react-i18next'
import { change } from '../../app/net/change.ts'
import { refuseForm } from '../../app/net/refuse-form.ts'
import { Segments, SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useForm } from '../../ui/use-form.ts'
import { typedAmount, typedThresholds } from './budget-values.ts'

interface Props {
  readonly house: Project
  readonly supplies: readonly Supply[]
  /** Null: a new one. */
  readonly budget: Budget | null
  /** Places of the currency of a supply. */
  readonly minorDigitsOf: (supplyId: number | null) => number
  readonly onSaved: (budget: Budget | null) => void
  readonly onClose: () => void
}

/** What a budget is of, for how long, how much, and when somebody is told. */
export function BudgetDialog({ house, supplies, budget, minorDigitsOf, onSaved, onClose }: Props) {
  const { t } = useTranslation(['energyBudget', 'app'])
  const placesOf = (supplyId: string) => minorDigitsOf(supplyId === '' ? null : Number(supplyId))
  const typed =
    budget && (budget.Kind === 'energy' ? budget.Amount / 1_000 : budget.Amount / 10 ** minorDigitsOf(budget.SupplyID))
  const initial = {
    ...{ Name: budget?.Name ?? '', SupplyID: budget?.SupplyID == null ? '' : String(budget.SupplyID) },
    ...{ Period: budget?.Period ?? ('month' as Budget['Period']), Kind: budget?.Kind ?? ('energy' as Budget['Kind']) },
    ...{ Amount: typed === null ? '' : String(typed), Thresholds: (budget?.Thresholds ?? [80, 100]).join(', ') },
  }
  const form = useForm(initial, ({ Name, SupplyID, Kind, Amount, Thresholds }) => ({
    Name: Name.trim() === '' ? t('nameMissing') : null,
    SupplyID: Kind === 'money' && SupplyID === '' ? t('moneyOfSupply') : null,
    Amount: typedAmount(Amount, Kind, placesOf(SupplyID)) === null ? t('amountWrong') : null,
    Thresholds: typedThresholds(Thresholds) === null ? t('thresholdsWrong') : null,
  }))
  const save = async () => {
    if (!form.check()) return ''
    const { Name, SupplyID, Period, Kind, Amount, Thresholds } = form.values
    const content = {
      ...{ Name: Name.trim(), SupplyID: SupplyID === '' ? null : Number(SupplyID), Period, Kind },
      ...{ Amount: typedAmount(Amount, Kind, placesOf(SupplyID)) ?? 0, Thresholds: [...(typedThresholds(Thresholds) ?? [])] },
    }
    try {
      const body = {
        HouseID: house.HouseID,
        ...(budget && { BudgetID: budget.BudgetID }),
        Version: budget?.Version ?? 0,
        Budget: content,
      }
      onSaved(await change(saveBudget, { body }))
      return null
    } catch (error) {
      return refuseForm(form, error)
    }
  }
  const options = [
    { value: '', label: t('ofProject') },
    ...supplies.map(({ SupplyID, Name }) => ({ value: String(SupplyID), label: Name })),
  ]
  return (
    <FormDialog title={t(budget ? 'edit' : 'add')} submit={t('app:save')} onSubmit={save} onClose={onClose}>
      <TextField label={t('name')} maxLength={60} required autoFocus {...form.field('Name')} />
      <SelectField label={t('of')} options={options} {...form.field('SupplyID')} />
      <Segments
        label={t('kind')}
        value={form.values.Kind}
        options={budgetKinds.map((value) => ({ value, label: t(`kinds.${value}`) }))}
        onChange={(to) => form.set('Kind', to)}
      />
      <Segments
        label={t('period')}
        value={form.values.Period}
        options={budgetPeriods.map((value) => ({ value, label: t(`periods.${value}`) }))}
        onChange={(to) => form.set('Period', to)}
      />
      <TextField label={t('amount')} hint={t('amountHint')} maxLength={18} required {...form.field('Amount')} />
      <TextField label={t('thresholds')} hint={t('thresholdsHint')} maxLength={40} {...form.field('Thresholds')} />
    </FormDialog>
  )
}

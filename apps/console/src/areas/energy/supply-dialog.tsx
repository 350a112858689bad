import type { Project, Supply } from '@linewarden/contract'
import { insertSupply, updateSupply } from '@linewarden/contract'
import { civilZone, dateText } from '@linewarden/rules/automation'
import { energySteps, maxBillingDay, maxSupplyMembers, powerFactorStandards } from '@linewarden/rules/energy'
import { useTranslation } from 'react-i18next'
import { change } from '../../app/net/change.ts'
import { refuseForm } from '../../app/net/refuse-form.ts'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { MomentField } from '../../ui/moment-field.tsx'
import type { Form, Validate } from '../../ui/use-form.ts'
import { useForm } from '../../ui/use-form.ts'
import { serverNow } from '../../ui/use-now.ts'
import { SupplyMembers } from './supply-members.tsx'
import { SupplyTariffs } from './supply-tariffs.tsx'
import type { SupplyValues } from './supply-values.ts'
import { isDay, kiloIn, supplyOf, supplyStart } from './supply-values.ts'

const todayOf = ({ TimeZone }: Project): string => dateText(civilZone(TimeZone).dayAt(serverNow()))

/** One supply: what it is called, which lines make it up, and what its bill goes by. */
export function SupplyDialog({ house, supply, onClose }: { house: Project; supply: Supply | null; onClose: () => void }) {
  const { t } = useTranslation(['energySettings', 'app'])
  const form = useForm<SupplyValues>(supplyStart(supply, todayOf(house)), useValidate())
  const save = async () => {
    if (!form.check()) return ''
    const body = { HouseID: house.HouseID, ...supplyOf(form.values) }
    try {
      if (supply) await change(updateSupply, { body: { ...body, SupplyID: supply.SupplyID, Version: supply.Version } })
      else await change(insertSupply, { body })
      return null
    } catch (error) {
      return refuseForm(form, error)
    }
  }
  return (
    <FormDialog title={t(supply ? 'editSupply' : 'addSupply')} submit={t('app:save')} wide onSubmit={save} onClose={onClose}>
      <div className="form-grid">
        <TextField label={t('name')} maxLength={60} required autoFocus {...form.field('Name')} />
        <TextField label={t('account')} maxLength={40} {...form.field('AccountNo')} />
      </div>
      <SupplyMembers houseId={house.HouseID} former={supply?.Members ?? []} most={maxSupplyMembers} {...form.field('Members')} />
      <BillFields form={form} />
      <div className="form-grid">
        <MomentField kind="day" label={t('from')} required {...form.field('From')} />
        <MomentField kind="day" label={t('to')} hint={t('toHint')} {...form.field('To')} />
      </div>
      <SupplyTariffs houseId={house.HouseID} {...form.field('Tariffs')} />
    </FormDialog>
  )
}

/** What the bill goes by beside the energy itself. */
function BillFields({ form }: { form: Form<SupplyValues> }) {
  const { t } = useTranslation('energySettings')
  const days = Array.from({ length: maxBillingDay + 1 }, (_, day) => day)
  return (
    <div className="form-grid">
      <TextField label={t('capacity')} unit="kVA" inputMode="decimal" maxLength={12} {...form.field('CapacityVa')} />
      <TextField label={t('declared')} unit="kW" inputMode="decimal" maxLength={12} {...form.field('DeclaredW')} />
      <SelectField
        label={t('standard')}
        hint={t('standardHint')}
        options={[
          { value: '', label: t('noStandard') },
          ...powerFactorStandards.map((each) => ({ value: String(each), label: (each / 100).toFixed(2) })),
        ]}
        {...form.field('PowerFactorStandard')}
      />
      <SelectField
        label={t('billingDay')}
        options={days.map((day) => ({
          value: String(day),
          label: day === 0 ? t('naturalMonth') : t('billingDayIs', { day }),
        }))}
        {...form.field('BillingDay')}
      />
      <SelectField
        label={t('step')}
        options={energySteps.map((each) => ({ value: String(each), label: t(each === 1 ? 'stepWh' : 'stepKwh') }))}
        {...form.field('EnergyStepWh')}
      />
    </div>
  )
}

function useValidate(): Validate<SupplyValues> {
  const { t } = useTranslation('energySettings')
  const figure = (text: string) => (Number.isNaN(kiloIn(text)) ? t('figureWrong') : null)
  return (values) => ({
    Name: values.Name.trim() === '' ? t('nameMissing') : null,
    Members: values.Members.some(({ Sign }) => Sign === 1) ? null : t('membersMissing'),
    ...{ CapacityVa: figure(values.CapacityVa), DeclaredW: figure(values.DeclaredW) },
    From: isDay(values.From) ? null : t('dayWrong'),
    To: values.To.trim() === '' || isDay(values.To) ? null : t('dayWrong'),
    Tariffs: values.Tariffs.every(({ TariffID, From }, index) => TariffID !== '' && (index === 0 || isDay(From)))
      ? null
      : t('tariffsMissing'),
  })
}

/** Ends a supply: what came up to its last date stays as it is. */
export function EndSupplyDialog({ house, supply, onClose }: { house: Project; supply: Supply; onClose: () => void }) {
  const { t } = useTranslation('energySettings')
  const form = useForm<{ readonly To: string }>({ To: todayOf(house) }, ({ To }) => ({ To: isDay(To) ? null : t('dayWrong') }))
  const end = async () => {
    if (!form.check()) return ''
    const { SupplyID, Version } = supply
    const { To } = form.values
    const body = { HouseID: house.HouseID, SupplyID, Version, ...supplyOf({ ...supplyStart(supply, ''), To }) }
    try {
      await change(updateSupply, { body })
      return null
    } catch (error) {
      return refuseForm(form, error)
    }
  }
  return (
    <FormDialog title={t('endSupply')} submit={t('end')} onSubmit={end} onClose={onClose}>
      <p>{t('sureEnd', { name: supply.Name })}</p>
      <MomentField kind="day" label={t('to')} required autoFocus {...form.field('To')} />
    </FormDialog>
  )
}

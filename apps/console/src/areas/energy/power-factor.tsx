import type { SupplyBill } from '@linewarden/contract'
import { setPowerFactor, zoneClock } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { change } from '../../app/net/change.ts'
import { refuseForm } from '../../app/net/refuse-form.ts'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import { useMayEdit, useMayOpen } from '../../app/session/use-may.ts'
import { Segments, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { momentText } from '../../ui/moment-text.ts'
import { useForm } from '../../ui/use-form.ts'
import type { PowerFactorValues } from './power-factor-values.ts'
import { cosIn, cosText, energyIn, powerFactorStart, typedOf } from './power-factor-values.ts'

interface Of {
  readonly houseId: number
  readonly month: string
  readonly bill: SupplyBill
}

/** By which power factor a bill is adjusted, who typed it and from which bill; nothing where its supply is not adjusted. */
export function PowerFactorOf({ houseId, month, bill }: Of) {
  const { t } = useTranslation('energyCost')
  const may = [useMayEdit(), useMayOpen('/system/project')].every(Boolean)
  const [isOpen, setOpen] = useState(false)
  const { PowerFactor: typed, PowerFactorStandard: standard, Zone } = bill
  if (standard === null) return <p className="cost-cos mute">{t('cosNone')}</p>
  const of = (at: number) => momentText('minute', zoneClock(Zone).local(at))
  return (
    <>
      <div className="cost-cos">
        <span>
          {typed?.Cos == null ? t('cosMissing') : t('cosIs', { cos: cosText(typed.Cos) })}{' '}
          <span className="mute">{t('cosStandard', { standard: cosText(standard) })}</span>
          {typed && (
            <small className="cost-gap">
              {t('cosFrom', { source: typed.Source })}{' '}
              {typed.TypedBy === null ? of(typed.TypedAt) : t('cosBy', { name: typed.TypedBy, at: of(typed.TypedAt) })}
            </small>
          )}
        </span>
        <ReasonedButton className="btn small" reason={may ? null : t('cosOnly')} onClick={() => setOpen(true)}>
          {t(typed ? 'cosEdit' : 'cosEnter')}
        </ReasonedButton>
      </div>
      {isOpen && <PowerFactorDialog {...{ houseId, month, bill }} onClose={() => setOpen(false)} />}
    </>
  )
}

function PowerFactorDialog({ houseId, month, bill, onClose }: Of & { onClose: () => void }) {
  const { t } = useTranslation(['energyCost', 'app'])
  const { PowerFactor: before, SupplyID } = bill
  const form = useForm<PowerFactorValues>(powerFactorStart(before), ({ By, Cos, Active, Reactive, Source }) => ({
    Cos: By === 'cos' && cosIn(Cos) === null ? t('cosWrong') : null,
    Active: By === 'energies' && energyIn(Active, 1) === null ? t('activeWrong') : null,
    Reactive: By === 'energies' && energyIn(Reactive, 0) === null ? t('reactiveWrong') : null,
    Source: By !== 'none' && Source.trim() === '' ? t('cosSourceMissing') : null,
  }))
  const send = async (Typed: ReturnType<typeof typedOf>) => {
    try {
      await change(setPowerFactor, { body: { HouseID: houseId, SupplyID, Month: month, Version: before?.Version ?? 0, Typed } })
      return null
    } catch (error) {
      return refuseForm(form, error)
    }
  }
  const save = async () => (form.check() ? send(typedOf(form.values)) : '')
  const ways = (['cos', 'energies', 'none'] as const).filter((way) => way !== 'none' || before)
  const by = form.field('By')
  return (
    <FormDialog title={t('cosOf', { month })} submit={t('app:save')} onSubmit={save} onClose={onClose}>
      <p className="mute">{t('cosHint', { from: bill.From, to: bill.To })}</p>
      <Segments
        label={t('cosHow')}
        value={form.values.By}
        options={ways.map((value) => ({ value, label: t(`cosWays.${value}`) }))}
        onChange={by.onChange}
      />
      {form.values.By === 'cos' && (
        <TextField label={t('cos')} inputMode="decimal" maxLength={4} required autoFocus {...form.field('Cos')} />
      )}
      {form.values.By === 'energies' && (
        <div className="form-grid">
          <TextField label={t('active')} unit="kWh" inputMode="decimal" maxLength={16} required {...form.field('Active')} />
          <TextField label={t('reactive')} unit="kvarh" inputMode="decimal" maxLength={16} required {...form.field('Reactive')} />
        </div>
      )}
      {form.values.By !== 'none' && (
        <TextField label={t('cosSource')} hint={t('cosSourceHint')} maxLength={120} required {...form.field('Source')} />
      )}
    </FormDialog>
  )
}

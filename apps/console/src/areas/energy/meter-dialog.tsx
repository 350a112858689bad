import { CallError } from '@linewarden/client'
import type { Meter, MetersOfLine, Project } from '@linewarden/contract'
import { insertMeter, removeMeter, updateMeter } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { change } from '../../app/net/change.ts'
import { refuseForm } from '../../app/net/refuse-form.ts'
import { projectMomentIn } from '../../plant/project-moment.ts'
import { TextArea, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { localised } from '../../ui/i18n.ts'
import { MomentField } from '../../ui/moment-field.tsx'
import type { Form, Validate } from '../../ui/use-form.ts'
import { useForm } from '../../ui/use-form.ts'
import { serverNow } from '../../ui/use-now.ts'
import type { MeterCause, MeterValues } from './meter-values.ts'
import { correctionStart, isAccuracy, isMaximum, isMultiplier, isRegister, meterOf, replacementStart } from './meter-values.ts'

interface Props {
  readonly house: Project
  readonly line: MetersOfLine
  readonly onClose: () => void
}

/** Another meter from an instant on. */
export function ReplaceMeterDialog({ house, line, onClose }: Props) {
  const { t } = useTranslation('energyMeters')
  const { TimeZone, HouseID } = house
  const form = useForm<MeterValues>(replacementStart(line.Meters.at(-1), serverNow(), TimeZone), useValidate(TimeZone, true))
  const contradictions = useContradictions()
  const save = () =>
    contradictions.sent(form, (Anyway) => {
      const { EndRegisterKwh: _, From, ...fields } = meterOf(form.values, TimeZone)
      const { LineID, Version } = line
      return change(insertMeter, { body: { HouseID, LineID, Version, ...fields, From: From ?? 0, Anyway } })
    })
  return (
    <FormDialog title={t('replaceTitle', { name: line.Name })} submit={t('replace')} wide onSubmit={save} onClose={onClose}>
      <div className="form-grid">
        <MomentField kind="minute" label={t('from')} required autoFocus {...form.field('From')} />
        <RegisterField form={form} name="FormerEndKwh" label={t('formerEnd')} />
      </div>
      <h3>{t('newMeter')}</h3>
      <MeterFields form={form} />
      <TextArea label={t('reason')} required rows={2} maxLength={200} {...form.field('Reason')} />
      <Contradictions of={contradictions} />
    </FormDialog>
  )
}

/** What was entered of a meter, or should have been: a wrong multiplier. `meter` null: nothing was. */
export function CorrectMeterDialog({
  house,
  line,
  meter,
  cause,
  onClose,
}: Props & { readonly meter: Meter | null; readonly cause: MeterCause | null }) {
  const { t } = useTranslation('energyMeters')
  const { TimeZone, HouseID } = house
  const reason = cause === null ? '' : t(`because.${cause}`)
  const hasBeginning = meter?.From != null
  const start = correctionStart(meter, TimeZone, cause, reason)
  const form = useForm<MeterValues>(start, useValidate(TimeZone, hasBeginning))
  const contradictions = useContradictions()
  const save = () =>
    contradictions.sent(form, (Anyway) => {
      const { FormerEndKwh: _, ...fields } = meterOf(form.values, TimeZone)
      const { LineID, Version } = line
      return change(updateMeter, { body: { HouseID, LineID, Version, MeterID: meter?.MeterID ?? null, ...fields, Anyway } })
    })
  return (
    <FormDialog title={t('correctTitle', { name: line.Name })} submit={t('correct')} wide onSubmit={save} onClose={onClose}>
      {hasBeginning && <MomentField kind="minute" label={t('ownFrom')} required {...form.field('From')} />}
      <MeterFields form={form} />
      {meter?.To != null && <RegisterField form={form} name="EndRegisterKwh" label={t('end')} />}
      <TextArea label={t('reason')} required rows={2} maxLength={200} {...form.field('Reason')} />
      <Contradictions of={contradictions} />
    </FormDialog>
  )
}

/** Takes out what was entered by mistake. */
export function RemoveMeterDialog({ house, line, meter, onClose }: Props & { readonly meter: Meter }) {
  const { t } = useTranslation('energyMeters')
  const form = useForm<{ readonly Reason: string }>({ Reason: '' }, ({ Reason }) => ({
    Reason: Reason.trim() === '' ? t('reasonMissing') : null,
  }))
  const remove = async () => {
    if (!form.check()) return ''
    const { LineID, Version } = line
    const body = { HouseID: house.HouseID, LineID, Version, MeterID: meter.MeterID, Reason: form.values.Reason.trim() }
    return change(removeMeter, { body }).then(
      () => null,
      (error: unknown) => refuseForm(form, error),
    )
  }
  return (
    <FormDialog title={t('removeTitle', { name: line.Name })} submit={t('remove')} onSubmit={remove} onClose={onClose}>
      <p>{t(line.Meters.length === 1 ? 'removeLast' : 'removeSure')}</p>
      <TextArea label={t('reason')} required rows={2} maxLength={200} {...form.field('Reason')} />
    </FormDialog>
  )
}

function MeterFields({ form }: { form: Form<MeterValues> }) {
  const { t } = useTranslation('energyMeters')
  return (
    <div className="form-grid">
      <TextField label={t('serial')} maxLength={40} {...form.field('Serial')} />
      <TextField
        label={t('multiplier')}
        hint={t('multiplierHint')}
        required
        inputMode="decimal"
        maxLength={12}
        {...form.field('Multiplier')}
      />
      <TextField label={t('accuracy')} required inputMode="decimal" maxLength={6} {...form.field('AccuracyPercent')} />
      <TextField
        label={t('max')}
        hint={t('maxHint')}
        unit="kWh"
        inputMode="decimal"
        maxLength={16}
        {...form.field('RegisterMaxKwh')}
      />
      <RegisterField form={form} name="StartRegisterKwh" label={t('start')} />
    </div>
  )
}

function RegisterField(props: {
  form: Form<MeterValues>
  name: 'StartRegisterKwh' | 'EndRegisterKwh' | 'FormerEndKwh'
  label: string
}) {
  const { t } = useTranslation('energyMeters')
  const { form, name, label } = props
  return <TextField label={label} hint={t('registerHint')} unit="kWh" inputMode="decimal" maxLength={16} {...form.field(name)} />
}

function useValidate(timeZone: string, hasBeginning: boolean): Validate<MeterValues> {
  const { t } = useTranslation('energyMeters')
  const register = (typed: string) => (isRegister(typed) ? null : t('registerWrong'))
  return (values) => ({
    From: !hasBeginning || projectMomentIn(values.From, timeZone) !== null ? null : t('momentWrong'),
    Multiplier: isMultiplier(values.Multiplier) ? null : t('multiplierWrong'),
    AccuracyPercent: isAccuracy(values.AccuracyPercent) ? null : t('accuracyWrong'),
    RegisterMaxKwh: isMaximum(values.RegisterMaxKwh) ? null : t('registerWrong'),
    ...{ StartRegisterKwh: register(values.StartRegisterKwh), EndRegisterKwh: register(values.EndRegisterKwh) },
    FormerEndKwh: register(values.FormerEndKwh),
    Reason: values.Reason.trim() === '' ? t('reasonMissing') : null,
  })
}

/** What readings say against the registers that were typed: sent again where somebody says that they are right. */
function useContradictions() {
  const [texts, setTexts] = useState<readonly string[]>([])
  const [isSure, setSure] = useState(false)
  const sent = async (form: Form<MeterValues>, send: (anyway: boolean) => Promise<unknown>): Promise<string | null> => {
    if (!form.check()) return ''
    try {
      await send(texts.length > 0 && isSure)
      return null
    } catch (error) {
      const failure = error instanceof CallError && error.problem.kind === 'refusal' ? error.problem.failure : null
      if (!(error instanceof CallError) || error.message !== 'meter doubtful') return refuseForm(form, error)
      setTexts((failure?.Problems ?? []).map(({ Text }) => localised(Text)))
      setSure(false)
      return ''
    }
  }
  return { texts, isSure, setSure, sent }
}

function Contradictions({ of: { texts, isSure, setSure } }: { of: ReturnType<typeof useContradictions> }) {
  const { t } = useTranslation('energyMeters')
  if (texts.length === 0) return null
  return (
    <fieldset className="energy-doubts" role="alert">
      <legend>{t('contradictions')}</legend>
      {texts.map((each) => (
        <p key={each}>{each}</p>
      ))}
      <label className="check-line">
        <input type="checkbox" checked={isSure} onChange={(event) => setSure(event.target.checked)} />
        {t('anyway')}
      </label>
    </fieldset>
  )
}

import type { EnergyFix, Project } from '@linewarden/contract'
import { insertFix, undoFix } from '@linewarden/contract'
import { fixMethods, maxRegisterKwh, quarterMs } from '@linewarden/rules/energy'
import { useTranslation } from 'react-i18next'
import { change } from '../../app/net/change.ts'
import { refuseForm } from '../../app/net/refuse-form.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { projectMomentIn } from '../../plant/project-moment.ts'
import { useLineRefs, useProjects } from '../../plant/queries.ts'
import { SelectField, TextArea, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { MomentField } from '../../ui/moment-field.tsx'
import { PickField } from '../../ui/pick-field.tsx'
import type { Validate } from '../../ui/use-form.ts'
import { useForm } from '../../ui/use-form.ts'
import { figureIn } from './meter-values.ts'

type Method = (typeof fixMethods)[number]

interface FixValues {
  readonly LineID: string
  readonly From: string
  readonly To: string
  readonly Method: string
  readonly Kwh: string
  readonly StartKwh: string
  readonly EndKwh: string
  readonly Reason: string
}

const empty: FixValues = {
  ...{ LineID: '', From: '', To: '', Method: 'kwh', Kwh: '', StartKwh: '', EndKwh: '', Reason: '' },
}

const methodOf = (text: string): Method => fixMethods.find((each) => each === text) ?? 'kwh'
const kwhIn = (text: string) => figureIn(text, 6, maxRegisterKwh)
const isKwh = (text: string): boolean => {
  const value = kwhIn(text)
  return value !== null && !Number.isNaN(value)
}

/** Energy of a line over quarters, by one of four ways. */
export function FixDialog({ house, onClose }: { house: Project; onClose: () => void }) {
  const { t } = useTranslation(['energyFixes', 'app'])
  const { HouseID, TimeZone } = house
  const form = useForm<FixValues>(empty, useValidate(TimeZone))
  const { projects, lacking } = useProjects([HouseID])
  const lines = useLineRefs(projects).filter(({ family }) => family?.level !== 'device')
  const method = methodOf(form.values.Method)
  const save = async () => {
    if (!form.check()) return ''
    const { LineID, From, To, Kwh, StartKwh, EndKwh, Reason } = form.values
    const [from, to] = [From, To].map((each) => projectMomentIn(each, TimeZone) ?? 0)
    const registers =
      method === 'register' ? { StartKwh: kwhIn(StartKwh), EndKwh: kwhIn(EndKwh) } : { StartKwh: null, EndKwh: null }
    const energy = { Method: method, Kwh: method === 'kwh' ? kwhIn(Kwh) : null, ...registers }
    const body = { HouseID, LineID: Number(LineID), From: from ?? 0, To: to ?? 0, ...energy, Reason: Reason.trim() }
    return change(insertFix, { body }).then(
      () => null,
      (error: unknown) => refuseForm(form, error),
    )
  }
  return (
    <FormDialog title={t('title')} submit={t('app:save')} wide onSubmit={save} onClose={onClose}>
      {lacking && <Unloaded query={lacking} />}
      <PickField
        label={t('line')}
        required
        placeholder={t('pickLine')}
        options={lines.map(({ line, gateway }) => ({
          value: String(line.LineID),
          label: line.LineName,
          note: gateway.GatewayName,
        }))}
        {...form.field('LineID')}
      />
      <div className="form-grid">
        <MomentField kind="minute" label={t('from')} hint={t('quarterHint')} required {...form.field('From')} />
        <MomentField kind="minute" label={t('to')} hint={t('quarterHint')} required {...form.field('To')} />
        <SelectField
          label={t('method')}
          hint={t(`methodHint.${method}`)}
          options={fixMethods.map((each) => ({ value: each, label: t(`methods.${each}`) }))}
          {...form.field('Method')}
        />
        {method === 'kwh' && (
          <TextField label={t('kwh')} unit="kWh" required inputMode="decimal" maxLength={16} {...form.field('Kwh')} />
        )}
        {method === 'register' && (
          <>
            <TextField label={t('start')} unit="kWh" required inputMode="decimal" maxLength={16} {...form.field('StartKwh')} />
            <TextField label={t('end')} unit="kWh" required inputMode="decimal" maxLength={16} {...form.field('EndKwh')} />
          </>
        )}
      </div>
      <TextArea label={t('reason')} required rows={2} maxLength={200} {...form.field('Reason')} />
    </FormDialog>
  )
}

function useValidate(timeZone: string): Validate<FixValues> {
  const { t } = useTranslation('energyFixes')
  const moment = (text: string) => {
    const at = projectMomentIn(text, timeZone)
    return at !== null && at % quarterMs === 0 ? null : t('momentWrong')
  }
  return ({ LineID, From, To, Method: method, Kwh, StartKwh, EndKwh, Reason }) => ({
    LineID: LineID === '' ? t('lineMissing') : null,
    ...{ From: moment(From), To: moment(To) },
    Kwh: method !== 'kwh' || isKwh(Kwh) ? null : t('figureWrong'),
    StartKwh: method !== 'register' || isKwh(StartKwh) ? null : t('figureWrong'),
    EndKwh: method !== 'register' || isKwh(EndKwh) ? null : t('figureWrong'),
    Reason: Reason.trim() === '' ? t('reasonMissing') : null,
  })
}

export function UndoDialog({ house, fix, onClose }: { house: Project; fix: EnergyFix; onClose: () => void }) {
  const { t } = useTranslation('energyFixes')
  const form = useForm<{ readonly Reason: string }>({ Reason: '' }, ({ Reason }) => ({
    Reason: Reason.trim() === '' ? t('reasonMissing') : null,
  }))
  const undo = async () => {
    if (!form.check()) return ''
    const body = { HouseID: house.HouseID, FixID: fix.FixID, Version: fix.Version, Reason: form.values.Reason.trim() }
    return change(undoFix, { body }).then(
      () => null,
      (error: unknown) => refuseForm(form, error),
    )
  }
  return (
    <FormDialog title={t('undoTitle')} submit={t('undo')} onSubmit={undo} onClose={onClose}>
      <p>{t('undoSure', { name: fix.Name })}</p>
      <TextArea label={t('reason')} required rows={2} maxLength={200} {...form.field('Reason')} />
    </FormDialog>
  )
}

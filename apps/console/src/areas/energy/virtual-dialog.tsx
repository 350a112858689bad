import type { Project, VirtualMeter } from '@linewarden/contract'
import { insertVirtualMeter, updateVirtualMeter } from '@linewarden/contract'
import { civilZone, dateText } from '@linewarden/rules/automation'
import { maxVirtualFactor, maxVirtualTerms } from '@linewarden/rules/energy'
import { useTranslation } from 'react-i18next'
import { change } from '../../app/net/change.ts'
import { refuseForm } from '../../app/net/refuse-form.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useLineRefs, useProjects } from '../../plant/queries.ts'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { MomentField } from '../../ui/moment-field.tsx'
import { momentIn, momentText } from '../../ui/moment-text.ts'
import { PickField } from '../../ui/pick-field.tsx'
import { useForm } from '../../ui/use-form.ts'
import { serverNow } from '../../ui/use-now.ts'
import { isDay } from './supply-values.ts'

/** `line:7` or `meter:3`, and the factor as typed. */
interface Term {
  readonly key: string
  readonly factor: string
}

interface VirtualValues {
  readonly Name: string
  readonly Terms: readonly Term[]
  readonly FloorsAtZero: boolean
  readonly From: string
  readonly To: string
}

const factorIn = (text: string): number | null => {
  const typed = text.trim().replace('−', '-')
  if (!/^-?\d{1,6}(\.\d{1,4})?$/.test(typed) || Math.abs(Number(typed)) > maxVirtualFactor) return null
  return Number(typed)
}

const keyOf = (kind: 'line' | 'meter', id: number | null): string => `${kind}:${id}`
const idIn = (kind: 'line' | 'meter', key: string): number | null =>
  key.startsWith(`${kind}:`) ? Number(key.slice(kind.length + 1)) : null
const dayIn = (text: string): string => {
  const at = momentIn('day', text)
  return at === null ? text : momentText('day', at)
}

const startOf = (meter: VirtualMeter | null, today: string): VirtualValues => ({
  ...{ Name: meter?.Name ?? '', FloorsAtZero: meter?.FloorsAtZero ?? false, From: meter?.From ?? today, To: meter?.To ?? '' },
  Terms: (meter?.Terms ?? []).map(({ LineID, MeterID, Factor }) => ({
    key: LineID === null ? keyOf('meter', MeterID) : keyOf('line', LineID),
    factor: String(Factor),
  })),
})

/** One virtual meter: what it is called, and what it is made of. */
export function VirtualDialog(props: {
  house: Project
  meter: VirtualMeter | null
  others: readonly VirtualMeter[]
  onClose: () => void
}) {
  const { house, meter, others, onClose } = props
  const { t } = useTranslation(['virtualMeters', 'app'])
  const today = dateText(civilZone(house.TimeZone).dayAt(serverNow()))
  const form = useForm<VirtualValues>(startOf(meter, today), (values) => ({
    Name: values.Name.trim() === '' ? t('nameMissing') : null,
    Terms:
      values.Terms.length === 0
        ? t('termsMissing')
        : values.Terms.every(({ factor }) => factorIn(factor) !== null)
          ? null
          : t('factorWrong'),
    From: isDay(values.From) ? null : t('dayWrong'),
    To: values.To.trim() === '' || isDay(values.To) ? null : t('dayWrong'),
  }))
  const save = async () => {
    if (!form.check()) return ''
    const { Name, Terms, FloorsAtZero, From, To } = form.values
    const body = {
      ...{ HouseID: house.HouseID, Name: Name.trim(), FloorsAtZero, From: dayIn(From), To: To.trim() === '' ? null : dayIn(To) },
      Terms: Terms.map(({ key, factor }) => ({
        ...{ LineID: idIn('line', key), MeterID: idIn('meter', key), Factor: factorIn(factor) ?? 0 },
      })),
    }
    const saving = meter
      ? change(updateVirtualMeter, { body: { ...body, MeterID: meter.MeterID, Version: meter.Version } })
      : change(insertVirtualMeter, { body })
    return saving.then(
      () => null,
      (error: unknown) => refuseForm(form, error),
    )
  }
  return (
    <FormDialog title={t(meter ? 'edit' : 'add')} submit={t('app:save')} wide onSubmit={save} onClose={onClose}>
      <TextField label={t('name')} maxLength={60} required autoFocus {...form.field('Name')} />
      <Terms houseId={house.HouseID} meter={meter} others={others} {...form.field('Terms')} />
      <label className="check-line">
        <input
          type="checkbox"
          checked={form.values.FloorsAtZero}
          onChange={(event) => form.set('FloorsAtZero', event.target.checked)}
        />
        {t('floors')}
      </label>
      <div className="form-grid">
        <MomentField kind="day" label={t('from')} required {...form.field('From')} />
        <MomentField kind="day" label={t('to')} hint={t('toHint')} {...form.field('To')} />
      </div>
    </FormDialog>
  )
}

function Terms(props: {
  houseId: number
  meter: VirtualMeter | null
  others: readonly VirtualMeter[]
  value: readonly Term[]
  error: string | null
  onChange: (value: readonly Term[]) => void
}) {
  const { houseId, meter, others, value, error, onChange } = props
  const { t } = useTranslation('virtualMeters')
  const { projects, lacking } = useProjects([houseId])
  const lines = useLineRefs(projects).filter(({ family }) => family?.level !== 'device')
  const options = [
    ...others.map(({ MeterID, Name }) => ({ value: keyOf('meter', MeterID), label: Name, note: t('isVirtual') })),
    ...lines.map(({ line, gateway }) => ({ value: keyOf('line', line.LineID), label: line.LineName, note: gateway.GatewayName })),
  ]
  const names = new Map(options.map((option) => [option.value, option.label]))
  for (const { LineID, MeterID, Name } of meter?.Terms ?? []) {
    const key = LineID === null ? keyOf('meter', MeterID) : keyOf('line', LineID)
    if (!names.has(key)) names.set(key, Name ?? t('gone'))
  }
  const isFull = value.length >= maxVirtualTerms
  return (
    <div className="energy-member-fields">
      {lacking && <Unloaded query={lacking} />}
      <PickField
        label={t('terms')}
        required
        hint={isFull ? t('termsFull', { most: maxVirtualTerms }) : undefined}
        error={error}
        disabled={isFull}
        options={options.filter((option) => !value.some(({ key }) => key === option.value))}
        value=""
        placeholder={t('addTerm')}
        onChange={(key) => key !== '' && onChange([...value, { key, factor: '1' }])}
      />
      {value.map(({ key, factor }) => {
        const name = names.get(key) ?? key
        return (
          <div className="energy-member" key={key} role="group" aria-label={name}>
            <span>{name}</span>
            <input
              className="energy-factor"
              aria-label={t('factor', { name })}
              inputMode="decimal"
              maxLength={12}
              value={factor}
              aria-invalid={factorIn(factor) === null || undefined}
              onChange={(event) => onChange(value.map((each) => (each.key === key ? { key, factor: event.target.value } : each)))}
            />
            <button
              type="button"
              className="btn quiet"
              aria-label={t('takeOut', { name })}
              onClick={() => onChange(value.filter((each) => each.key !== key))}
            >
              <Icon name="close" />
            </button>
          </div>
        )
      })}
    </div>
  )
}

import type { ProjectRecord } from '@linewarden/contract'
import { addProject, editProject } from '@linewarden/contract'
import { standards } from '@linewarden/rules/site'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { change } from '../../app/net/change.ts'
import { NoChoice } from '../../app/net/no-choice.tsx'
import { refuseForm } from '../../app/net/refuse-form.ts'
import { SelectField, TextArea, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { PickField } from '../../ui/pick-field.tsx'
import { useForm } from '../../ui/use-form.ts'
import { currencies, timeZones } from './locales.ts'
import { PlaceFields } from './place-fields.tsx'
import { useGroupNames } from './queries.ts'

const timedLines = ['ask', 'refuse', 'free'] as const
const phone = /^[0-9+() -]{5,24}$/
const ccid = /^[A-Za-z0-9_-]{0,32}$/
const degrees = /^-?[0-9]{1,3}([.,][0-9]{1,8})?$/

/** A new project, or an existing one. */
export function ProjectForm({
  project,
  onDone,
  onClose,
}: {
  project: ProjectRecord | null
  /** What was added, for who goes on from there. */
  onDone?: (added: ProjectRecord) => void
  onClose: () => void
}) {
  const { t } = useTranslation(['project', 'app'])
  const groups = useGroupNames()
  const form = useForm(valuesOf(project), (values) => projectProblems(t, values))
  const save = async (): Promise<string | null> => {
    if (!form.check()) return ''
    const { CityID, ...fields } = form.values
    const body = {
      ...{ ...fields, ContactPhone: fields.ContactPhone.trim(), CCID: fields.CCID.trim() },
      ...{ Latitude: degreesOf(fields.Latitude), Longitude: degreesOf(fields.Longitude) },
    }
    try {
      const target = { HouseID: project?.HouseID ?? 0 }
      const saved = project
        ? await change(editProject, { params: target, body: { ...body, Version: project.Version } })
        : await change(addProject, { body: { ...body, ...(CityID !== '' && { CityID: Number(CityID) }) } })
      if (!project) onDone?.(saved)
      return null
    } catch (error) {
      return refuseForm(form, error)
    }
  }
  const text = (name: 'Name' | 'Number' | 'PersonInCharge' | 'Address', label: string, maxLength: number, required = false) => (
    <TextField label={label} {...form.field(name)} maxLength={maxLength} required={required} autoFocus={name === 'Name'} />
  )
  return (
    <FormDialog title={project ? t('edit') : t('add')} submit={t('app:save')} wide onSubmit={save} onClose={onClose}>
      <div className="form-grid">
        {text('Name', t('name'), 64, true)}
        {text('Number', t('number'), 32)}
        {text('PersonInCharge', t('person'), 32, true)}
        <TextField label={t('phone')} type="tel" {...form.field('ContactPhone')} maxLength={24} required />
        <PlaceFields form={form} />
        <div className="wide">{text('Address', t('address'), 200)}</div>
        {!project && (
          <SelectField
            label={t('group')}
            value={form.values.CityID}
            onChange={(value) => form.set('CityID', value)}
            placeholder={t('defaultGroup')}
            options={(groups.data?.items ?? [])
              .filter(({ IsDefault }) => !IsDefault)
              .map(({ CityID, Name }) => ({ value: String(CityID), label: Name }))}
          />
        )}
        {!project && <NoChoice query={groups} />}
        <PickField label={t('timeZone')} hint={t('timeZoneHint')} {...form.field('TimeZone')} options={timeZones} required />
        <div className="form-grid wide">
          <TextField
            label={t('latitude')}
            hint={t('coordinatesHint')}
            {...form.field('Latitude')}
            maxLength={12}
            inputMode="decimal"
            unit="°"
          />
          <TextField label={t('longitude')} {...form.field('Longitude')} maxLength={12} inputMode="decimal" unit="°" />
        </div>
        <PickField label={t('currency')} {...form.field('Currency')} options={currencies()} required />
        <SelectField
          label={t('timedLines')}
          hint={t('timedLinesHint')}
          value={form.values.TimedLines}
          onChange={(value) => form.set('TimedLines', timedLines.find((each) => each === value) ?? 'ask')}
          options={timedLines.map((value) => ({ value, label: t(`timedLines_${value}`) }))}
        />
        <SelectField
          label={t('standard')}
          value={form.values.Standard}
          onChange={(value) => form.set('Standard', value === 'IEC' ? 'IEC' : 'GB')}
          options={standards.map((value) => ({ value, label: t(value) }))}
        />
        <TextField label={t('ccid')} hint={t('ccidHint')} {...form.field('CCID')} maxLength={32} />
        <div className="wide">
          <TextArea
            label={t('app:remark')}
            rows={2}
            value={form.values.Remark}
            onChange={(value) => form.set('Remark', value)}
            maxLength={500}
          />
        </div>
      </div>
    </FormDialog>
  )
}

const valuesOf = (project: ProjectRecord | null) => ({
  Name: project?.Name ?? '',
  Number: project?.Number ?? '',
  PersonInCharge: project?.PersonInCharge ?? '',
  ContactPhone: project?.ContactPhone ?? '',
  Province: project?.Province ?? '',
  City: project?.City ?? '',
  District: project?.District ?? '',
  Address: project?.Address ?? '',
  CityID: '',
  TimeZone: project?.TimeZone ?? 'Asia/Shanghai',
  Currency: project?.Currency ?? 'CNY',
  Standard: project?.Standard ?? ('GB' as const),
  TimedLines: project?.TimedLines ?? ('ask' as const),
  Latitude: project?.Latitude?.toString() ?? '',
  Longitude: project?.Longitude?.toString() ?? '',
  CCID: project?.CCID ?? '',
  Remark: project?.Remark ?? '',
})

/** Null: not filled in. A comma is what many write for the point. */
const degreesOf = (value: string): number | null => (value.trim() === '' ? null : Number(value.trim().replace(',', '.')))

const isWithin = (value: string, most: number): boolean =>
  value.trim() === '' || (degrees.test(value.trim()) && Math.abs(degreesOf(value) ?? 0) <= most)

/** What is wrong with each field of a project. */
const projectProblems = (t: TFunction<['project', 'app']>, values: ReturnType<typeof valuesOf>) => ({
  Name: values.Name.trim() === '' ? t('nameEmpty') : null,
  PersonInCharge: values.PersonInCharge.trim() === '' ? t('personEmpty') : null,
  ContactPhone:
    values.ContactPhone.trim() === '' ? t('phoneEmpty') : phone.test(values.ContactPhone.trim()) ? null : t('phoneWrong'),
  Province: values.Province.trim() === '' ? t('placeEmpty', { what: t('Province') }) : null,
  City: values.City.trim() === '' ? t('placeEmpty', { what: t('City') }) : null,
  District: values.District.trim() === '' ? t('placeEmpty', { what: t('District') }) : null,
  TimeZone: timeZones.some(({ value }) => value === values.TimeZone) ? null : t('timeZoneWrong'),
  Currency: currencies().some(({ value }) => value === values.Currency) ? null : t('currencyWrong'),
  Latitude: !isWithin(values.Latitude, 90)
    ? t('degreesWrong', { most: 90 })
    : values.Latitude.trim() === '' && values.Longitude.trim() !== ''
      ? t('coordinatesIncomplete')
      : null,
  Longitude: !isWithin(values.Longitude, 180)
    ? t('degreesWrong', { most: 180 })
    : values.Longitude.trim() === '' && values.Latitude.trim() !== ''
      ? t('coordinatesIncomplete')
      : null,
  CCID: ccid.test(values.CCID.trim()) ? null : t('ccidWrong'),
})

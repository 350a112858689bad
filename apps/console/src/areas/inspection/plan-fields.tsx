import { countedFrom, cycleUnits, photoDemands, signatureDemands } from '@linewarden/rules/inspection'
import { useTranslation } from 'react-i18next'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { MomentField } from '../../ui/moment-field.tsx'
import type { Form } from '../../ui/use-form.ts'
import { AssigneesField } from './assignees-field.tsx'
import type { PlanValues } from './plan-values.ts'

type PlanFormOf = Form<PlanValues>

const chosen = <const T extends string>(of: readonly T[], value: string, otherwise: T): T =>
  of.find((each) => each === value) ?? otherwise

/** How often, from when, and how many days before and after. */
export function TimeFields({ form }: { form: PlanFormOf }) {
  const { t } = useTranslation('inspection')
  const { values } = form
  return (
    <div className="form-grid plan-times">
      <div className="thirds wide">
        <TextField label={t('everyHowMany')} inputMode="numeric" maxLength={4} required {...form.field('Every')} />
        <SelectField
          label={t('cycleUnit')}
          value={values.Unit}
          options={cycleUnits.map((value) => ({ value, label: t(`units.${value}`) }))}
          onChange={(value) => form.set('Unit', chosen(cycleUnits, value, values.Unit))}
        />
        <MomentField kind="day" label={t('firstDue')} required {...form.field('FirstDue')} />
      </div>
      <div className="thirds wide">
        <SelectField
          label={t('counts')}
          hint={t(`countsHints.${values.CountsFrom}`)}
          value={values.CountsFrom}
          options={countedFrom.map((value) => ({ value, label: t(`countsFrom.${value}`) }))}
          onChange={(value) => form.set('CountsFrom', chosen(countedFrom, value, values.CountsFrom))}
        />
        <TextField
          label={t('before')}
          unit={t('units.day')}
          inputMode="numeric"
          maxLength={3}
          required
          {...form.field('Before')}
        />
        <TextField label={t('after')} unit={t('units.day')} inputMode="numeric" maxLength={3} required {...form.field('After')} />
      </div>
    </div>
  )
}

/** Who walks it, and what they have to bring back. */
export function DemandFields({ form, houseId }: { form: PlanFormOf; houseId: number | null }) {
  const { t } = useTranslation('inspection')
  const { values } = form
  return (
    <>
      <AssigneesField houseId={houseId} value={values.Assignees} onChange={(people) => form.set('Assignees', people)} />
      {values.Kind === 'onSite' && (
        <div className="form-grid">
          <SelectField
            label={t('signature')}
            value={values.Signature}
            options={signatureDemands.map((value) => ({ value, label: t(`signatures.${value}`) }))}
            onChange={(value) => form.set('Signature', chosen(signatureDemands, value, values.Signature))}
          />
          <SelectField
            label={t('photos')}
            value={values.PhotoOn}
            options={photoDemands.map((value) => ({ value, label: t(`photosOn.${value}`) }))}
            onChange={(value) => form.set('PhotoOn', chosen(photoDemands, value, values.PhotoOn))}
          />
        </div>
      )}
      {values.Kind === 'onSite' && (
        <label className="check-line">
          <input type="checkbox" checked={values.FourEyes} onChange={(press) => form.set('FourEyes', press.target.checked)} />
          {t('fourEyes')}
        </label>
      )}
      <label className="check-line">
        <input type="checkbox" checked={values.Enabled} onChange={(press) => form.set('Enabled', press.target.checked)} />
        {t('enabled')}
      </label>
    </>
  )
}

import type { InspectionPlan } from '@linewarden/contract'
import { deleteInspectionPlan, insertInspectionPlan, queryInspectionPlans, updateInspectionPlan } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../app/net/api.ts'
import { change } from '../../app/net/change.ts'
import { refuseForm } from '../../app/net/refuse-form.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { useProjects, useTree } from '../../plant/queries.ts'
import { useSelection } from '../../plant/selection.ts'
import { Empty } from '../../ui/body-state.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { CloseFoot, Dialog } from '../../ui/dialog.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { PickField } from '../../ui/pick-field.tsx'
import type { Form } from '../../ui/use-form.ts'
import { useForm } from '../../ui/use-form.ts'
import { serverNow } from '../../ui/use-now.ts'
import { ChecklistsField } from './checklists-field.tsx'
import { dayHere, dayText } from './days.ts'
import { placeOf } from './filters.ts'
import { DemandFields, TimeFields } from './plan-fields.tsx'
import type { PlanValues } from './plan-values.ts'
import { askedOf, newPlan, valuesOf, wrongIn } from './plan-values.ts'
import { StopPicker } from './stop-picker.tsx'
import { cabinetsOf, listsOf } from './stops.ts'
import type { TemplateKey } from './templates.ts'
import { routeOf, templateKeys, templates } from './templates.ts'

/** A new plan, or one that is written anew. */
export function PlanForm({ planId, onClose }: { planId: number | null; onClose: () => void }) {
  const { t } = useTranslation('inspection')
  const query = useCall(queryInspectionPlans, { body: { PlanID: planId ?? 1, Size: 1 } }, { enabled: planId !== null })
  const plan = query.data?.items[0]
  if (planId === null) return <Writing plan={null} onClose={onClose} />
  if (plan) return <Writing plan={plan} onClose={onClose} />
  return (
    <Dialog label={t('editPlan')} onClose={onClose}>
      <h2>{t('editPlan')}</h2>
      <div className="content">{query.data ? <Empty title={t('planGone')} /> : <Unloaded query={query} />}</div>
      <CloseFoot onClose={onClose} />
    </Dialog>
  )
}

function Writing({ plan, onClose }: { plan: InspectionPlan | null; onClose: () => void }) {
  const { t } = useTranslation(['inspection', 'app'])
  const [selection] = useSelection()
  const houses = (useTree().data?.Groups ?? []).flatMap(({ Houses }) => Houses)
  const only = houses.length === 1 ? String(houses[0]?.HouseID) : ''
  // As it was read when it was begun: the list is read again behind it, and this was written over what was seen then.
  const [version] = useState(plan?.Version ?? 0)
  const [isRemoving, setRemoving] = useState(false)
  const form = useForm<PlanValues>(
    plan ? valuesOf(plan) : newPlan(String(placeOf(selection).HouseID ?? ''), dayText(dayHere(serverNow()))),
    (values) => {
      const wrong = wrongIn({ ...values, HouseID: values.HouseID || only })
      return Object.fromEntries(Object.entries(wrong).map(([name, key]) => [name, key && t(`problems.${key}`)]))
    },
  )
  const { values } = form
  const houseId = Number(values.HouseID || only) || null
  const save = async () => {
    if (!form.check() || houseId === null) return ''
    try {
      if (plan) await change(updateInspectionPlan, { body: { PlanID: plan.PlanID, Version: version, ...askedOf(values) } })
      else await change(insertInspectionPlan, { body: { HouseID: houseId, ...askedOf(values) } })
      return null
    } catch (error) {
      return refuseForm(form, error)
    }
  }
  const remove = async () => {
    if (!plan) return null
    try {
      await change(deleteInspectionPlan, { body: { PlanID: plan.PlanID, Version: version } })
      onClose()
      return null
    } catch (error) {
      return messageOf(error)
    }
  }
  return (
    <>
      <FormDialog
        title={t(plan ? 'editPlan' : 'addPlan')}
        submit={t('save')}
        wide
        aside={
          plan && (
            <button type="button" className="btn quiet" onClick={() => setRemoving(true)}>
              {t('removePlan')}
            </button>
          )
        }
        onSubmit={save}
        onClose={onClose}
      >
        {!plan && <ProjectField form={form} houses={houses} houseId={houseId} />}
        {!plan && houseId !== null && <TemplateField form={form} houseId={houseId} />}
        <TextField label={t('planName')} maxLength={60} required {...form.field('Name')} />
        <SelectField
          label={t('kind')}
          hint={t(`kindHints.${values.Kind}`)}
          value={values.Kind}
          options={(['onSite', 'online'] as const).map((value) => ({ value, label: t(`kinds.${value}`) }))}
          onChange={(value) => form.set('Kind', value === 'online' ? 'online' : 'onSite')}
        />
        {houseId !== null && (
          <StopPicker
            houseId={houseId}
            route={values.Stops}
            withPlaces={values.Kind === 'onSite'}
            error={form.errorOf('Stops')}
            onChange={(stops) => form.set('Stops', stops)}
          />
        )}
        {values.Kind === 'onSite' && (
          <ChecklistsField
            lists={listsOf(values.Stops)}
            leftOut={values.LeftOut}
            ownItems={values.OwnItems}
            onLeftOut={(leftOut) => form.set('LeftOut', leftOut)}
            onOwnItems={(items) => form.set('OwnItems', items)}
          />
        )}
        <TimeFields form={form} />
        <DemandFields form={form} houseId={houseId} />
      </FormDialog>
      {isRemoving && (
        <ConfirmDialog
          title={t('removePlan')}
          what={t('removePlanWhat', { name: plan?.Name ?? '' })}
          submit={t('removePlan')}
          onConfirm={remove}
          onClose={() => setRemoving(false)}
        />
      )}
    </>
  )
}

function ProjectField({
  form,
  houses,
  houseId,
}: {
  form: Form<PlanValues>
  houses: readonly { readonly HouseID: number; readonly Name: string }[]
  houseId: number | null
}) {
  const { t } = useTranslation('app')
  return (
    <PickField
      label={t('project')}
      required
      options={houses.map(({ HouseID, Name }) => ({ value: String(HouseID), label: Name }))}
      value={houseId === null ? '' : String(houseId)}
      error={form.errorOf('HouseID')}
      onChange={(value) => {
        form.set('HouseID', value)
        form.set('Stops', [])
        form.set('Assignees', [])
      }}
    />
  )
}

/** Fills the form with what most plants walk; each part of it can be changed. */
function TemplateField({ form, houseId }: { form: Form<PlanValues>; houseId: number }) {
  const { t } = useTranslation('inspection')
  const { projects } = useProjects([houseId])
  const cabinets = projects.flatMap(cabinetsOf)
  const fill = (key: TemplateKey) => {
    const { every, unit, countsFrom, windowDays, signature, photoOn } = templates[key]
    form.set('Name', t(`templates.${key}`))
    form.set('Kind', 'onSite')
    form.set('Stops', routeOf(key, cabinets))
    form.set('Every', String(every))
    form.set('Unit', unit)
    form.set('CountsFrom', countsFrom)
    form.set('Before', String(windowDays))
    form.set('After', String(windowDays))
    form.set('Signature', signature)
    form.set('PhotoOn', photoOn)
  }
  return (
    <div className="template-field" role="group" aria-label={t('fromTemplate')}>
      <span className="mute">{t('fromTemplate')}</span>
      <div className="chips">
        {templateKeys.map((key) => (
          <button type="button" key={key} className="btn small" disabled={projects.length === 0} onClick={() => fill(key)}>
            {t(`templates.${key}`)}
          </button>
        ))}
      </div>
    </div>
  )
}

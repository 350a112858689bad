import { queryScenes } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../app/net/use-call.ts'
import type { LineRef } from '../../../plant/equipment.ts'
import { live, useLivePulse } from '../../../plant/live-store.ts'
import { useLineRefs, useProjects, useSnapshots } from '../../../plant/queries.ts'
import { Loading } from '../../../ui/body-state.tsx'
import { Drawer } from '../../../ui/drawer.tsx'
import { Segments, TextField } from '../../../ui/fields.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { LeaveDialog } from '../../../ui/leave-dialog.tsx'
import { Mark } from '../../../ui/mark.tsx'
import { useLeaving } from '../../../ui/use-leaving.ts'
import { useControlGrant } from '../../control/control-grant.tsx'
import { ActionEditor } from './action-editor.tsx'
import { ConditionEditor } from './condition-editor.tsx'
import { FigureField } from './figure-field.tsx'
import type { LinkageValues } from './form-values.ts'
import { newAction, newCondition, newHours } from './form-values.ts'
import { HoursEditor } from './hours-editor.tsx'
import { LoopRing } from './loop-ring.tsx'
import { linkageNow } from './now-values.ts'
import { Simulation } from './simulation-part.tsx'
import type { Edited, LinkageFormState } from './use-linkage-form.ts'
import { saveLinkage, useLinkageForm } from './use-linkage-form.ts'
import './linkage-form.css'

const most = { conditions: 8, actions: 16, hours: 7 } as const
/** The parts of the address that take the form away; the rest narrows the list beside it. */
const ofForm = ['linkage', 'edit'] as const

interface FormProps {
  readonly houseId: number
  readonly timeZone: string
  readonly edited: Edited
  readonly initial: LinkageValues
  /** With the number of what was saved; null: it was not. */
  readonly onClose: (saved: number | null) => void
}

/** The form of a linkage, once the lines of its project are there. */
export function LinkageFormDrawer(props: FormProps) {
  const { t } = useTranslation('linkageForm')
  const { projects } = useProjects([props.houseId])
  const lines = useLineRefs(projects)
  useSnapshots([props.houseId], false)
  if (projects.length > 0) return <Form {...props} lines={lines} />
  const title = t(props.edited ? 'editTitle' : 'newTitle')
  return (
    <Drawer label={title} title={<h2>{title}</h2>} onClose={() => props.onClose(null)}>
      <Loading />
    </Drawer>
  )
}

function Form({ houseId, timeZone, edited, initial, lines, onClose }: FormProps & { lines: readonly LineRef[] }) {
  const { t } = useTranslation('linkageForm')
  const form = useLinkageForm(initial, lines)
  const [isSaving, setSaving] = useState(false)
  const leaving = useLeaving(form.changed, () => onClose(null), ofForm)
  const title = t(edited ? 'editTitle' : 'newTitle')
  const hasLoop = form.loop.length > 0
  return (
    <Drawer
      label={title}
      title={
        <>
          <h2>{title}</h2>
          {form.changed && <span className="chip-word">{t('unsaved')}</span>}
        </>
      }
      foot={
        <footer className="drawer-foot linkage-foot">
          <button
            type="button"
            className={hasLoop ? 'btn large blocked' : 'btn large primary'}
            disabled={hasLoop}
            onClick={() => form.check() && setSaving(true)}
          >
            {t(hasLoop ? 'saveLoop' : 'save')}
          </button>
          <button type="button" className="btn large" onClick={leaving.answers.onLeave}>
            {t('discard')}
          </button>
          <span className="grow" />
          {form.count > 0 && (
            <span className="form-problems" role="status">
              {t('problems', { count: form.count })}
            </span>
          )}
        </footer>
      }
      onClose={leaving.close}
    >
      <div className="drawer-parts linkage-form linkage-drawer">
        <div className="part">
          <TextField
            label={t('name')}
            value={form.values.Name}
            onChange={(Name) => form.set({ Name })}
            maxLength={64}
            required
            error={form.problemOf('Name')}
          />
        </div>
        <ConditionsPart form={form} lines={lines} />
        <ActionsPart form={form} lines={lines} houseId={houseId} />
        {(hasLoop || form.whole !== null) && (
          <section className="part" aria-label={t('check')}>
            <h3>{t('check')}</h3>
            {hasLoop && <LoopRing boxes={form.loop} />}
            {form.whole !== null && (
              <p className="problem" role="alert">
                <Mark kind="alarm" />
                {form.whole}
              </p>
            )}
          </section>
        )}
        <Simulation of={() => (form.check() ? simulated(form, lines, houseId, timeZone) : null)} />
      </div>
      {isSaving && (
        <SaveDialog
          {...{ houseId, edited, form }}
          onClose={() => setSaving(false)}
          onSaved={(linkageId) => {
            leaving.release()
            onClose(linkageId)
          }}
        />
      )}
      {leaving.asks && (
        <LeaveDialog
          {...{ title: t('leaveTitle'), what: t('leaveWhat'), leave: t('leave'), stay: t('stay') }}
          {...leaving.answers}
        />
      )}
    </Drawer>
  )
}

function ConditionsPart({ form, lines }: { form: LinkageFormState; lines: readonly LineRef[] }) {
  const { t } = useTranslation('linkageForm')
  const { values, set, problemOf } = form
  const { Conditions, ActiveHours } = values
  return (
    <section className="part" aria-label={t('conditions')}>
      <h3>
        {t('conditions')}
        <Segments
          label={t('match')}
          value={values.Match}
          options={[
            { value: 'all', label: t('all') },
            { value: 'any', label: t('any') },
          ]}
          onChange={(Match) => set({ Match })}
        />
        <span className="grow" />
        <AddButton
          word={t('addCondition')}
          isFull={Conditions.length >= most.conditions}
          onAdd={() => set({ Conditions: [...Conditions, newCondition()] })}
        />
      </h3>
      <ul className="editors">
        {Conditions.map((each, index) => (
          <ConditionEditor
            key={each.id}
            values={each}
            path={`Conditions.${index}`}
            {...{ lines, problemOf }}
            onChange={(changed) => set({ Conditions: Conditions.with(index, changed) })}
            onRemove={Conditions.length > 1 ? () => set({ Conditions: Conditions.toSpliced(index, 1) }) : null}
          />
        ))}
      </ul>
      <ul className="editors hours">
        {ActiveHours.map((each, index) => (
          <HoursEditor
            key={each.id}
            values={each}
            path={`ActiveHours.${index}`}
            problemOf={problemOf}
            onChange={(changed) => set({ ActiveHours: ActiveHours.with(index, changed) })}
            onRemove={() => set({ ActiveHours: ActiveHours.toSpliced(index, 1) })}
          />
        ))}
      </ul>
      <p className="mute form-note">
        <AddButton
          word={t('addHours')}
          isFull={ActiveHours.length >= most.hours}
          onAdd={() => set({ ActiveHours: [...ActiveHours, newHours()] })}
        />
        {ActiveHours.length === 0 && <span>{t('anyTime')}</span>}
        <span>{t('unknownRule')}</span>
      </p>
      <Now values={values} lines={lines} />
    </section>
  )
}

/** Whoever saves what is met already may wait for nothing. */
function Now({ values, lines }: { values: LinkageValues; lines: readonly LineRef[] }) {
  const { t } = useTranslation('linkageForm')
  useLivePulse()
  if (values.Conditions.some(({ source }) => source === '')) return null
  const truth = linkageNow(values, lines, (lineId) => live.line(lineId))
  if (truth === false) return null
  return (
    <p className="form-now" role="status">
      {t(truth === true ? 'metNow' : 'unknownNow')}
    </p>
  )
}

function ActionsPart({ form, lines, houseId }: { form: LinkageFormState; lines: readonly LineRef[]; houseId: number }) {
  const { t } = useTranslation('linkageForm')
  const { values, set, problemOf } = form
  const { Actions, Mode } = values
  const scenes = useCall(queryScenes, { body: { HouseID: houseId, Size: 100 } }).data?.items ?? []
  const closes = Actions.some(({ Kind }) => Kind === 'close')
  const figure = (name: 'CooldownS' | 'MaxPerHour' | 'MaxPerDay', label: string, unit: string) => (
    <FigureField
      label={label}
      value={values[name]}
      unit={unit}
      onChange={(value) => set({ [name]: value })}
      error={problemOf(name)}
    />
  )
  return (
    <section className="part" aria-label={t('actions')}>
      <h3>
        {t('actions')}
        <span className="grow" />
        <AddButton
          word={t('addAction')}
          isFull={Actions.length >= most.actions}
          onAdd={() => set({ Actions: [...Actions, newAction()] })}
        />
      </h3>
      <ul className="editors">
        {Actions.map((each, index) => (
          <ActionEditor
            key={each.id}
            values={each}
            path={`Actions.${index}`}
            {...{ lines, scenes, houseId, problemOf }}
            onChange={(changed) => set({ Actions: Actions.with(index, changed) })}
            onRemove={Actions.length > 1 ? () => set({ Actions: Actions.toSpliced(index, 1) }) : null}
          />
        ))}
      </ul>
      <div className="linkage-limits">
        {figure('CooldownS', t('cooldown'), t('seconds'))}
        {figure('MaxPerHour', t('perHour'), '')}
        {figure('MaxPerDay', t('perDay'), '')}
        <small>{t('haltNote')}</small>
      </div>
      <label className="check-line">
        <input type="checkbox" checked={values.MayClose} onChange={(event) => set({ MayClose: event.target.checked })} />
        {t('mayClose')} <small>{problemOf('MayClose') ?? problemOf('Conditions') ?? t('mayCloseHint')}</small>
      </label>
      <div className="mode-line">
        <Segments
          label={t('mode')}
          value={Mode}
          options={[
            { value: 'shadow', label: t('shadow') },
            { value: 'live', label: t('live') },
          ]}
          onChange={(mode) => set({ Mode: mode })}
        />
        <label className="check-line">
          <input type="checkbox" checked={values.Enabled} onChange={(event) => set({ Enabled: event.target.checked })} />
          {t('enabled')}
        </label>
        {closes && Mode === 'live' && <small>{t('shadowAdvised')}</small>}
      </div>
    </section>
  )
}

function AddButton({ word, isFull, onAdd }: { word: string; isFull: boolean; onAdd: () => void }) {
  return (
    <button type="button" className="btn small" disabled={isFull} onClick={onAdd}>
      <Icon name="plus" />
      {word}
    </button>
  )
}

/** Nobody is asked when it fires, so whoever saves it proves once that they may. */
function SaveDialog({
  houseId,
  edited,
  form,
  onClose,
  onSaved,
}: {
  houseId: number
  edited: Edited
  form: LinkageFormState
  onClose: () => void
  onSaved: (linkageId: number) => void
}) {
  const { t } = useTranslation('linkageForm')
  const control = useControlGrant({ autoFocus: true })
  const save = async () => {
    if (!form.form || !control.check()) return ''
    let granted = !control.needed
    const take = async (operation: string) => {
      const grant = await control.take(operation)
      granted = true
      return grant
    }
    try {
      onSaved(await saveLinkage(houseId, edited, form.form, take))
      return null
    } catch (error) {
      // A wrong password is said where it was typed; whatever else is wrong stands at its field.
      if (!granted) {
        control.forget()
        throw error
      }
      form.refuse(error)
      return null
    }
  }
  return (
    <FormDialog title={t('confirmTitle', { name: form.values.Name.trim() })} submit={t('save')} onSubmit={save} onClose={onClose}>
      <p>{t('passwordWhy')}</p>
      {control.field}
    </FormDialog>
  )
}

function simulated(form: LinkageFormState, lines: readonly LineRef[], HouseID: number, TimeZone: string) {
  if (!form.form) return null
  return {
    ...{ HouseID, TimeZone, form: form.form },
    conditions: form.form.Conditions.map(({ Kind, ControllerID, LineNo, Key, Op, Value }) => {
      const found = lines.find(({ line, device }) => device.ControllerID === ControllerID && line.LineNo === LineNo)
      return { Kind, Key, Op, Value, LineName: found?.line.LineName ?? '', Family: found?.device.Family ?? '' }
    }),
  }
}

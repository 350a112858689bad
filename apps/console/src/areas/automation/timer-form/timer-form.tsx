import type { Project, Timer } from '@linewarden/contract'
import type { TimerFunction } from '@linewarden/rules/automation'
import { civilZone, maxNameLength } from '@linewarden/rules/automation'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { ReasonedButton } from '../../../app/notify/reasoned-button.tsx'
import { toast } from '../../../app/notify/toasts.tsx'
import type { LineRef } from '../../../plant/equipment.ts'
import { Segments } from '../../../ui/fields.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useUnsaved } from '../../../ui/use-unsaved.ts'
import { offsetText } from '../parts/civil-text.ts'
import { ExceptionsField, withException } from './exceptions-field.tsx'
import { FormRow } from './form-row.tsx'
import type { FormValues, TimerType } from './form-values.ts'
import { formOf, withFunction } from './form-values.ts'
import { LeaveDialog } from './leave-dialog.tsx'
import { LinesField } from './lines-field.tsx'
import { PeriodField } from './period-field.tsx'
import { PointsField } from './points-field.tsx'
import { PreviewSide } from './preview-side.tsx'
import type { ProblemsByField } from './problems.ts'
import { fightsOf, problemIn, problemsShown } from './problems.ts'
import { ReasonDialog } from './reason-dialog.tsx'
import { SaveDialog } from './save-dialog.tsx'
import { TemplateBar } from './template-bar.tsx'
import { useTimerPreview } from './use-preview.ts'
import { Weeks } from './weeks.tsx'
import { useWhyNoTimers } from './why-no-timers.ts'

const functions = ['switch', 'selfTest'] as const satisfies readonly TimerFunction[]
const types = ['once', 'weekly', 'calendar', 'monthly', 'sun'] as const satisfies readonly TimerType[]
const noProblems: ProblemsByField = new Map()

/** The form in the order of the specification, what it would do beside it. What was typed stays whatever becomes of the server. */
export function TimerFormBody({
  project,
  lines,
  edited,
  initial,
  title,
  picker,
  onSaved,
  onReload,
  onClose,
}: {
  project: Pick<Project, 'HouseID' | 'Name' | 'TimeZone'>
  lines: readonly LineRef[] | null
  edited: Timer | null
  initial: FormValues
  title: string
  /** Chooses another project, where there are several. */
  picker: ReactNode
  onSaved: () => void
  onReload: () => void
  onClose: () => void
}) {
  const { t } = useTranslation(['timerForm', 'automation', 'app'])
  const [values, setValues] = useState(initial)
  const [attempted, setAttempted] = useState(false)
  const [refused, setRefused] = useState(noProblems)
  const [confirmed, setConfirmed] = useState({ fights: '', reason: '' })
  const [dialog, setDialog] = useState<'save' | 'reason' | null>(null)
  const [isDone, setDone] = useState(false)
  const unsaved = useUnsaved(values !== initial && !isDone)
  const form = formOf(values)
  const preview = useTimerPreview(project.HouseID, edited?.TimerID ?? null, form)
  const set = (to: Partial<FormValues>) => {
    setValues((before) => ({ ...before, ...to }))
    setRefused(noProblems)
  }
  const { data } = preview.query
  const problems = refused.size > 0 || !data ? refused : problemsShown(data, values, attempted)
  const conflicts = data?.Conflicts ?? []
  const fights = fightsOf(conflicts)
  const isConfirmed = fights !== '' && confirmed.fights === fights
  const why = useWhyNoTimers(edited)
  const blocked = blockOf()
  const except = (date: string) => set({ exceptions: withException(values.exceptions, date) })

  function blockOf(): string | null {
    if (why !== null) return why
    if (problems.size > 0) return t('saveWrong', { count: problems.size })
    const never = conflicts.filter(({ Effect }) => Effect === 'refused').length
    if (never > 0) return t('saveRefused', { count: never })
    return fights !== '' && !isConfirmed ? t('saveConfirm', { count: fights.split(' ').length }) : null
  }
  const attempt = () => {
    setAttempted(true)
    // What is shown of the form as it is now says already that something is missing.
    if (data && !preview.isOld && data.Problems.length > 0) return
    setDialog('save')
  }
  const zone = civilZone(project.TimeZone)
  const offset = zone.offsetMsAt(Date.now())
  return (
    <>
      <div className="head">
        <button type="button" className="btn quiet" aria-label={t('back')} onClick={onClose}>
          <Icon name="left" />
        </button>
        <h1>{title}</h1>
        {picker}
        <bdi className="mute crumb">
          {!picker && `${project.Name} · `}
          {t('zone', { zone: project.TimeZone, offset: offsetText(offset) })}
        </bdi>
        <span className="grow" />
        <button type="button" className="btn quiet cancel" onClick={onClose}>
          {t('app:cancel')}
        </button>
        <ReasonedButton className="btn primary save" reason={blocked} onClick={attempt}>
          {blocked !== null && <Icon name="lock" />}
          {why === null && blocked !== null ? blocked : t('app:save')}
        </ReasonedButton>
      </div>
      <div className="timer-form">
        <div className="timer-rows">
          {edited === null && values === initial && initial.function === null && <TemplateBar onPick={(to) => setValues(to)} />}
          <Rows values={values} problems={problems} lines={lines} project={project} why={why} set={set} />
        </div>
        <PreviewSide
          preview={preview}
          values={values}
          lines={lines}
          timeZone={project.TimeZone}
          isConfirmed={isConfirmed}
          onConfirm={() => setDialog('reason')}
          onException={except}
        />
      </div>
      {dialog === 'reason' && (
        <ReasonDialog
          given={confirmed.reason}
          onDone={(reason) => setConfirmed({ fights, reason })}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'save' && (
        <SaveDialog
          saving={{ house: project.HouseID, edited, form, reason: isConfirmed ? confirmed.reason : '' }}
          onSaved={(timer) => {
            setDone(true)
            toast('info', t('saved', { name: timer.Name }))
            onSaved()
          }}
          onRefused={setRefused}
          onReload={() => {
            setDone(true)
            onReload()
          }}
          onClose={() => setDialog(null)}
        />
      )}
      {unsaved.isLeaving && <LeaveDialog onStay={unsaved.stay} onLeave={unsaved.leave} />}
    </>
  )
}

function Rows({
  values,
  problems,
  lines,
  project,
  why,
  set,
}: {
  values: FormValues
  problems: ProblemsByField
  lines: readonly LineRef[] | null
  project: Pick<Project, 'HouseID' | 'TimeZone'>
  why: string | null
  set: (to: Partial<FormValues>) => void
}) {
  const { t } = useTranslation(['timerForm', 'automation'])
  const lacksPosition = values.type === 'sun' && [...problems].some(([field]) => /At$/.test(field))
  return (
    <>
      <FormRow no={1} label={t('name')} problem={problems.get('Name') ?? null}>
        <div className="line-up">
          <span className="field name">
            <input
              aria-label={t('name')}
              value={values.name}
              maxLength={64}
              required
              aria-invalid={problems.has('Name') || undefined}
              onChange={(event) => set({ name: event.target.value })}
            />
          </span>
          <span className="mute">{t('nameCount', { count: [...values.name.trim()].length, most: maxNameLength })}</span>
        </div>
      </FormRow>
      <FormRow no={2} label={t('function')} problem={problems.get('Function') ?? null}>
        <Segments
          label={t('function')}
          value={values.function}
          options={functions.map((value) => ({ value, label: t(`automation:functions.${value}`) }))}
          onChange={(to) => set(withFunction(values, to))}
        />
      </FormRow>
      <FormRow no={3} label={t('type')} problem={problems.get('Type') ?? null}>
        <Segments
          label={t('type')}
          value={values.type}
          options={types.map((value) => ({ value, label: t(`automation:types.${value}`) }))}
          onChange={(type) => set({ type })}
        />
      </FormRow>
      <FormRow no={4} label={t('times')} problem={problems.get('Points') ?? null}>
        <PointsField
          points={values.points}
          purpose={values.function}
          type={values.type}
          path="Points"
          problems={problems}
          onChange={(points) => set({ points })}
        />
        {lacksPosition && (
          <p className="note">
            {t('positionWhere')}
            <Link className="text-link" to="/system/project">
              {t('openProjects')}
            </Link>
          </p>
        )}
        {values.function === 'switch' && (
          <label className="check">
            <input type="checkbox" checked={values.keep} onChange={(event) => set({ keep: event.target.checked })} />
            {t('keep')}
          </label>
        )}
      </FormRow>
      <FormRow
        no={5}
        label={t('period')}
        problem={
          ['Period.Date', 'Period.Days', 'Period.Classes', 'Exceptions'].map((field) => problems.get(field)).find(Boolean) ?? null
        }
      >
        <PeriodField values={values} problems={problems} onChange={set} />
        <Weeks house={project.HouseID} timeZone={project.TimeZone} values={values} />
        {values.type !== null && values.type !== 'once' && (
          <ExceptionsField values={values} problems={problems} onChange={(exceptions) => set({ exceptions })} />
        )}
      </FormRow>
      <FormRow no={6} label={t('devices')} problem={problemIn(problems, 'Lines') ?? problems.get('SceneID') ?? null}>
        <LinesField
          chosen={values.lines}
          lines={lines}
          purpose={values.function}
          why={why}
          onChange={(to) => set({ lines: to })}
        />
        <label className="check">
          <input type="checkbox" checked={values.enabled} onChange={(event) => set({ enabled: event.target.checked })} />
          {t('enabledNow')}
        </label>
      </FormRow>
    </>
  )
}

import type { Project, Timer } from '@linewarden/contract'
import { civilZone } from '@linewarden/rules/automation'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ReasonedButton } from '../../../app/notify/reasoned-button.tsx'
import { toast } from '../../../app/notify/toasts.tsx'
import type { LineRef } from '../../../plant/equipment.ts'
import { Icon } from '../../../ui/icon.tsx'
import { LeaveDialog } from '../../../ui/leave-dialog.tsx'
import { serverNow } from '../../../ui/use-now.ts'
import { useUnsaved } from '../../../ui/use-unsaved.ts'
import { offsetText } from '../parts/civil-text.ts'
import { withException } from './exceptions-field.tsx'
import { FormRows } from './form-rows.tsx'
import type { FormValues } from './form-values.ts'
import { formOf } from './form-values.ts'
import { PreviewSide } from './preview-side.tsx'
import type { ProblemsByField } from './problems.ts'
import { fightsOf, problemsShown } from './problems.ts'
import { ReasonDialog } from './reason-dialog.tsx'
import { SaveDialog } from './save-dialog.tsx'
import { TemplateBar } from './template-bar.tsx'
import { useTimerPreview } from './use-preview.ts'
import { useWhyNoTimers } from './why-no-timers.ts'

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
  const conflicts = data?.Conflicts ?? []
  const problems = refused.size > 0 || !data ? refused : problemsShown(data, values, attempted)
  const fights = fightsOf(conflicts)
  const isConfirmed = fights !== '' && confirmed.fights === fights
  const why = useWhyNoTimers(edited)
  const blocked = why ?? blockOf(t, problems, conflicts, isConfirmed ? '' : fights)
  const leave = (then: () => void, words: string | null) => {
    setDone(true)
    if (words !== null) toast('info', words)
    then()
  }
  const attempt = () => {
    setAttempted(true)
    // What is shown of the form as it is now says already that something is missing.
    if (!data || preview.isOld || data.Problems.length === 0) setDialog('save')
  }
  return (
    <>
      <FormHead
        title={title}
        project={project}
        picker={picker}
        blocked={blocked}
        isMine={why === null}
        onSave={attempt}
        onClose={onClose}
      />
      <div className="timer-form">
        <div className="timer-rows">
          {edited === null && values === initial && initial.function === null && <TemplateBar onPick={(to) => setValues(to)} />}
          <FormRows {...{ values, problems, lines, project, edited, why, set }} />
        </div>
        <PreviewSide
          preview={preview}
          values={values}
          lines={lines}
          project={project}
          timerId={edited?.TimerID ?? null}
          isConfirmed={isConfirmed}
          onConfirm={() => setDialog('reason')}
          onException={(date) => set({ exceptions: withException(values.exceptions, date) })}
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
          onSaved={(timer) => leave(onSaved, t('saved', { name: timer.Name }))}
          onRefused={setRefused}
          onReload={() => leave(onReload, null)}
          onClose={() => setDialog(null)}
        />
      )}
      {unsaved.isLeaving && <Leaving onLeave={unsaved.leave} onStay={unsaved.stay} />}
    </>
  )
}

function Leaving(props: { onLeave: () => void; onStay: () => void }) {
  const { t } = useTranslation('timerForm')
  return <LeaveDialog title={t('leaveTitle')} what={t('leaveWhat')} leave={t('leave')} stay={t('stay')} {...props} />
}

/** What stands against saving; null: nothing. `fights`: those that nobody has confirmed. */
function blockOf(
  t: TFunction<['timerForm', 'automation', 'app']>,
  problems: ProblemsByField,
  conflicts: readonly { readonly Effect: string }[],
  fights: string,
): string | null {
  if (problems.size > 0) return t('saveWrong', { count: problems.size })
  const never = conflicts.filter(({ Effect }) => Effect === 'refused').length
  if (never > 0) return t('saveRefused', { count: never })
  return fights === '' ? null : t('saveConfirm', { count: fights.split(' ').length })
}

function FormHead({
  title,
  project,
  picker,
  blocked,
  isMine,
  onSave,
  onClose,
}: {
  title: string
  project: Pick<Project, 'Name' | 'TimeZone'>
  picker: ReactNode
  /** What stands against saving; null: nothing. */
  blocked: string | null
  /** Whether the person may save timers at all: else the reason is too long for a button. */
  isMine: boolean
  onSave: () => void
  onClose: () => void
}) {
  const { t } = useTranslation(['timerForm', 'app'])
  const offset = offsetText(civilZone(project.TimeZone).offsetMsAt(serverNow()))
  return (
    <div className="head">
      <button type="button" className="btn quiet" aria-label={t('back')} onClick={onClose}>
        <Icon name="left" />
      </button>
      <h1>{title}</h1>
      {picker}
      <bdi className="mute crumb">
        {!picker && `${project.Name} · `}
        {t('zone', { zone: project.TimeZone, offset })}
      </bdi>
      <span className="grow" />
      <button type="button" className="btn quiet cancel" onClick={onClose}>
        {t('app:cancel')}
      </button>
      <ReasonedButton className="btn primary save" reason={blocked} onClick={onSave}>
        {blocked !== null && <Icon name="lock" />}
        {isMine && blocked !== null ? blocked : t('app:save')}
      </ReasonedButton>
    </div>
  )
}

import type { RunRecord } from '@linewarden/contract'
import { getRun, runOperation, startRun, testLeakages } from '@linewarden/contract'
import type { RunAction } from '@linewarden/rules/control'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/net/api.ts'
import { keyOf } from '../../app/net/keys.ts'
import { newId } from '../../app/net/new-id.ts'
import { queryClient } from '../../app/net/query-client.ts'
import type { LineRef } from '../../plant/equipment.ts'
import { Segments, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Mark } from '../../ui/mark.tsx'
import { useConfirmation } from './confirmation.tsx'
import { useControlGrant } from './control-grant.tsx'
import { problemOf } from './problem-of.ts'
import { usePermits } from './queries.ts'
import { startingOf } from './run-choice.ts'
import { staggerMsOf } from './run-duration.ts'
import type { Standing } from './run-line.tsx'
import { RunLines } from './run-lines.tsx'
import { RunPlan } from './run-plan.tsx'
import { RunProgressDialog } from './run-progress.tsx'
import './operations.css'

/**
 * Several lines as one intent: what, which, why; then how far each has come. One dialog is one intent: it has one id. Nothing is chosen
 * before the person chooses it, and what stands against each line is told before anything starts.
 */
export function RunDialog({
  title,
  lines,
  only = null,
  isWhole = true,
  onClose,
}: {
  title: string
  lines: readonly LineRef[]
  /** The one thing it is for, on lines that the person has chosen already; null: both are chosen here. */
  only?: RunAction | null
  /** False: the page has more lines, which could not be loaded. */
  isWhole?: boolean
  onClose: () => void
}) {
  const { t } = useTranslation('operations')
  const runId = useRef(newId())
  const control = useControlGrant()
  const [action, setAction] = useState<RunAction | null>(only)
  const able = lines.filter(({ family }) => family?.actions.some(({ key }) => key === action))
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set(only ? lines.map(({ line }) => line.LineID) : []))
  const [despite, setDespite] = useState(false)
  const [stagger, setStagger] = useState('1')
  const [reason, setReason] = useState('')
  const [run, setRun] = useState<RunRecord | null>(null)
  const blockReasons = usePermits(able, run ? null : action)
  const standingOf = ({ line }: LineRef): Standing => {
    const conditions = blockReasons.get(line.LineID)
    // No interlock stands against a trip, so there is nothing to wait for.
    if (!conditions) return action === 'trip' ? 'ready' : 'unknown'
    return conditions.length === 0 ? 'ready' : 'blocked'
  }
  const chosen = able.filter(({ line }) => ticked.has(line.LineID))
  const held = chosen.filter((lineRef) => standingOf(lineRef) !== 'ready')
  const single = only !== null && lines.length === 1
  const starting = startingOf({ chosen, held, single, despite })
  const staggerMs = staggerMsOf(stagger)
  const confirmation = useConfirmation(run ? [] : starting, action)

  const start = async () => {
    if (action === null || starting.length === 0) return ''
    // Whatever is written for another operation keeps no trip from being ordered.
    if (action !== 'trip' && staggerMs === null) return t('staggerWrong')
    if (reason.trim() === '') return t('reasonEmpty')
    const complete = [confirmation.check(), control.check()].every(Boolean)
    if (!complete) return ''
    try {
      const Lines = starting.map(({ device, line }) => ({ ControllerID: device.ControllerID, LineNo: line.LineNo }))
      const grant = await control.take(runOperation(action, runId.current, Lines))
      const body = {
        RunID: runId.current,
        Lines,
        Reason: reason.trim(),
        ...(action !== 'trip' && staggerMs !== null && { StaggerMs: staggerMs }),
        ...confirmation.body,
        ...grant,
      }
      const begun =
        action === 'selfTest'
          ? await api.call(testLeakages, { body })
          : await api.call(startRun, { body: { ...body, Action: action } })
      queryClient.setQueryData(keyOf(getRun, { params: { RunID: begun.RunID } }), begun)
      setRun(begun)
      // The dialog stays: it shows how far each line has come.
      return ''
    } catch (error) {
      control.forget()
      return problemOf(error)
    }
  }

  // What was chosen for one operation is not meant for another.
  const choose = (another: RunAction) => {
    setAction(another)
    setTicked(new Set())
    setDespite(false)
  }

  if (run) return <RunProgressDialog runId={run.RunID} title={title} onClose={onClose} />
  const submit =
    action === null || starting.length === 0
      ? t('start')
      : single
        ? t('startTest')
        : t(`starts.${action}`, { count: starting.length })
  return (
    <FormDialog title={title} submit={submit} wide={!single} ready={starting.length > 0} onSubmit={start} onClose={onClose}>
      {!isWhole && (
        <p className="caution">
          <Mark kind="warning" />
          {t('notWhole')}
        </p>
      )}
      {only === null && (
        <div className="label">
          <span>{t('action')}</span>
          <Segments
            label={t('action')}
            value={action}
            options={[
              { value: 'trip', label: t('trip') },
              { value: 'close', label: t('closeAction') },
              { value: 'selfTest', label: t('test') },
            ]}
            onChange={choose}
          />
        </div>
      )}
      {action === null ? (
        <p className="mute">{t('chooseAction')}</p>
      ) : (
        <>
          {!single && (
            <RunLines
              key={action}
              lines={able}
              unable={lines.length - able.length}
              ticked={ticked}
              onTick={setTicked}
              standingOf={standingOf}
              blockReasons={blockReasons}
            />
          )}
          <RunPlan
            action={action}
            single={single ? (lines[0] ?? null) : null}
            blockReasons={blockReasons}
            starting={starting}
            held={held}
            despite={despite}
            onDespite={setDespite}
            stagger={stagger}
            onStagger={setStagger}
          />
          {confirmation.note}
          <TextField label={t('reason')} required value={reason} onChange={setReason} maxLength={200} />
          {confirmation.field}
          {control.field}
        </>
      )}
    </FormDialog>
  )
}

import type { Request } from '@linewarden/contract'
import { getRun, groupOperation, startRun, testLeakages } from '@linewarden/contract'
import type { GroupAction } from '@linewarden/rules/control'
import type { TFunction } from 'i18next'
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
import { staggerMsOf } from './group-operation-duration.ts'
import { GroupOperationLines } from './group-operation-lines.tsx'
import { GroupOperationPlan } from './group-operation-plan.tsx'
import { problemOf } from './problem-of.ts'
import { useTimedGroup } from './timed-group-choice.tsx'
import { useGroupOperationChoice } from './use-group-operation-choice.ts'

/** What, which, why: what stands against each line is shown before anything starts. One form is one intent: it has one id. */
export function GroupOperationForm({
  title,
  lines,
  only,
  isWhole,
  onStarted,
  onClose,
}: {
  title: string
  lines: readonly LineRef[]
  only: GroupAction | null
  isWhole: boolean
  onStarted: (operationId: string) => void
  onClose: () => void
}) {
  const { t } = useTranslation(['operations', 'app'])
  const operationId = useRef(newId())
  const control = useControlGrant()
  const { action, choose, single, starting, ...choice } = useGroupOperationChoice(lines, only)
  const [stagger, setStagger] = useState('1')
  const [reason, setReason] = useState('')
  const staggerMs = staggerMsOf(stagger)
  const confirmation = useConfirmation(starting, action)
  const timed = useTimedGroup(action, starting)

  const start = async () => {
    if (action === null || starting.length === 0) return ''
    // Whatever is written for another operation keeps no trip from being ordered.
    if (action !== 'trip' && staggerMs === null) return t('staggerWrong')
    if (reason.trim() === '') return t('app:reasonMissing')
    const complete = [confirmation.check(), control.check(), timed.check()].every(Boolean)
    if (!complete) return ''
    try {
      const Lines = starting.map(({ device, line }) => ({ ControllerID: device.ControllerID, LineNo: line.LineNo }))
      const grant = await control.take(groupOperation(action, operationId.current, Lines))
      const body = {
        RunID: operationId.current,
        Lines,
        Reason: reason.trim(),
        ...(action !== 'trip' && staggerMs !== null && { StaggerMs: staggerMs }),
        ...confirmation.body,
        ...grant,
      }
      onStarted(await order(action, body, timed.body()))
      // The dialog stays: it shows how far each line has come.
      return ''
    } catch (error) {
      control.forget()
      return problemOf(error)
    }
  }

  const submit = action === null || starting.length === 0 ? t('start') : startWord(action, single, starting.length, t)
  return (
    <FormDialog title={title} submit={submit} wide={!single} ready={starting.length > 0} onSubmit={start} onClose={onClose}>
      {!isWhole && (
        <p className="caution">
          <Mark kind="warning" />
          {t('notWhole')}
        </p>
      )}
      {only === null && <ActionChoice action={action} onChoose={choose} />}
      {action === null ? (
        <p className="mute">{t('chooseAction')}</p>
      ) : (
        <>
          {!single && (
            <GroupOperationLines
              key={action}
              lines={choice.able}
              unable={lines.length - choice.able.length}
              ticked={choice.ticked}
              onTick={choice.setTicked}
              readinessOf={choice.readinessOf}
              blockReasons={choice.blockReasons}
            />
          )}
          <GroupOperationPlan
            action={action}
            single={single ? (lines[0] ?? null) : null}
            blockReasons={choice.blockReasons}
            starting={starting}
            blocked={choice.blocked}
            despite={choice.despite}
            onDespite={choice.setDespite}
            stagger={stagger}
            onStagger={setStagger}
          />
          {timed.field}
          {confirmation.note}
          <TextField label={t('app:reason')} required value={reason} onChange={setReason} maxLength={200} />
          {confirmation.field}
          {control.field}
        </>
      )}
    </FormDialog>
  )
}

function ActionChoice({ action, onChoose }: { action: GroupAction | null; onChoose: (action: GroupAction) => void }) {
  const { t } = useTranslation('operations')
  return (
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
        onChange={onChoose}
      />
    </div>
  )
}

const startWord = (action: GroupAction, single: boolean, count: number, t: TFunction<'operations'>): string =>
  single ? t('startTest') : t(`starts.${action}`, { count })

/** Answers the id of what has begun; its progress is known from here on. */
async function order(
  action: GroupAction,
  body: Request<typeof testLeakages>['body'],
  override: Pick<Request<typeof startRun>['body'], 'Override'>,
): Promise<string> {
  const begun =
    action === 'selfTest'
      ? await api.call(testLeakages, { body })
      : await api.call(startRun, { body: { ...body, ...override, Action: action } })
  queryClient.setQueryData(keyOf(getRun, { params: { RunID: begun.RunID } }), begun)
  return begun.RunID
}

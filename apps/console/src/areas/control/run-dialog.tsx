import { md5Hex } from '@linewarden/client'
import type { RunRecord } from '@linewarden/contract'
import { grantControl, startRun, testLeakages } from '@linewarden/contract'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/api.ts'
import { newId } from '../../app/new-id.ts'
import { queryClient } from '../../app/query-client.ts'
import { useSession } from '../../app/session.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Segments, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import type { PlacedLine } from '../monitor/equipment.ts'
import { problemOf } from './problem-of.ts'
import { RunProgress } from './run-progress.tsx'
import './operations.css'

type Action = 'trip' | 'close' | 'selfTest'

/** Several lines as one intent: which, what, why; then how far each has come. One dialog is one intent: it has one id. */
export function RunDialog({
  title,
  lines,
  only = null,
  onClose,
}: {
  title: string
  lines: readonly PlacedLine[]
  /** The one thing it is for; null: the person chooses. */
  only?: Action | null
  onClose: () => void
}) {
  const { t } = useTranslation('operations')
  const runId = useRef(newId())
  const user = useSession((session) => session.user)
  const [action, setAction] = useState<Action>(only ?? 'trip')
  const able = lines.filter(({ family }) => family?.actions.some(({ key }) => key === action))
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set())
  const [reason, setReason] = useState('')
  const [password, setPassword] = useState('')
  const [run, setRun] = useState<RunRecord | null>(null)
  const chosen = able.filter(({ line }) => !left.has(line.LineID))
  const what =
    action === 'trip'
      ? t('groupWhatTrip', { count: chosen.length })
      : action === 'close'
        ? t('groupWhatClose', { count: chosen.length })
        : lines.length === 1
          ? t('testWhat', { name: lines[0]?.line.LineName ?? '' })
          : t('groupWhatTest', { count: chosen.length })

  const start = async () => {
    if (chosen.length === 0) return t('noneChosen')
    if (reason.trim() === '') return t('reasonEmpty')
    try {
      const Operation = `${action}:run/${runId.current}`
      const grant = user?.ControlPwd ? await api.call(grantControl, { body: { Password: md5Hex(password), Operation } }) : null
      const body = {
        RunID: runId.current,
        Lines: chosen.map(({ device, line }) => ({ ControllerID: device.ControllerID, LineNo: line.LineNo })),
        Reason: reason.trim(),
        ...(grant && { Grant: grant.Grant }),
      }
      const begun =
        action === 'selfTest'
          ? await api.call(testLeakages, { body })
          : await api.call(startRun, { body: { ...body, Action: action } })
      queryClient.setQueryData(['run', begun.RunID], begun)
      setRun(begun)
      // The dialog stays: it shows how far each line has come.
      return ''
    } catch (error) {
      setPassword('')
      return problemOf(error)
    }
  }
  const toggle = (id: number) => {
    const after = new Set(left)
    if (!after.delete(id)) after.add(id)
    setLeft(after)
  }

  if (run)
    return (
      <Dialog label={title} wide={lines.length > 1} onClose={onClose}>
        <RunProgress runId={run.RunID} title={title} onClose={onClose} />
      </Dialog>
    )
  return (
    <FormDialog title={title} submit={t('start')} wide={lines.length > 1} onSubmit={start} onClose={onClose}>
      {only === null && (
        <Segments
          label={t('action')}
          value={action}
          options={[
            { value: 'trip', label: t('trip') },
            { value: 'close', label: t('closeAction') },
            { value: 'selfTest', label: t('test') },
          ]}
          onChange={setAction}
        />
      )}
      <p>{what}</p>
      {lines.length > 1 && (
        <fieldset className="run-lines">
          <legend>{t('groupLines')}</legend>
          {able.map(({ line, device, gateway }) => (
            <label key={line.LineID} className="option">
              <input type="checkbox" checked={!left.has(line.LineID)} onChange={() => toggle(line.LineID)} />
              <span>{line.LineName}</span>
              <small className="mute">
                {gateway.GatewayName} · {device.Name}
              </small>
            </label>
          ))}
        </fieldset>
      )}
      <TextField label={t('reason')} required value={reason} onChange={setReason} maxLength={200} />
      {user?.ControlPwd && (
        <TextField label={t('controlPassword')} required type="password" value={password} onChange={setPassword} />
      )}
    </FormDialog>
  )
}

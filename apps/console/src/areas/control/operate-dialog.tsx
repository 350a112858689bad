import { operateLine, querySwitch } from '@linewarden/contract'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/net/api.ts'
import { keyOf } from '../../app/net/keys.ts'
import { newId } from '../../app/net/new-id.ts'
import { refreshNow } from '../../app/net/query-client.ts'
import type { LineRef } from '../../plant/equipment.ts'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { useConfirmation } from './confirmation.tsx'
import { useControlGrant } from './control-grant.tsx'
import { OperateAbout } from './operate-about.tsx'
import type { Operation } from './operation-words.ts'
import { operationWords } from './operation-words.ts'
import { problemOf } from './problem-of.ts'
import { putOrdered, useOperationPermit } from './queries.ts'
import { useTimedSwitch } from './use-timed-switch.tsx'

interface Props {
  readonly lineRef: LineRef
  readonly action: Operation
  /** It has gone out. */
  readonly onOrdered?: () => void
  readonly onClose: () => void
}

/** Says what will physically happen, asks why and, if one is set, for the control password. One dialog is one intent: it has one id. */
export function OperateDialog({ lineRef, action, onOrdered, onClose }: Props) {
  const { device, line } = lineRef
  const { t } = useTranslation(['control', 'app'])
  const commandId = useRef(newId())
  const [reason, setReason] = useState('')
  const control = useControlGrant({ autoFocus: true })
  const [asked, setAsked] = useState(false)
  const confirmation = useConfirmation([lineRef], action)
  const timed = useTimedSwitch(lineRef, action)
  const permit = useOperationPermit(device.ControllerID, line.LineNo, action)
  const blockReasons = permit?.Conditions.filter(({ Met }) => !Met).length ?? 0
  const words = operationWords(lineRef, action)
  const reasons = {
    trip: t('reasonsTrip'),
    close: t('reasonsClose'),
    silence: t('reasonsSilence'),
    selfTest: t('reasonsTest'),
  }[action].split('|')

  const noReason = reason.trim() === ''

  const submit = async () => {
    setAsked(true)
    const complete = [control.check(), confirmation.check(), timed.check(), !noReason].every(Boolean)
    if (!complete) return ''
    const params = { ControllerID: device.ControllerID, LineNo: line.LineNo }
    try {
      const Operation = `${action}:${device.ControllerID}/${line.LineNo}`
      const grant = await control.take(Operation)
      const ordered = await api.call(operateLine, {
        params: { ...params, attr: action },
        body: { CommandID: commandId.current, Reason: reason.trim(), ...confirmation.body, ...timed.body(), ...grant },
      })
      putOrdered(ordered)
      void refreshNow(keyOf(querySwitch, { query: params }))
      onOrdered?.()
      return null
    } catch (error) {
      control.forget()
      setAsked(false)
      return problemOf(error)
    }
  }

  return (
    <FormDialog
      title={words.title}
      about={<OperateAbout lineRef={lineRef} title={words.title} />}
      aside={
        action !== 'trip' &&
        permit &&
        (blockReasons > 0 ? t('checkedBlocked', { count: blockReasons }) : t('checkedLive', { count: permit.Conditions.length }))
      }
      submit={words.act}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>{words.what}</p>
      {confirmation.note}
      {timed.field}
      <TextField
        label={t('app:reason')}
        usual={reasons}
        value={reason}
        onChange={setReason}
        maxLength={200}
        autoFocus={!control.needed}
        required
        error={asked && noReason ? t('reasonEmpty') : null}
      />
      {confirmation.field}
      {control.field}
      <p className="mute">{words.note}</p>
    </FormDialog>
  )
}

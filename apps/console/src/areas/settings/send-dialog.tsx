import type { SettingIntent } from '@linewarden/contract'
import { settingOperation } from '@linewarden/contract'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../app/net/api.ts'
import { newId } from '../../app/net/new-id.ts'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Mark } from '../../ui/mark.tsx'
import { serverNow } from '../../ui/use-now.ts'
import { useControlGrant } from '../control/control-grant.tsx'
import { ChangeList } from './change-list.tsx'
import type { ChangeRow, ChangeTarget } from './change-rows.ts'

/** What every order to set something carries, and its id. */
export interface Order {
  readonly id: string
  readonly Reason: string
  readonly Grant?: string
  readonly OffUntil?: number
}

const minutes = [10, 30, 60, 120, 240, 480, 1440] as const

/**
 * Asks why, for the control password if one is set, and for how long where a protection is bypassed; then sends. One dialog is one intent:
 * it has one id, so sending it again after a lost answer sets nothing twice.
 */
export function SendDialog({
  title,
  what,
  intent,
  rows,
  targets,
  blocked = null,
  ready = true,
  onSend,
  onClose,
  children,
}: {
  title: string
  what: string
  /** What the control password is asked for. */
  intent: SettingIntent
  /** What changes, and where: repeated before anything is sent. */
  rows: readonly ChangeRow[]
  targets: readonly ChangeTarget[]
  /** What must be mended in the dialog's own fields first. */
  blocked?: string | null
  /** False: as things stand there is nothing that can be sent. */
  ready?: boolean
  onSend: (order: Order) => Promise<void>
  onClose: () => void
  children?: ReactNode
}) {
  const { t } = useTranslation(['settings', 'app'])
  const control = useControlGrant()
  const [id] = useState(newId)
  const [reason, setReason] = useState('')
  const [offFor, setOffFor] = useState('60')
  const [asked, setAsked] = useState(false)
  const noReason = reason.trim() === ''
  const bypassed = rows.filter(({ isBypass }) => isBypass).map(({ name }) => name)
  const submit = async (): Promise<string | null> => {
    setAsked(true)
    if (!control.check() || noReason || blocked !== null) return ''
    try {
      const until = bypassed.length > 0 ? { OffUntil: serverNow() + Number(offFor) * 60_000 } : {}
      const grant = await control.take(settingOperation(id, { ...intent, ...until }))
      await onSend({
        id,
        Reason: reason.trim(),
        ...grant,
        ...until,
      })
      return null
    } catch (error) {
      control.forget()
      return messageOf(error)
    }
  }
  return (
    <FormDialog title={title} submit={t('send')} ready={ready} onSubmit={submit} onClose={onClose}>
      {children}
      <ChangeList rows={rows} targets={targets} />
      <p className="mute">{what}</p>
      {bypassed.length > 0 && (
        <>
          <p className="caution">
            <Mark kind="warning" />
            {t('weakWarn', { names: bypassed.join(t('app:semicolon')) })}
          </p>
          <SelectField
            label={t('offFor')}
            value={offFor}
            onChange={setOffFor}
            options={minutes.map((each) => ({
              value: String(each),
              label: each < 60 ? t('app:minutes', { count: each }) : t('app:hours', { count: each / 60 }),
            }))}
          />
        </>
      )}
      <TextField
        label={t('app:reason')}
        usual={t('reasons').split('|')}
        value={reason}
        onChange={setReason}
        maxLength={200}
        required
        error={asked && noReason ? t('reasonEmpty') : null}
      />
      {control.field}
    </FormDialog>
  )
}

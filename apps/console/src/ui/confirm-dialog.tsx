import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TextField } from './fields.tsx'
import { FormDialog } from './form-dialog.tsx'

/** Asks before something that cannot be taken back: says what will happen, and asks why where the record needs it. */
export function ConfirmDialog({
  title,
  what,
  submit,
  reasons,
  onConfirm,
  onClose,
}: {
  title: string
  /** What will happen, in plain words. */
  what: string
  submit: string
  /** Given: a reason must be said; these are the usual ones. */
  reasons?: readonly string[]
  /** Answers null when it is done, or what to tell the person. */
  onConfirm: (reason: string) => Promise<string | null>
  onClose: () => void
}) {
  const { t } = useTranslation()
  const [reason, setReason] = useState('')
  const [asked, setAsked] = useState(false)
  const missing = reasons !== undefined && reason.trim() === ''
  return (
    <FormDialog
      title={title}
      submit={submit}
      onClose={onClose}
      onSubmit={async () => {
        setAsked(true)
        return missing ? '' : onConfirm(reason.trim())
      }}
    >
      <p>{what}</p>
      {reasons && (
        <TextField
          label={t('reason')}
          usual={reasons}
          value={reason}
          onChange={setReason}
          maxLength={200}
          required
          error={asked && missing ? t('reasonMissing') : null}
        />
      )}
    </FormDialog>
  )
}

import type { Reply, ScreenLink } from '@linewarden/contract'
import { approveScreen, screenOfCode } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, messageOf } from '../../../app/net/api.ts'
import { change } from '../../../app/net/change.ts'
import { toast } from '../../../app/notify/toasts.tsx'
import { SelectField, TextField } from '../../../ui/fields.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Mark } from '../../../ui/mark.tsx'
import { useForm } from '../../../ui/use-form.ts'

interface Props {
  /** As it was scanned; empty: it is typed in. */
  readonly code: string
  readonly links: readonly ScreenLink[]
  readonly onClose: () => void
}

const digits = (text: string) => text.replaceAll(/\s/g, '')

/** Gives a wall that shows a code a link: first which wall that is, then yes. */
export function PairDialog({ code, links, onClose }: Props) {
  const { t } = useTranslation('screens')
  const open = links.filter(({ RevokedAt }) => RevokedAt === null)
  const [wall, setWall] = useState<Reply<typeof screenOfCode> | null>(null)
  const form = useForm({ code, link: '' }, (values) => ({
    code: /^\d{6}$/.test(digits(values.code)) ? null : t('codeWrong'),
    link: values.link === '' ? t('linkMissing') : null,
  }))
  const submit = async () => {
    if (!form.check()) return ''
    const Code = digits(form.values.code)
    try {
      if (!wall) {
        setWall(await api.call(screenOfCode, { params: { Code } }))
        return ''
      }
      await change(approveScreen, { body: { Code, ScreenID: Number(form.values.link) } })
      toast('info', t('paired'))
      return null
    } catch (error) {
      setWall(null)
      return messageOf(error)
    }
  }
  const field = form.field('code')
  return (
    <FormDialog title={t('pair')} submit={t(wall ? 'approve' : 'find')} onSubmit={submit} onClose={onClose}>
      <TextField
        label={t('code')}
        inputMode="numeric"
        maxLength={7}
        required
        autoFocus
        {...field}
        onChange={(value) => {
          setWall(null)
          field.onChange(value)
        }}
      />
      <SelectField
        label={t('link')}
        placeholder={t('linkMissing')}
        options={open.map(({ ScreenID, Name }) => ({ value: String(ScreenID), label: Name }))}
        required
        {...form.field('link')}
      />
      {wall && (
        <div role="status">
          <p>
            <b>{t('from', { address: wall.Address })}</b>
          </p>
          <p className="mute">{wall.Browser}</p>
          <p className="caution">
            <Mark kind="warning" />
            {t('fromCaution')}
          </p>
        </div>
      )}
    </FormDialog>
  )
}

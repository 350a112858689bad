import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TextArea } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import type { BillValues } from './bill-values.ts'
import { withPasted } from './bill-values.ts'

interface Props {
  readonly values: BillValues
  readonly onDone: (values: BillValues) => void
  readonly onClose: () => void
}

/** Rows of a bill as a table has them: copied from a workbook, a CSV or a page. */
export function BillPaste({ values, onDone, onClose }: Props) {
  const { t } = useTranslation('billCheck')
  const [text, setText] = useState('')
  const { unread, values: read } = withPasted(values, text)
  const isRead = read.Rows.some((row, place) => row !== values.Rows[place])
  const send = async () => {
    if (!isRead) return t('pasteNothing')
    onDone(read)
    return null
  }
  return (
    <FormDialog title={t('billPaste')} submit={t('pasteDo')} wide onSubmit={send} onClose={onClose}>
      <TextArea
        label={t('pasteLabel')}
        hint={t('pasteHint')}
        rows={10}
        maxLength={20_000}
        required
        value={text}
        onChange={setText}
      />
      {text.trim() !== '' && unread.length > 0 && (
        <p className="mute">{t('pasteUnread', { lines: unread.slice(0, 3).join(' · ') })}</p>
      )}
    </FormDialog>
  )
}

import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { SignaturePad } from '../signature-pad.tsx'
import type { Strokes } from '../strokes.ts'

/** The inspector signs what was answered. */
export function FinishDialog({
  name,
  onSigned,
  onClose,
}: {
  name: string
  onSigned: (strokes: Strokes) => Promise<void>
  onClose: () => void
}) {
  const { t } = useTranslation(['phoneRounds', 'inspection'])
  const [strokes, setStrokes] = useState<Strokes>([])
  const sign = async () => {
    if (strokes.length === 0) return t('inspection:signFirst')
    await onSigned(strokes)
    return null
  }
  return (
    <FormDialog title={`${t('finish')} · ${name}`} submit={t('finish')} onSubmit={sign} onClose={onClose}>
      <p>{t('finishWhat')}</p>
      <SignaturePad label={t('inspection:inspector')} strokes={strokes} onChange={setStrokes} />
    </FormDialog>
  )
}

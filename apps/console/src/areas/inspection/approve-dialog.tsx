import type { InspectionRound } from '@linewarden/contract'
import { approveRound } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../app/net/api.ts'
import { change } from '../../app/net/change.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Mark } from '../../ui/mark.tsx'
import { SignaturePad } from './signature-pad.tsx'
import type { Strokes } from './strokes.ts'

/** Approves what somebody else has inspected, with a signature where the plan asks for it. */
export function ApproveDialog({ round, version, onClose }: { round: InspectionRound; version: number; onClose: () => void }) {
  const { t } = useTranslation('inspection')
  const [strokes, setStrokes] = useState<Strokes>([])
  const signs = round.Signature === 'both'
  const send = async () => {
    if (signs && strokes.length === 0) return t('signFirst')
    try {
      await change(approveRound, {
        params: { RoundID: round.RoundID },
        body: { Version: version, ...(signs && { Signature: { Strokes: strokes.map((stroke) => [...stroke]) } }) },
      })
      return null
    } catch (error) {
      return messageOf(error)
    }
  }
  return (
    <FormDialog title={`${t('acts.approve')} · ${round.Number}`} submit={t('acts.approve')} onSubmit={send} onClose={onClose}>
      <p>{t('approveWhat')}</p>
      {round.Flagged > 0 && (
        <p>
          <Mark kind="warning" size={12} /> {t('approveFlagged', { count: round.Flagged })}
        </p>
      )}
      {signs && <SignaturePad label={t('approver')} strokes={strokes} onChange={setStrokes} />}
    </FormDialog>
  )
}

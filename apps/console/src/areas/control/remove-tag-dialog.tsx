import type { TagRecord } from '@linewarden/contract'
import { removeTag } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { change } from '../../app/net/change.ts'
import type { LineRef } from '../../plant/equipment.ts'
import { countsOf } from '../../plant/equipment.ts'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { problemOf } from './problem-of.ts'

/** Taking a tag off: one's own, or as an administrator another's, and then with a reason. */
export function RemoveTagDialog({
  lineRef: { device, line, gateway, family },
  tag,
  onClose,
}: {
  lineRef: LineRef
  tag: TagRecord
  onClose: () => void
}) {
  const { t } = useTranslation(['operations', 'app'])
  const [reason, setReason] = useState('')
  const isDetector = family?.level === 'device'
  const remove = async () => {
    if (!tag.Own && reason.trim() === '') return t('app:reasonMissing')
    try {
      const params = { ControllerID: device.ControllerID, LineNo: line.LineNo, TagID: tag.TagID }
      const body = reason.trim() === '' ? {} : { Reason: reason.trim() }
      await change(removeTag, { params, body })
      return null
    } catch (error) {
      return problemOf(error)
    }
  }
  return (
    <FormDialog title={t('removeTitle', { holder: tag.Holder })} submit={t('removeTag')} onSubmit={remove} onClose={onClose}>
      {tag.On === 'gateway' && <p>{t('removeFromGateway', countsOf(gateway.Devices))}</p>}
      {tag.On === 'device' && !isDetector && <p>{t('removeFromDevice', countsOf([device]))}</p>}
      <p>{isDetector && tag.On !== 'gateway' ? t('removeWhatDevice') : t('removeWhat')}</p>
      <TextField label={t('removeReason')} required={!tag.Own} value={reason} onChange={setReason} maxLength={200} />
    </FormDialog>
  )
}

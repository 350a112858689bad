import type { TagRecord } from '@linewarden/contract'
import { maxPhotoBytes, placeTag } from '@linewarden/contract'
import { hourMs } from '@linewarden/equipment'
import type { TagKind } from '@linewarden/rules/control'
import { useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { change } from '../../app/net/change.ts'
import { newId } from '../../app/net/new-id.ts'
import type { LineRef } from '../../plant/equipment.ts'
import { countsOf } from '../../plant/equipment.ts'
import { Segments, TextField } from '../../ui/fields.tsx'
import { FileButton } from '../../ui/file-button.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { dayTime, dayTimeIn } from '../../ui/format.ts'
import { MomentField } from '../../ui/moment-field.tsx'
import { smallJpeg } from '../../ui/small-jpeg.ts'
import { serverNow } from '../../ui/use-now.ts'
import { LiveWarning } from './live-warning.tsx'
import { OperateAbout } from './operate-about.tsx'
import { problemOf } from './problem-of.ts'

/** How long work on a line usually takes. */
const usualHours = [1, 4, 8] as const

/** Hanging one's own tag: on what, why, until about when, and a picture of the padlock if there is one. */
export function PlaceTagDialog({
  lineRef,
  onTrip,
  onClose,
}: {
  lineRef: LineRef
  /** Leads to opening the line first; null for who may not. */
  onTrip: (() => void) | null
  onClose: () => void
}) {
  const { t } = useTranslation(['operations', 'app'])
  const { device, line, gateway, family } = lineRef
  // One for each place: after a lost answer it may hang there, and the same id hangs nothing elsewhere.
  const ids = useRef({ line: newId(), device: newId(), gateway: newId() })
  const [kind, setKind] = useState<TagKind>('lock')
  // A detector is one with its line.
  const isDetector = family?.level === 'device'
  const [on, setOn] = useState<TagRecord['On']>(isDetector ? 'device' : 'line')
  const names = { line: line.LineName, device: device.Name, gateway: gateway.GatewayName }
  const what = {
    line: () => t('placeWhat'),
    device: () => (isDetector ? t('placeWhatDevice') : t('placeWhatLines', countsOf([device]))),
    gateway: () => t('placeWhatGateway', countsOf(gateway.Devices)),
  }
  const title = t('placeTitle', { name: names[on] })
  const [reason, setReason] = useState('')
  const [end, setEnd] = useState('')
  const [now] = useState(serverNow)
  const isEndWrong = end.trim() !== '' && Number.isNaN(dayTimeIn(end))
  const photoId = useId()
  const [photo, setPhoto] = useState<File | null>(null)
  const place = async () => {
    if (reason.trim() === '') return t('app:reasonMissing')
    if (isEndWrong) return ''
    try {
      const data = photo && (await smallJpeg(photo, maxPhotoBytes))
      const body = {
        TagID: ids.current[on],
        Kind: kind,
        On: on,
        Reason: reason.trim(),
        ...(end.trim() !== '' && { ExpectedEnd: dayTimeIn(end) }),
        ...(data && { Photo: { Type: 'image/jpeg' as const, Data: data } }),
      }
      const params = { ControllerID: device.ControllerID, LineNo: line.LineNo }
      await change(placeTag, { params, body })
      return null
    } catch (error) {
      return problemOf(error)
    }
  }
  return (
    <FormDialog
      title={title}
      about={<OperateAbout lineRef={lineRef} title={title} />}
      submit={t('placeTag')}
      onSubmit={place}
      onClose={onClose}
    >
      <LiveWarning lineRef={lineRef} on={on} onTrip={onTrip} />
      <Segments
        label={t('hangOn')}
        value={on}
        options={[
          ...(isDetector ? [] : [{ value: 'line' as const, label: t('places.line') }]),
          { value: 'device', label: t('places.device') },
          { value: 'gateway', label: t('places.gateway') },
        ]}
        onChange={setOn}
      />
      <p>{what[on]()}</p>
      <Segments
        label={t('kind')}
        value={kind}
        options={[
          { value: 'lock', label: t('lock') },
          { value: 'tag', label: t('tag') },
        ]}
        onChange={setKind}
      />
      <TextField label={t('app:reason')} required autoFocus value={reason} onChange={setReason} maxLength={200} />
      <MomentField
        kind="minute"
        label={t('expectedEnd')}
        hint={t('expectedEndHint')}
        usual={usualHours.map((hours) => dayTime(now + hours * hourMs))}
        value={end}
        onChange={setEnd}
        error={isEndWrong ? t('expectedEndWrong') : null}
      />
      <div className="label">
        <label htmlFor={photoId}>{t('photo')}</label>
        <FileButton id={photoId} accept="image/*" capture="environment" onFile={setPhoto} />
        <small className="mute">{t('photoHint')}</small>
      </div>
    </FormDialog>
  )
}

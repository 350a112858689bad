import type { TagRecord } from '@linewarden/contract'
import { tagPhoto } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import type { LineRef } from '../../plant/equipment.ts'
import { CloseFoot, Dialog } from '../../ui/dialog.tsx'

/** The photo of a tag. */
export function PhotoDialog({
  lineRef: { device, line },
  tag,
  onClose,
}: {
  lineRef: LineRef
  tag: TagRecord
  onClose: () => void
}) {
  const { t } = useTranslation('operations')
  const query = useCall(tagPhoto, { params: { ControllerID: device.ControllerID, LineNo: line.LineNo, TagID: tag.TagID } })
  const { data } = query
  const name = t('photoOf', { holder: tag.Holder })
  return (
    <Dialog label={name} wide onClose={onClose}>
      <h2>{name}</h2>
      <div className="content">
        {data ? (
          <img className="tag-photo" src={`data:${data.Type};base64,${data.Data}`} alt={name} />
        ) : (
          <Unloaded query={query} />
        )}
      </div>
      <CloseFoot onClose={onClose} />
    </Dialog>
  )
}
